/** Copies rows of a table inside Postgres, whatever columns the table has. */

/** `changed`: column -> expression, in which `n` counts from 1 to `count`; the other columns are those of the one row that `where` finds. */
export async function copyRows(client, { table, where, count, changed }) {
  const { rows } = await client.query('select column_name as name from information_schema.columns where table_name = $1', [table]);
  const names = rows.map(({ name }) => name);
  const selected = names.map(name => changed[name] ?? name);
  await client.query(
    `insert into ${table} (${names.join(', ')}) select ${selected.join(', ')} from generate_series(1, ${count}) as numbers (n), ${table} where ${where}`,
  );
}
