/** Estimates the memory of a JSON value in characters: the lengths of its strings and a constant for each part. O(size of the value). */
export function estimateSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 16;
  for (const part of Object.values(value)) sum += part === undefined ? 0 : estimateSize(part);
  return sum;
}
