/** Gives the texts of tags the types that the parameters of a tool ask for: tags hold no types. */
import type { ToolSpec } from '../../tools/common';

type Schema = Record<string, unknown>;

const PYTHON_CONSTANTS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };

/** Returns the arguments as a JSON value. A text that does not fit its type stays a text, so that the check of the arguments names it. */
export function toTypedArguments(
  { parameters }: Pick<ToolSpec, 'parameters'>,
  texts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { properties } = parameters as Schema;
  const schemaOf = (name: string): Schema | undefined =>
    isSchema(properties) && Object.hasOwn(properties, name) && isSchema(properties[name]) ? properties[name] : undefined;
  return Object.fromEntries([...texts].map(([name, text]) => [name, toTyped(schemaOf(name), withoutFrame(text))]));
}

/** Templates put the value on lines of its own. */
const withoutFrame = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');

function toTyped(schema: Schema | undefined, text: string): unknown {
  if (!schema || acceptsText(schema)) return text;
  const trimmed = text.trim();
  if (Object.hasOwn(PYTHON_CONSTANTS, trimmed)) return PYTHON_CONSTANTS[trimmed];
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return text;
  }
}

function acceptsText(schema: Schema): boolean {
  const { type, anyOf, oneOf, const: constant, enum: values } = schema;
  if (type === 'string' || typeof constant === 'string') return true;
  if (Array.isArray(type) && type.includes('string')) return true;
  if (Array.isArray(values) && values.some(value => typeof value === 'string')) return true;
  return [anyOf, oneOf].some(options => Array.isArray(options) && options.some(option => isSchema(option) && acceptsText(option)));
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
