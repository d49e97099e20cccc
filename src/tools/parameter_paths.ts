import { isObject, type JsonObject } from './open_schema';

/** Keywords whose schemas are about the same parameter, or about the items of it. */
const PARTS = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'] as const;
/** Schemas of tools are at most this deep. */
const MAX_DEPTH = 64;

/**
 * Returns each parameter in a schema with its name as in ToolTranslation: `todos`, and `todos.id` for the id of each item of `todos`. Several
 * alternatives of a union can have a parameter of the same name.
 */
export function parametersIn(schema: unknown, parent = '', depth = 0): [path: string, schema: JsonObject][] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(schema)) return schema.flatMap(part => parametersIn(part, parent, depth + 1));
  if (!isObject(schema)) return [];
  const { properties } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]): [string, JsonObject][] => {
    const path = parent === '' ? name : `${parent}.${name}`;
    return isObject(property) ? [[path, property], ...parametersIn(property, path, depth + 1)] : [];
  });
  return [...own, ...PARTS.flatMap(key => parametersIn(schema[key], parent, depth + 1))];
}
