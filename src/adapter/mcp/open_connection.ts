/** Opens connections. */
import { pathToFileURL } from 'node:url';
import { type McpConnection, McpError, type McpHandlers, type McpTarget } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';
import { createRedactor, formsOf } from '../redact';
import { ClientConnection, type ClientOptions } from './client_connection';
import { asksForOldTransport, toMcpError } from './client_errors';
import { createHttpTransport, createSseTransport, type Fetch, type HttpTarget } from './http_transport';
import { ServerProcess, type ServerSurroundings } from './server_process';
import { StatelessConnection } from './stateless_connection';
import { type Discovery, discoverStateless } from './stateless_probe';
import { StderrLines } from './stderr_lines';
import { StdioTransport } from './stdio_transport';

const CLOSED = inBoth('It closed the connection.', '它关闭了连接。');
const SERVER_CLOSED = inBoth('The server closed the connection.', '服务器关闭了连接。');

/** `fetch`: sends the requests to a server over HTTP. */
type Shared = Pick<ClientOptions, 'handlers' | 'redact'> & { fetch?: Fetch | undefined };

interface OpenOptions {
  handlers: McpHandlers;
  signal: AbortSignal;
  fetch?: Fetch | undefined;
  /** Removes the secrets that are known now, such as tokens that were refreshed since. */
  redact: (text: string) => string;
}

/** Connects to a server. Rejects with an McpError. */
export async function openConnection(
  target: McpTarget,
  { handlers, signal, fetch, redact: redactKnown }: OpenOptions,
  options: ServerSurroundings,
): Promise<McpConnection> {
  const redactOwn = createRedactor(target.secrets.flatMap(formsOf));
  const redact = (text: string) => redactOwn(redactKnown(text));
  const shared = { handlers, redact, fetch };
  try {
    if (target.kind === 'stdio') return await openStdio(target, signal, { shared, options });
    return await openHttp(target, signal, shared);
  } catch (thrown) {
    throw toMcpError(thrown, { signal, redact });
  }
}

async function openStdio(
  target: Extract<McpTarget, { kind: 'stdio' }>,
  signal: AbortSignal,
  { shared, options }: { shared: Shared; options: ServerSurroundings },
): Promise<McpConnection> {
  const server = await ServerProcess.start(target, options);
  const lines = new StderrLines({ redact: shared.redact, onLine: shared.handlers.onStderr, now: () => performance.now() });
  lines.read(server.child.stderr);
  const transport = new StdioTransport(server, line => lines.add(line));
  const closeReason = () => {
    const { en, 'zh-CN': zhCN } = server.reason ?? CLOSED;
    const { lastLine } = lines;
    return lastLine ? inBoth(`${en} It wrote: ${lastLine}`, `${zhCN}它输出了：“${lastLine}”。`) : inBoth(en, zhCN);
  };
  const connection = new ClientConnection({
    ...shared,
    kind: 'stdio',
    transport,
    rootUri: pathToFileURL(options.workspace).href,
    closeReason,
  });
  try {
    await connection.open(signal);
    return connection;
  } catch (thrown) {
    // Read the reason first: stopping ends the process too.
    const reason = server.reason;
    await connection.close();
    await server.stop();
    throw reason === undefined ? thrown : new McpError('lost', closeReason(), { cause: thrown });
  }
}

async function openHttp(target: HttpTarget, signal: AbortSignal, shared: Shared): Promise<McpConnection> {
  const closeReason = () => SERVER_CLOSED;
  const open = async (options: Pick<ClientOptions, 'kind' | 'transport'>): Promise<McpConnection> => {
    const connection = new ClientConnection({ ...shared, ...options, closeReason });
    try {
      await connection.open(signal);
      return connection;
    } catch (thrown) {
      await connection.close();
      throw thrown;
    }
  };
  // The newest version first: its servers may refuse the handshake of the older ones in any way.
  const discovery = await discoverStateless(target, signal, shared.fetch);
  if (discovery) return openStateless(target, discovery, shared);
  try {
    return await open({ kind: 'http', transport: createHttpTransport(target, shared.fetch) });
  } catch (thrown) {
    if (signal.aborted || !asksForOldTransport(thrown)) throw thrown;
    return await open({ kind: 'sse', transport: createSseTransport(target, shared.fetch) }).catch(() => {
      // Throws the first refusal, which says more about the address than the second.
      throw thrown;
    });
  }
}

async function openStateless(target: HttpTarget, discovery: Discovery, shared: Shared): Promise<McpConnection> {
  const connection = new StatelessConnection({ ...shared, target });
  try {
    await connection.open(discovery);
    return connection;
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
}
