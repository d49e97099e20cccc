/** A JSON Schema as rows of a table, nested fields below their parent. */
import { NOT_BLANK } from '../../../src/wire/not_blank';
import { type ApiDocument, resolve, type Schema } from './api_document';

export interface SchemaRow {
  name: string;
  /** 0 at the top. */
  depth: number;
  type: string;
  isRequired: boolean;
  /** Such as "1 to 200 characters". */
  limits: readonly Limit[];
  default?: string;
  description: string;
}

/** A rule of a value; the page puts it into words. */
export type Limit =
  | { kind: 'characters' | 'number' | 'items'; from?: number; to?: number }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'notBlank' };

const MAX_DEPTH = 4;
/** A longer list of options says no more than that there are many. */
const MAX_OPTIONS = 16;

/** Rows of an object's fields, or of the fields of a list's items; empty for anything else. */
export function schemaRows(schema: Schema, document: ApiDocument, depth = 0): SchemaRow[] {
  const { schema: resolved } = resolve(schema, document);
  if (resolved.items) return schemaRows(resolved.items, document, depth);
  if (resolved.oneOf) return resolved.oneOf.flatMap(option => optionRows(option, document, depth));
  if (!resolved.properties || depth > MAX_DEPTH) return [];
  return Object.entries(resolved.properties).flatMap(([name, field]) => [
    { ...toRow(name, field, document), depth, isRequired: resolved.required?.includes(name) ?? false },
    ...schemaRows(field, document, depth + 1),
  ]);
}

/** One of several shapes: a row with its `type`, and the rows of its `data` below. */
function optionRows(option: Schema, document: ApiDocument, depth: number): SchemaRow[] {
  const { type, data } = resolve(option, document).schema.properties ?? {};
  return [
    { name: String(type?.const ?? ''), depth, type: typeText(option, document), isRequired: true, limits: [], description: '' },
    ...(data ? schemaRows(data, document, depth + 1) : []),
  ];
}

function toRow(name: string, field: Schema, document: ApiDocument): Omit<SchemaRow, 'depth' | 'isRequired'> {
  const { schema } = resolve(field, document);
  return {
    name,
    type: typeText(field, document),
    limits: limitsOf(schema),
    ...(schema.default !== undefined && { default: JSON.stringify(schema.default) }),
    description: field.description ?? schema.description ?? '',
  };
}

/** `string`, `"a" | "b"`, `Run[]`, `object` ... */
export function typeText(field: Schema, document: ApiDocument): string {
  const { schema, name } = resolve(field, document);
  if (name !== undefined) return name;
  if (schema.anyOf)
    return schema.anyOf.length > MAX_OPTIONS ? 'string' : schema.anyOf.map(option => typeText(option, document)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `${bracketed(typeText(schema.items, document))}[]`;
  if (schema.format === 'date-time') return 'date-time';
  return schema.type ?? 'any';
}

export function limitsOf({ minLength, maxLength, minimum, maximum, maxItems, pattern }: Schema): Limit[] {
  const limits: Limit[] = [];
  if (minLength !== undefined || maxLength !== undefined) limits.push(range('characters', minLength, maxLength));
  if (minimum !== undefined || maximum !== undefined) limits.push(range('number', minimum, maximum));
  if (maxItems !== undefined) limits.push(range('items', undefined, maxItems));
  if (pattern === NOT_BLANK) limits.push({ kind: 'notBlank' });
  else if (pattern !== undefined) limits.push({ kind: 'pattern', pattern });
  return limits;
}

const range = (kind: 'characters' | 'number' | 'items', from: number | undefined, to: number | undefined): Limit => ({
  kind,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const bracketed = (type: string): string => (type.includes('|') ? `(${type})` : type);
