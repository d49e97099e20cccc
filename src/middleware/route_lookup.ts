/** Finds the row of the route that serves a request, and the methods of its path. */
import type { RouteRow } from '../controller/route';
import { ROUTES } from '../routes';

interface KnownPath {
  /** Pattern of the path. Absent for a path without parameters. */
  pattern?: RegExp;
  /** Method in capitals -> row. */
  rows: Map<string, RouteRow>;
}

/** Path in lower case -> what it serves. The router ignores case, and so does every look-up here. */
const FIXED_PATHS = new Map<string, KnownPath>();
const PATTERNS: KnownPath[] = [];

for (const [path, rows] of Object.entries(Object.groupBy(ROUTES, row => row.path))) {
  const known = { rows: new Map((rows ?? []).map(row => [row.method.toUpperCase(), row])) };
  if (path.includes(':')) PATTERNS.push({ ...known, pattern: toPattern(path) });
  else FIXED_PATHS.set(path.toLowerCase(), known);
}

/** `:name` matches one part of a path, `:name(.*)` the rest of it. */
function toPattern(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/:\w+\(\\\.\*\)/g, '.+')
    .replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}$`, 'i');
}

function findPaths(path: string): KnownPath[] {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const fixed = FIXED_PATHS.get(bare.toLowerCase());
  const matching = PATTERNS.filter(({ pattern }) => pattern?.test(bare));
  return fixed ? [fixed, ...matching] : matching;
}

/** Returns the row that serves `method` at `path`; HEAD is served as GET is. */
export function findRoute(method: string, path: string): RouteRow | undefined {
  const served = method === 'HEAD' ? 'GET' : method;
  return findPaths(path)
    .find(({ rows }) => rows.has(served))
    ?.rows.get(served);
}

/** Returns the methods of all routes of a path, in capitals; none for a path without routes. */
export const routeMethods = (path: string): Set<string> => new Set(findPaths(path).flatMap(({ rows }) => [...rows.keys()]));
