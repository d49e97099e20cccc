/** Turns errors of the SDK into those of the port. */
import { McpError } from '../../port/mcp';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { toPlainText } from '../../utils/plain_text';
import { mcpSdk } from './mcp_sdk';

const MAX_REASON_UNITS = 500;
/** Codes of connections that were never made. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_INVALID_URL']);
/** Statuses with which servers of the older transport refuse the first request. */
const OLD_TRANSPORT = new Set([400, 404, 405]);

interface Conversion {
  signal: AbortSignal;
  redact: (text: string) => string;
}

/** Converts an error. `redact` removes secrets, because a server may repeat them. */
export const toMcpError = (thrown: unknown, conversion: Conversion): McpError =>
  toMcpErrorOf(thrown, { ...conversion, read: error => ({ kind: kindOf(error), text: reasonOf(error) }) });

/** Like toMcpError. `read` knows the errors of an SDK; undefined for another error. */
export function toMcpErrorOf(
  thrown: unknown,
  { signal, redact, read }: Conversion & { read: (error: unknown) => { kind: McpError['kind']; text?: Bilingual } | undefined },
): McpError {
  if (thrown instanceof McpError) return thrown;
  if (signal.aborted) return new McpError('aborted', CANCELLED, { cause: thrown });
  const shown = (text: string) => toPlainText(redact(text)).slice(0, MAX_REASON_UNITS);
  const { kind = systemKindOf(thrown), text = systemReasonOf(thrown) } = read(thrown) ?? {};
  return new McpError(kind, inBoth(shown(text.en), shown(text['zh-CN'])), { cause: thrown });
}

const CANCELLED = inBoth('The request was cancelled.', '请求已取消。');

/** Returns true when the server may speak the older transport only. */
export const asksForOldTransport = (thrown: unknown): boolean =>
  thrown instanceof mcpSdk().StreamableHTTPError && thrown.code !== undefined && OLD_TRANSPORT.has(thrown.code);

/** Returns true when no further request on this HTTP connection can succeed: the server is away or has forgotten the session. */
export function isConnectionGone(thrown: unknown): boolean {
  if (thrown instanceof mcpSdk().StreamableHTTPError) return thrown.code === 404;
  return thrown instanceof TypeError;
}

function kindOf(thrown: unknown): McpError['kind'] {
  if (thrown instanceof mcpSdk().McpError) return thrown.code === mcpSdk().ErrorCode.ConnectionClosed ? 'lost' : 'refused';
  if (thrown instanceof mcpSdk().StreamableHTTPError)
    return thrown.code !== undefined && thrown.code >= 400 && thrown.code < 500 ? 'unsent' : 'lost';
  return systemKindOf(thrown);
}

const systemKindOf = (thrown: unknown): McpError['kind'] => (NEVER_CONNECTED.has(codeOf(thrown) ?? '') ? 'unsent' : 'lost');

/** The words of a server, or of the SDK, stand in both languages as they are. */
function reasonOf(thrown: unknown): Bilingual {
  if (thrown instanceof mcpSdk().StreamableHTTPError) {
    const words = thrown.message.replace(/^Streamable HTTP error: /, '');
    return inBoth(`HTTP ${thrown.code ?? ''}: ${words}`, `HTTP ${thrown.code ?? ''}：“${words}”。`);
  }
  return systemReasonOf(thrown);
}

function systemReasonOf(thrown: unknown): Bilingual {
  const code = codeOf(thrown);
  if (code !== undefined) return inBoth(`The server cannot be reached (${code}).`, `无法连接服务器（${code}）。`);
  const message = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/^MCP error -?\d+: /, '');
  return inBoth(message, `“${message}”。`);
}

/** `fetch` puts the error code of the system into `cause`. */
function codeOf(thrown: unknown): string | undefined {
  const { code } = ((thrown as Error | undefined)?.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
