/** Refuses query parameters that a route does not know: a misspelled one would be lost without a word. */
import type { ParsedUrlQuery } from 'node:querystring';
import type { RouteRow } from '../controller/route';
import { type AppError, invalidField } from '../errors';

/** Throws `invalid_request`, which names the parameter and those that the route knows. Those that the row ignores are let through. */
export function assertKnownQuery(row: RouteRow, given: ParsedUrlQuery): void {
  const names = Object.keys(given);
  if (names.length === 0 || row.takesAnyQuery) return;
  const known = Object.keys(row.query?.properties ?? {});
  const unknown = names.find(name => !known.includes(name) && !row.ignoredQuery?.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
}

function unknownParameter(unknown: string, known: string[]): AppError {
  const param = `/${unknown.slice(0, 100)}`;
  const names = known.join(', ');
  return invalidField(
    param,
    `there is no such query parameter. ${known.length === 0 ? 'This route takes none.' : `This route takes ${names}.`}`,
    `没有这个查询参数。${known.length === 0 ? '此路由不接受查询参数。' : `此路由接受 ${names}。`}`,
  );
}
