interface ListQuery {
  /** Names of the filters that the list knows. */
  filters: readonly string[];
  /** What the address of the screen says. */
  query: Readonly<Record<string, string>>;
  cursor: string | undefined;
  /** Fields that each page has, such as its limit. */
  fixed: Readonly<Record<string, string>>;
}

/** Returns the query that reads a page of a list. Filters without a value are left out. */
export function listQuery({ filters, query, cursor, fixed }: ListQuery): URLSearchParams {
  const search = new URLSearchParams(fixed);
  for (const name of filters) if (query[name]) search.set(name, query[name]);
  if (cursor) search.set('cursor', cursor);
  return search;
}
