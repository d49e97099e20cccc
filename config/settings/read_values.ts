/** Reads the variables of settings_schema.ts. A value that its schema refuses throws a SettingError with one sentence that names it. */
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { findKeyProblem } from './key_problem';
import { choicesOf, type SettingKeywords } from './setting_types';
import { SettingsSchema, type SettingValues } from './settings_schema';

export class SettingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A missing or blank variable gets its default, or stays absent. */
export function readValues(env: Environment): SettingValues {
  const values = Object.entries(SettingsSchema.properties).map(([name, schema]) => [name, readValue(name, schema, env[name]?.trim())]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as SettingValues;
}

function readValue(name: string, schema: TSchema, text: string | undefined): unknown {
  if (!text) return schema['default'];
  const problem = schema['isHeaderKey'] ? findKeyProblem(text) : undefined;
  if (problem !== undefined) throw new SettingError(`${name} ${problem}`);
  const value = parse(schema, text);
  if (Value.Check(schema, value)) return value;
  throw new SettingError(refusalOf(name, schema, refusedPart(schema, value, text)));
}

function parse({ type }: TSchema, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'array') return text.split(',').flatMap(entry => entry.trim() || []);
  return text;
}

/** Returns the first bad entry of a list, and the whole text of any other setting. */
function refusedPart(schema: TSchema, value: unknown, text: string): string {
  return Array.isArray(value) ? String(value.find(entry => !Value.Check(schema['items'], entry))) : text;
}

function refusalOf(name: string, schema: TSchema & Partial<SettingKeywords>, text: string): string {
  const { refusal, minimum, maximum } = schema;
  if (refusal !== undefined) return refusal.replace('{value}', () => text);
  const choices = choicesOf(schema);
  const bounds = choices ? `one of ${choices.join(', ')}` : `a whole number from ${minimum} to ${maximum}`;
  return `${name}=${text} must be ${bounds}.`;
}
