/** The subset of JSON Schema to which the Responses API holds an answer strictly (developers.openai.com, "Structured model outputs"). */
import { isRecord } from '../openai/json_value';

/** Keywords of the subset whose values are no schemas. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'required', 'additionalProperties', 'enum', 'const', 'title', 'description', '$ref', 'pattern'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);
const FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** Keywords whose values are schemas by name. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

/** Returns true when the API takes the schema with `strict`; it refuses others, and follows them only roughly without `strict`. */
export const isStrictSchema = (schema: Readonly<Record<string, unknown>>): boolean => schema['type'] === 'object' && isInSubset(schema);

function isInSubset(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (!isClosed(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (SCHEMA_MAPS.has(keyword)) return isRecord(value) && Object.values(value).every(isInSubset);
    if (keyword === 'anyOf') return Array.isArray(value) && value.every(isInSubset);
    if (keyword === 'items') return isInSubset(value);
    if (keyword === 'format') return FORMATS.has(value);
    return PLAIN_KEYWORDS.has(keyword);
  });
}

/** Every object names all its fields and demands each of them. */
function isClosed({ type, properties = {}, required = [], additionalProperties }: Record<string, unknown>): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject) return true;
  if (additionalProperties !== false || !isRecord(properties) || !Array.isArray(required)) return false;
  return Object.keys(properties).every(name => required.includes(name));
}
