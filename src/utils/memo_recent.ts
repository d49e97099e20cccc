/**
 * Returns `compute` with a cache by object identity that keeps only the newest values. `maxLength` limits the sum of their lengths; at the limit the
 * older half goes. For many small values that are asked for at about the same time, and whose objects live longer.
 */
export function memoRecent<K extends object, V extends { readonly length: number }>(
  compute: (key: K) => V,
  maxLength: number,
): (key: K) => V {
  let recent = new Map<K, V>();
  let older = new Map<K, V>();
  let length = 0;
  return key => {
    const known = recent.get(key) ?? older.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    length += value.length;
    if (length > maxLength / 2) {
      older = recent;
      recent = new Map();
      length = value.length;
    }
    recent.set(key, value);
    return value;
  };
}
