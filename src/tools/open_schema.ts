/** Reads a foreign JSON Schema: follows references inside it, merges `allOf`, and turns forms of older drafts into those of today. */

export type JsonObject = Record<string, unknown>;

/** A schema without `$ref` and `allOf` at its top. `refs`: the references that led to it, so that a recursive one is seen. */
export interface OpenedSchema {
  schema: JsonObject;
  refs: readonly string[];
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter(item => typeof item === 'string'))] : [];

const MAX_REFS = 32;

/** Returns undefined for a schema that nothing matches. A recursive reference becomes a schema of the same type without its parts. */
export function openSchema(schema: unknown, root: JsonObject, refs: readonly string[] = []): OpenedSchema | undefined {
  if (schema === false) return undefined;
  let opened: OpenedSchema = { schema: isObject(schema) ? toModern(schema) : {}, refs };
  const { $ref: ref, allOf, ...rest } = opened.schema;
  if (typeof ref === 'string') {
    const target = findTarget(root, ref);
    if (refs.includes(ref) || refs.length >= MAX_REFS) return { schema: { ...withoutParts(target), ...withoutParts(rest) }, refs };
    const inner = openSchema(target ?? {}, root, [...refs, ref]);
    if (!inner) return undefined;
    opened = { schema: { ...inner.schema, ...rest }, refs: inner.refs };
  } else opened = { schema: rest, refs };
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const inner = openSchema(part, root, opened.refs);
    if (!inner) return undefined;
    opened = { schema: merge(opened.schema, inner.schema), refs: inner.refs };
  }
  return opened;
}

/** Draft 4 had a boolean `exclusiveMinimum` and an `id`, draft 3 a boolean `required` at the property. Returns most schemas unchanged. */
export function toModern(schema: JsonObject): JsonObject {
  const { id, exclusiveMinimum, exclusiveMaximum, required, properties } = schema;
  const isOld = typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean' || typeof required === 'boolean';
  const named = isObject(properties) ? Object.keys(properties).filter(name => isRequired(properties[name])) : [];
  if (!isOld && named.length === 0 && typeof id !== 'string') return schema;
  const modern = { ...schema };
  for (const [exclusive, bound] of BOUNDS) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    if (modern[exclusive] && typeof modern[bound] === 'number') {
      modern[exclusive] = modern[bound];
      delete modern[bound];
    } else delete modern[exclusive];
  }
  if (typeof id === 'string') delete modern['id'];
  if (typeof required === 'boolean') delete modern['required'];
  if (named.length > 0) modern['required'] = [...new Set([...textsOf(required), ...named])];
  return modern;
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

const isRequired = (property: unknown): boolean => isObject(property) && property['required'] === true;

/** Merges two schemas that both apply. The first one's texts and the second one's rules win. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...first, ...second };
  for (const name of ['title', 'description', 'default']) if (name in first) merged[name] = first[name];
  const required = [...new Set([...textsOf(first['required']), ...textsOf(second['required'])])];
  if (required.length > 0) merged['required'] = required;
  if (isObject(first['properties']) && isObject(second['properties']))
    merged['properties'] = mergeProperties([first['properties'], second['properties']], 'allOf');
  return merged;
}

/** Merges maps of properties; different schemas of one name are joined by `how`. */
export function mergeProperties(maps: readonly JsonObject[], how: 'allOf' | 'anyOf'): JsonObject {
  const forms = new Map<string, Map<string, unknown>>();
  for (const map of maps) {
    for (const [name, schema] of Object.entries(map)) {
      const known = forms.get(name) ?? new Map<string, unknown>();
      forms.set(name, known.set(JSON.stringify(schema), schema));
    }
  }
  return Object.fromEntries(
    [...forms].map(([name, known]) => [name, known.size === 1 ? [...known.values()][0] : { [how]: [...known.values()] }]),
  );
}

/** Finds what a JSON pointer inside the schema names; undefined for any other address. */
function findTarget(root: JsonObject, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = unescapePart(part);
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** Keeps the texts of a schema and drops its parts. */
function withoutParts(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const { type = 'properties' in schema ? 'object' : undefined, title, description } = schema;
  return Object.fromEntries(Object.entries({ type, title, description }).filter(([, value]) => value !== undefined));
}
