/** The fields of a JSON schema, flat, for the help beside an editor. Pure. */
import type { Locale } from '../../platform/preferences';

export interface SchemaField {
  /** Names from the root, joined by dots; `<name>` for a name that the operator chooses, `[]` for the items of a list. */
  path: string;
  /** Allowed values or type, such as "number ≥ 0". */
  type: string;
  description: string;
}

type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 4;

export function fieldsOf(schema: Schema, locale: Locale): SchemaField[] {
  return childrenOf(schema, '', 0).map(({ inner, ...field }) => ({ ...field, type: typeOf(inner), description: textOf(inner, locale) }));
}

/** The schemas of the server hold both languages; a text that has no Chinese stays English. */
function textOf(schema: Schema, locale: Locale): string {
  const text = (locale === 'zh-CN' && schema['x-description-zh-CN']) || schema['description'];
  return typeof text === 'string' ? text : '';
}

function childrenOf(schema: Schema, path: string, depth: number): { path: string; inner: Schema }[] {
  if (depth > MAX_DEPTH) return [];
  const named = Object.entries(asObject(schema['properties']) ?? {}).map(
    ([name, child]) => [path === '' ? name : `${path}.${name}`, child] as const,
  );
  const patterns = Object.values(asObject(schema['patternProperties']) ?? {}).map(
    child => [`${path === '' ? '' : `${path}.`}<name>`, child] as const,
  );
  const items = schema['items'] === undefined ? [] : [[`${path}[]`, schema['items']] as const];
  return [...named, ...patterns, ...items].flatMap(([name, child]) => {
    const inner = asObject(child) ?? {};
    return [{ path: name, inner }, ...childrenOf(inner, name, depth + 1)];
  });
}

function typeOf(schema: Schema): string {
  const { anyOf } = schema;
  const choices = (Array.isArray(anyOf) ? anyOf : []).map((choice: unknown) => asObject(choice) ?? {});
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value => JSON.stringify(value)).join(' | ');
  const bounds = [
    ['≥', schema['minimum']],
    ['>', schema['exclusiveMinimum']],
    ['≤', schema['maximum']],
  ].flatMap(([sign, bound]) => (typeof bound === 'number' ? [`${sign} ${bound}`] : []));
  return [typeof schema['type'] === 'string' ? schema['type'] : '', ...bounds].filter(Boolean).join(' ');
}

const asObject = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
