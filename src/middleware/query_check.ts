/** Refuses query parameters that a route does not know: a misspelled one would be lost without a word. */
import type { ParsedUrlQuery } from 'node:querystring';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';

/** Routes of other protocols, probes and pages are open: their clients add parameters of their own, such as api-version. */
const STRICT = /^\/api\/v1(?:\/|$)/;

/** Throws `invalid_request`, which names the parameter and those that the route knows. */
export function assertKnownQuery({ path, query }: Pick<RouteRow, 'path' | 'query'>, given: ParsedUrlQuery): void {
  if (!STRICT.test(path)) return;
  const known = Object.keys(query?.properties ?? {});
  const unknown = Object.keys(given).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const param = `/${unknown.slice(0, 100)}`;
  const names = known.join(', ');
  throw new AppError('invalid_request', {
    param,
    message: `${param}: there is no such query parameter. ${known.length === 0 ? 'This route takes none.' : `This route takes ${names}.`}`,
    messageZh: `${param}：没有这个查询参数。${known.length === 0 ? '此路由不接受查询参数。' : `此路由接受 ${names}。`}`,
  });
}
