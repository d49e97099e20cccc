/** Returns true for a schema that takes objects, maybe among other types. */
export const isOfObjects = ({ type }: Record<string, unknown>): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'));
