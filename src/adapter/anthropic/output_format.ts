/** Turns a JSON Schema into the part of it that Anthropic's structured outputs take (platform.claude.com, "Structured outputs"). */
import { isRecord } from '../openai/json_value';

type Schema = Readonly<Record<string, unknown>>;

const KEPT: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'const', 'title', 'default', 'required', '$ref']);
/** Rules that the gateway checks itself once the answer is whole. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', '$schema', '$id', '$comment', 'examples'],
]);

/** Returns undefined for a schema that says more than the API takes: the prompt alone then asks for the form. */
export function toOutputFormat(schema: Schema): Schema | undefined {
  const isObject = [schema['type']].flat().includes('object') || 'properties' in schema;
  // The API closes every object, so one with free fields would stay empty.
  if (isObject && (!isRecord(schema['properties']) || schema['additionalProperties'] === true)) return undefined;
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (KEPT.has(name)) entries.push([name, value]);
    else if (name === 'items' || name === 'additionalProperties') {
      if (name === 'items') {
        const items = isRecord(value) ? toOutputFormat(value) : undefined;
        if (!items) return undefined;
        entries.push([name, items]);
      } else if (value !== false && value !== true) return undefined;
    } else if (name === 'properties' || name === '$defs' || name === 'definitions') {
      const inner = isRecord(value) ? mapAll(Object.entries(value)) : undefined;
      if (!inner) return undefined;
      entries.push([name, Object.fromEntries(inner)]);
    } else if (name === 'anyOf') {
      const inner = Array.isArray(value) ? mapAll(value.map((item, i) => [String(i), item] as const)) : undefined;
      if (!inner) return undefined;
      entries.push([name, inner.map(([, item]) => item)]);
    } else if (!LEFT_OUT.has(name)) return undefined;
  }
  // The API demands it of every object.
  return isObject ? { ...Object.fromEntries(entries), additionalProperties: false } : Object.fromEntries(entries);
}

function mapAll(entries: readonly (readonly [string, unknown])[]): [string, Schema][] | undefined {
  const mapped = entries.flatMap(([name, value]): [string, Schema][] => {
    const inner = isRecord(value) ? toOutputFormat(value) : undefined;
    return inner ? [[name, inner]] : [];
  });
  return mapped.length === entries.length ? mapped : undefined;
}
