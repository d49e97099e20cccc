/** Freezes a value and everything that it contains, cycles included. Returns the same value. */
export function deepFreeze<T>(value: T, seen: WeakSet<object> = new WeakSet()): T {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part, seen);
  return value;
}
