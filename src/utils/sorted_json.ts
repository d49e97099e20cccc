/** Returns JSON text with sorted keys; empty for a value that JSON cannot represent. */
export const sortedJson = (value: unknown): string => JSON.stringify(value, sortKeys) ?? '';

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
