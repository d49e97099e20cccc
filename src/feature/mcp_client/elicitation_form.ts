/** Reads the fields that a server asks for, and a person's answer into these fields. */
import type { McpElicitationAnswer } from '../../port/mcp';
import { inLocale, type ToolContext } from '../../tools/common';
import { foreignText } from './mcp_tool_texts';

type Locale = Pick<ToolContext, 'locale'>;
export type FieldValue = string | number | boolean | string[];
export type FormContent = Extract<McpElicitationAnswer, { action: 'accept' }>['content'];

export interface Field {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  title: string;
  isRequired: boolean;
  minimum?: number;
  maximum?: number;
  /** Values of an enumeration with the texts for people. */
  options?: { value: string; label: string }[];
}

const MAX_FIELDS = 30;
const MAX_TITLE_UNITS = 200;
const MAX_OPTION_UNITS = 100;
const TYPES = ['string', 'number', 'integer', 'boolean', 'array'] as const;

/** Returns undefined for a form that no person can be asked: too many fields, or a required field that is neither a plain value nor a choice. */
export function fieldsOf(schema: Record<string, unknown>): Field[] | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS || names.includes('__proto__')) return undefined;
  const fields = names.flatMap(name => toField(name, properties[name], required.includes(name)) ?? []);
  return required.every(name => fields.some(field => field.name === name)) ? fields : undefined;
}

/** Says what a field takes: `a whole number from 1 to 9`. */
export function expectation({ type, options, minimum, maximum }: Field, ctx: Locale): string {
  const bounds = [minimum, maximum].some(bound => bound !== undefined) ? ` ${minimum ?? ''}..${maximum ?? ''}` : '';
  if (options) return options.map(({ label, value }) => (label === value ? value : `${value} (${label})`)).join(', ');
  if (type === 'integer') return inLocale(ctx, 'a whole number', '整数') + bounds;
  if (type === 'number') return inLocale(ctx, 'a number', '数字') + bounds;
  return type === 'boolean' ? inLocale(ctx, 'yes or no', '是或否') : inLocale(ctx, 'text', '文字');
}

/** Returns undefined when the text does not fit the field. */
export function readValue(text: string, field: Field): FieldValue | undefined {
  const { type, options } = field;
  if (type === 'array') {
    const values = text.split(/[,，、]/).map(part => optionOf(part.trim(), options ?? []));
    return values.every(value => value !== undefined) ? values : undefined;
  }
  if (options) return optionOf(text, options);
  if (type === 'boolean') return readBoolean(text);
  if (type === 'string') return text === '' ? undefined : text;
  return readNumber(text, field);
}

/**
 * Reads lines of the form `name: value`, or a JSON object. A text without field names is the value of the first required field. `problem` names the
 * field that is missing or does not fit.
 */
export function readForm(text: string, fields: readonly Field[]): { content: FormContent } | { problem: Field } {
  const texts = textsOf(text, fields);
  const content: FormContent = {};
  for (const field of fields) {
    const given = texts.get(field.name);
    if (given === undefined && !field.isRequired) continue;
    const value = given === undefined ? undefined : readValue(given, field);
    if (value === undefined) return { problem: field };
    content[field.name] = value;
  }
  return { content };
}

function textsOf(text: string, fields: readonly Field[]): Map<string, string> {
  const json = objectIn(text);
  if (json) return new Map(Object.entries(json).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]));
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^\s*([^:：]{1,100})[:：](.*)$/.exec(line) ?? [];
    const field = fields.find(({ name, title }) => [name, title].some(word => word.toLowerCase() === key.trim().toLowerCase()));
    if (field) found.set(field.name, value.trim());
  }
  const first = fields.find(({ isRequired }) => isRequired) ?? fields[0];
  return found.size > 0 || !first ? found : new Map([[first.name, text]]);
}

function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toField(name: string, schema: unknown, isRequired: boolean): Field | undefined {
  if (!isObject(schema)) return undefined;
  const type = TYPES.find(known => known === schema['type']);
  const options = optionsOf(type === 'array' && isObject(schema['items']) ? schema['items'] : schema);
  if (!type || (type === 'array' && !options)) return undefined;
  const { title, description, minimum, maximum } = schema;
  const words = [title ?? name, description].filter(text => typeof text === 'string');
  return {
    name,
    type,
    title: foreignText(words.join(': '), MAX_TITLE_UNITS).replaceAll('\n', ' '),
    isRequired,
    minimum: typeof minimum === 'number' ? minimum : undefined,
    maximum: typeof maximum === 'number' ? maximum : undefined,
    options,
  };
}

/** Reads `enum` with `enumNames`, and the newer lists of constants with titles. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Record<string, unknown>): Field['options'] {
  const titled = [oneOf, anyOf].find(list => Array.isArray(list)) as unknown[] | undefined;
  const pairs: [unknown, unknown][] | undefined = Array.isArray(values)
    ? values.map((value, index) => [value, Array.isArray(enumNames) ? enumNames[index] : undefined])
    : titled?.map(option => (isObject(option) ? [option['const'], option['title']] : [undefined, undefined]));
  return pairs?.flatMap(([value, label]) =>
    typeof value === 'string' ? [{ value, label: foreignText(typeof label === 'string' ? label : value, MAX_OPTION_UNITS) }] : [],
  );
}

const optionOf = (text: string, options: readonly { value: string; label: string }[]): string | undefined =>
  options.find(({ value, label }) => value === text || label === text)?.value;

function readBoolean(text: string): boolean | undefined {
  if (/^(yes|true|y|是|对)$/i.test(text)) return true;
  return /^(no|false|n|否|不)$/i.test(text) ? false : undefined;
}

function readNumber(text: string, { type, minimum = -Infinity, maximum = Infinity }: Field): number | undefined {
  const number = Number(text);
  const isFitting = text !== '' && Number.isFinite(number) && number >= minimum && number <= maximum;
  return isFitting && (type === 'number' || Number.isInteger(number)) ? number : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
