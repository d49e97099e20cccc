/** About how much memory a value of JSON takes: the lengths of its strings and a little for each part. Costs one walk over it. */
export function estimateSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 16;
  for (const part of Object.values(value)) sum += estimateSize(part);
  return sum;
}
