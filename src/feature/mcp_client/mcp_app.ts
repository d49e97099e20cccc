/** Reads the page of an app (MCP Apps, SEP-1865): a resource of a server that shows the calls of a tool. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import { type McpConnection, McpError, type McpResource } from '../../port/mcp';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { noAnswerWithin } from './absence';
import { withLimit } from './with_limit';

const READ_LIMIT_MS = 30_000;
const MAX_APP_BYTES = 4 * 1024 * 1024;
const APP_TYPE = 'text/html;profile=mcp-app';

export interface AppSource {
  server: string;
  /** A tool of the server that the operator allows names this address. */
  isNamed: boolean;
  connection: McpConnection | undefined;
  clock: Clock;
}

/** Resolves with the HTML. Rejects with `not_found`, which says why the page cannot be shown. */
export async function readApp(uri: string, { server, isNamed, connection, clock }: AppSource): Promise<string> {
  if (!isNamed) throw unreadable(server, inBoth('None of its tools names this app.', '它的工具都没有指定这个应用。'));
  if (!connection) throw unreadable(server, inBoth('It is not connected now. Try again later.', '它目前未连接，请稍后再试。'));
  const limit = withLimit(clock, READ_LIMIT_MS);
  try {
    const html = htmlOf(await connection.readResource(uri, limit.signal));
    if (typeof html !== 'string') throw unreadable(server, html);
    return connection.redact(html);
  } catch (thrown) {
    if (!(thrown instanceof McpError)) throw thrown;
    throw unreadable(server, limit.isOver ? noAnswerWithin(READ_LIMIT_MS / 1_000) : thrown.text, thrown);
  } finally {
    limit.stop();
  }
}

/** Returns the page, or says why there is none. */
function htmlOf(parts: readonly McpResource[]): string | Bilingual {
  const part = parts.find(({ mimeType = '' }) => mimeType.toLowerCase().replace(/\s/g, '') === APP_TYPE);
  if (!part) return inBoth(`It sent no resource of the type ${APP_TYPE}.`, `它没有返回类型为 ${APP_TYPE} 的资源。`);
  const html = part.text ?? Buffer.from(part.base64 ?? '', 'base64').toString();
  if (Buffer.byteLength(html) <= MAX_APP_BYTES) return html;
  const size = `${MAX_APP_BYTES / 1024 / 1024} MiB`;
  return inBoth(`The app is larger than ${size}.`, `应用超过 ${size}。`);
}

const unreadable = (server: string, reason: Bilingual, cause?: unknown): AppError =>
  new AppError('not_found', {
    message: `The app of the MCP server ${server} cannot be read. ${reason.en}`,
    messageZh: `无法读取 MCP 服务器 ${server} 的应用。${reason['zh-CN']}`,
    cause,
  });
