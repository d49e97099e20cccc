/** Refuses query parameters that a route does not know: a misspelled one would be lost without a word. */
import type { ParsedUrlQuery } from 'node:querystring';
import { isOpenAiPath } from '../controller/openai/openai_error';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';

/** Parameters that clients of OpenAI's wire add to every request: those for Azure, for Anthropic, and Codex. */
const OPENAI_CLIENTS = ['api-version', 'beta', 'client_version'];
/** Parameters of reads and lists that OpenAI's and Anthropic's own clients know. */
const OPENAI_READS = ['limit', 'after', 'before', 'order', 'after_id', 'before_id', 'include', 'include[]', 'include_obfuscation'];

/** Throws `invalid_request`, which names the parameter and those that the route knows. Parameters of OpenAI's clients without a meaning here are ignored. */
export function assertKnownQuery(row: RouteRow, given: ParsedUrlQuery): void {
  const names = Object.keys(given);
  if (names.length === 0 || row.takesAnyQuery) return;
  const known = Object.keys(row.query?.properties ?? {});
  const ignored = ignoredBy(row);
  const unknown = names.find(name => !known.includes(name) && !ignored.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
}

function ignoredBy({ method, path }: RouteRow): readonly string[] {
  if (!isOpenAiPath(path)) return [];
  return method === 'get' ? [...OPENAI_CLIENTS, ...OPENAI_READS] : OPENAI_CLIENTS;
}

function unknownParameter(unknown: string, known: string[]): AppError {
  const param = `/${unknown.slice(0, 100)}`;
  const names = known.join(', ');
  return new AppError('invalid_request', {
    param,
    message: `${param}: there is no such query parameter. ${known.length === 0 ? 'This route takes none.' : `This route takes ${names}.`}`,
    messageZh: `${param}：没有这个查询参数。${known.length === 0 ? '此路由不接受查询参数。' : `此路由接受 ${names}。`}`,
  });
}
