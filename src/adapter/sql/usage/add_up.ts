/**
 * Adds up rows of the same key, so that one insert meets each row of the table once. Sorts them by their key: two transactions that add to the same
 * rows lock them in one order.
 */
export function addUp<C extends string, Row extends Record<C, number>>(
  rows: readonly Row[],
  keys: readonly (keyof Row)[],
  columns: readonly C[],
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const name = JSON.stringify(keys.map(key => row[key]));
    const sum: Record<C, number> | undefined = sums.get(name);
    if (!sum) sums.set(name, { ...row });
    else for (const column of columns) sum[column] += row[column];
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
