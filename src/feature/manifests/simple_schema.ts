/** Turns plain JSON Schemas of the usual kind into TypeBox, so that a gateway whose manifests need no more does not load ajv. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox';

type JsonObject = Record<string, unknown>;

/**
 * Keywords that TypeBox checks as JSON Schema does. `pattern` is missing, because only the other validator has the linear engine that patterns need.
 */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
};
/** Texts and values that no check reads. */
const NOTES = ['type', 'title', 'description', 'default', 'examples'];
const BOUNDS_ARE_NUMBERS = /^(?:min|max|exclusive|multiple)/;

/** Returns undefined for a schema that says more than TypeBox can check. */
export function toSimpleSchema(schema: unknown): TSchema | undefined {
  if (!isObject(schema) || typeof schema['type'] !== 'string') return undefined;
  const { type } = schema;
  if (type === 'string' && 'enum' in schema) return toChoice(schema);
  const known = Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type] : undefined;
  if (!known || !Object.entries(schema).every(([key, value]) => isKnown(known, key, value))) return undefined;
  const { properties, required, additionalProperties, items, type: _type, ...options } = schema;
  switch (type) {
    case 'string':
      return Type.String(options);
    case 'integer':
      return Type.Integer(options);
    case 'number':
      return Type.Number(options);
    case 'boolean':
      return Type.Boolean(options);
    case 'array': {
      const item = items === undefined ? Type.Unknown() : toSimpleSchema(items);
      return item && Type.Array(item, options);
    }
    default:
      return toObject({ properties, required, additionalProperties }, options);
  }
}

const isKnown = (known: readonly string[], key: string, value: unknown): boolean =>
  NOTES.includes(key) || (known.includes(key) && (!BOUNDS_ARE_NUMBERS.test(key) || Number.isFinite(value)));

function toChoice({ enum: options, type: _type, ...rest }: JsonObject): TSchema | undefined {
  const isSimple = Object.keys(rest).every(key => NOTES.includes(key));
  if (!isSimple || !Array.isArray(options) || options.length === 0 || !options.every(option => typeof option === 'string'))
    return undefined;
  return Type.Union(
    options.map(option => Type.Literal(option as string)),
    rest,
  );
}

function toObject({ properties = {}, required = [], additionalProperties }: JsonObject, options: SchemaOptions): TSchema | undefined {
  if (!isObject(properties) || additionalProperties !== false) return undefined;
  if (!Array.isArray(required) || !required.every(name => Object.hasOwn(properties, name))) return undefined;
  const parts = Object.entries(properties).map(([name, part]) => [name, toSimpleSchema(part)] as const);
  if (parts.some(([name, part]) => part === undefined || name === '__proto__')) return undefined;
  const optional = ([name, part]: readonly [string, TSchema | undefined]) =>
    [name, required.includes(name) ? part : part && Type.Optional(part)] as const;
  return Type.Object(Object.fromEntries(parts.map(optional)) as Record<string, TSchema>, { ...options, additionalProperties: false });
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
