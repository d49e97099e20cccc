/** The HTTP transports against servers that stop in the middle of a handshake, send odd values, or watch what the client tells them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toMcpError } from '../../../src/adapter/mcp/client_errors';
import { createMcpConnector } from '../../../src/adapter/mcp/mcp_connector';
import { createKnownSecrets } from '../../../src/adapter/redact';
import type { McpConnection, McpHandlers } from '../../../src/port/mcp';
import { shellLimits } from '../../support/shell_limits';

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown>;
}
type Answer = (message: Message, response: ServerResponse) => void;

const HANDLERS: McpHandlers = {
  onClose: () => {},
  onToolsChange: () => {},
  onElicitation: async () => ({ action: 'decline' }),
  onLateAnswer: () => {},
  onStderr: () => {},
  onLoginNeeded: () => {},
};
const NO_LOGIN = { id: 'none', read: async () => undefined, write: async () => {}, change: async () => {} };
const NEVER = new AbortController().signal;

let server: Server | undefined;
let connection: McpConnection | undefined;

afterEach(async () => {
  await connection?.close();
  server?.closeAllConnections();
  server?.close();
  connection = undefined;
  server = undefined;
});

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const reply = (response: ServerResponse, id: number | undefined, result: unknown): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' })
    .end(typeof result === 'string' ? `{"jsonrpc":"2.0","id":${id},"result":${result}}` : JSON.stringify({ jsonrpc: '2.0', id, result }));

/** A server over streamable HTTP. Returns its address and what it received: methods of HTTP or of messages, with the request that is cancelled. */
async function startServer(answer: Answer = () => {}): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const url = await listen((request, response) => {
    if (request.method !== 'POST') {
      seen.push(`${request.method} ${request.headers['mcp-session-id']}`);
      return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    }
    void readText(request).then(text => {
      const message = JSON.parse(text) as Message;
      const { id, method, params } = message;
      seen.push(method === 'notifications/cancelled' ? `${method} ${params?.['requestId']}` : method);
      if (method === 'initialize') {
        const { protocolVersion } = params ?? {};
        return reply(response, id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } });
      }
      answer(message, response);
      if (id === undefined && !response.writableEnded) response.writeHead(202).end();
    });
  });
  return { url, seen };
}

const connector = createMcpConnector({
  workspace: '/tmp',
  directory: '/tmp',
  environment: {},
  limits: shellLimits(),
  owner: 'test',
  recordCaller: () => () => {},
  redactor: createKnownSecrets(),
  allow: [],
});
const connect = async (url: string, signal = NEVER, secrets: string[] = []): Promise<McpConnection> => {
  connection = await connector.connect({ kind: 'http', url, headers: {}, secrets }, HANDLERS, { signal, keeper: NO_LOGIN });
  return connection;
};

describe('an attempt ends at its limit', () => {
  it('when the server leaves the first notification without an answer', async () => {
    const limit = new AbortController();
    const url = await listen((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      void readText(request).then(text => {
        const { id, method, params } = JSON.parse(text) as Message;
        if (method !== 'initialize') return limit.abort();
        const { protocolVersion } = params ?? {};
        reply(response, id, { protocolVersion, capabilities: {}, serverInfo: { name: 'test', version: '1' } });
      });
    });
    await expect(connect(url, limit.signal)).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('when a server of the older transport opens its stream and says nothing', async () => {
    const limit = new AbortController();
    const url = await listen((request, response) => {
      if (request.method === 'POST') return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': no endpoint\n\n', () => limit.abort());
    });
    await expect(connect(url, limit.signal)).rejects.toMatchObject({ kind: 'aborted' });
  });
});

it('a close ends the session of the server once', async () => {
  const { url, seen } = await startServer();
  await (await connect(url)).close();
  await connection?.close();
  expect(seen.filter(method => method.startsWith('DELETE'))).toEqual(['DELETE session-1']);
});

it('a close does not wait for a server that leaves DELETE without an answer', async () => {
  const { url } = await startServer();
  const open = await connect(url);
  server?.removeAllListeners('request');
  server?.on('request', () => {});
  const started = performance.now();
  await open.close();
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('a call that is cancelled is cancelled at the server, and a call that was answered is not', async () => {
  const stop = new AbortController();
  const { url, seen } = await startServer(({ id, method, params }, response) => {
    if (method === 'ping') return reply(response, id, {});
    if (method !== 'tools/call') return;
    if (params?.['name'] === 'quick') return reply(response, id, { content: [{ type: 'text', text: 'done' }] });
    stop.abort();
  });
  const open = await connect(url);
  const options = { signal: stop.signal, onProgress: () => {}, key: {} };
  await open.callTool('quick', {}, options);
  await expect(open.callTool('slow', {}, options)).rejects.toMatchObject({ kind: 'aborted' });
  const cancellations = () => seen.filter(method => method.startsWith('notifications/cancelled'));
  const deadline = performance.now() + 5_000;
  while (cancellations().length === 0 && performance.now() < deadline) await open.ping(NEVER);
  expect(cancellations()).toEqual(['notifications/cancelled 2']);
});

it('a tool with a schema of endless depth does not spoil the others', async () => {
  const depth = 20_000;
  const deep = `${'{"properties":'.repeat(depth)}{}${'}'.repeat(depth)}`;
  const tools = `{"tools":[{"name":"deep","inputSchema":${deep}},{"name":"fine","inputSchema":{"type":"object"}}]}`;
  const { url } = await startServer(({ id, method }, response) => {
    if (method === 'tools/list') reply(response, id, tools);
  });
  const list = await (await connect(url)).listTools(NEVER);
  expect(list.tools).toEqual([{ name: 'deep' }, { name: 'fine', inputSchema: { type: 'object' } }]);
});

it('a secret of several lines is found in JSON, and each of its lines in a log', async () => {
  const secret = '-----BEGIN KEY-----\nMIIEvQIBADANBg "quoted"\n-----END KEY-----\n';
  const open = await connect((await startServer()).url, NEVER, [secret]);
  expect(open.redact(JSON.stringify({ env: secret }))).toBe('{"env":"[redacted]"}');
  expect(open.redact('line 2: MIIEvQIBADANBg "quoted"')).toBe('line 2: [redacted]');
});

it('quotes the words of the SDK and of the server in Chinese, and says what it knows itself', async () => {
  const textOf = (thrown: unknown) => toMcpError(thrown, { signal: NEVER, redact: text => text.replace('s3cret', '***') }).text['zh-CN'];
  const away = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  expect([textOf(away), textOf(new Error('MCP error -32602: no s3cret'))]).toEqual(['无法连接服务器（ECONNREFUSED）。', '“no ***”。']);
});
