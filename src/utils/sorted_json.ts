/** JSON text in which the order of keys makes no difference; empty for what JSON cannot say. */
export const sortedJson = (value: unknown): string => JSON.stringify(value, sortKeys) ?? '';

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
