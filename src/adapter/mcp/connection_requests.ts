/** Names the server, reads its tools and ends requests, for connections of every version of the protocol. */
import { type McpConnection, McpError, type McpToolList } from '../../port/mcp';
import { decodeTool } from './decode_results';

type JsonObject = Record<string, unknown>;

/** The caller's signal ends a request; the SDK's own limit of a minute would end it too early. */
export const NO_TIMEOUT = 2 ** 31 - 1;
const MAX_TOOLS = 500;
const MAX_PAGES = 50;
const MAX_NAME_UNITS = 100;

/** Accepts everything: the gateway checks arguments itself and takes results as data, so no schema of a server is compiled. */
export const NO_SCHEMA_CHECK = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};

/** The extensions that the gateway names to servers: the chat page shows pages of tools (MCP Apps, SEP-1865). */
export const APP_SUPPORT = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

/** The list of a server that says that it has no tools. */
export const NO_TOOLS: McpToolList = { tools: [], isCut: false, unnamed: 0 };

/** Returns what a server calls itself, clipped. */
export function serverNameOf(given: { name: string; version: string } | undefined): McpConnection['server'] {
  const { name = '', version = '' } = given ?? {};
  return { name: name.slice(0, MAX_NAME_UNITS), version: version.slice(0, MAX_NAME_UNITS) };
}

/** Reads all pages of a list of tools, up to a limit. `readPage` sends the request `tools/list`. */
export async function readToolList(readPage: (params: { cursor?: string }) => Promise<JsonObject>): Promise<McpToolList> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await readPage(cursor === undefined ? {} : { cursor });
    if (Array.isArray(page['tools'])) entries.push(...page['tools'].slice(0, MAX_TOOLS + 1 - entries.length));
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined;
    pages += 1;
  } while (cursor !== undefined && pages < MAX_PAGES && entries.length <= MAX_TOOLS);
  const isCut = entries.length > MAX_TOOLS || cursor !== undefined;
  const read = entries.slice(0, MAX_TOOLS);
  const tools = read.flatMap(entry => decodeTool(entry) ?? []);
  return { tools, isCut, unnamed: read.length - tools.length };
}

/** Rejects when the server does not answer. A server that refuses to be asked is alive. */
export async function assureAnswer(request: Promise<unknown>): Promise<void> {
  await request.catch((thrown: unknown) => {
    if (!(thrown instanceof McpError) || thrown.kind !== 'refused') throw thrown;
  });
}

/**
 * Runs a request with a signal that aborts with the caller's, until the request has ended: the SDK listens for good, and would cancel a request that
 * has been answered when the caller's signal aborts later.
 */
export async function withOwnSignal<T>(signal: AbortSignal, request: (own: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await request(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
