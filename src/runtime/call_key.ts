/** Two calls are the same when tool and arguments are, in whatever order the arguments stand. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args, sortKeys) ?? ''}`;
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
