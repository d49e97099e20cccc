/** An MCP server over HTTP that speaks 2026-07-28 alone: it has no sessions and refuses the handshake of older versions. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, inputResponse, Server } from '@modelcontextprotocol/server';

export interface StatelessMcpServer {
  readonly url: string;
  /** Method of each message with the right secret, oldest first. */
  readonly seen: string[];
  /** Takes a tool into its list, and tells who listens. */
  addTool(name: string): void;
  /** The header Mcp-Param-Region of each call that has one, oldest first. */
  readonly regions: string[];
  /** Resolves with the id of the task that was cancelled. */
  readonly cancelled: Promise<string>;
  /** Resolves when a call of the tool `hang` has lost its client. */
  readonly left: Promise<void>;
  stop(): Promise<void>;
}

const FORM = {
  message: 'Which colour do you want?',
  requestedSchema: { type: 'object' as const, properties: { colour: { type: 'string' as const } }, required: ['colour'] },
};

/** Entries that are not as the protocol says: without a schema, without a name, and with a header whose name is none. */
const region = (name: string) => ({ type: 'object' as const, properties: { region: { type: 'string', 'x-mcp-header': name } } });
const MALFORMED = [
  { name: 'broken', inputSchema: 'none' as never },
  { inputSchema: { type: 'object' as const } } as never,
  { name: 'misrouted', inputSchema: region('no name') },
];

const TIME = '2026-07-28T00:00:00.000Z';
const ANY = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };

const toTool = (name: string) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: name === 'route' ? region('Region') : { type: 'object' as const },
  _meta: name === 'where' ? { ui: { resourceUri: 'ui://where' } } : undefined,
});

/**
 * Tools: `where` answers and has an app, `paint` asks for a colour first, `hang` never answers, `fail` is an error. `later`
 * and `endless` answer with tasks: one asks for a colour and ends, the other never ends. `route` sends its region as a header too.
 */
export async function startStatelessServer(secret?: string): Promise<StatelessMcpServer> {
  const seen: StatelessMcpServer['seen'] = [];
  const names = ['where', 'paint', 'hang', 'fail', 'route', 'later', 'endless'];
  const regions: string[] = [];
  const cancelled = Promise.withResolvers<string>();
  /** How often the state of a task was read since its last change. */
  const reads = new Map<string, number>();
  const colours = new Map<string, unknown>();
  const taskOf = (taskId: string, rest: object) => ({
    taskId,
    createdAt: TIME,
    lastUpdatedAt: TIME,
    ttlMs: null,
    pollIntervalMs: 100,
    ...rest,
  });
  const left = Promise.withResolvers<void>();
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: 'stateless', version: '3.1' }, { capabilities: { tools: { listChanged: true }, resources: {} } });
      server.setRequestHandler('tools/list', () => ({
        tools: [...names.map(toTool), ...MALFORMED],
      }));
      server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
        contents: [{ uri, mimeType: 'text/html; profile=mcp-app', text: '<p>The app.</p>' }],
      }));
      server.setRequestHandler('tools/call', async ({ params: { name } }, { mcpReq }) => {
        if (name === 'fail') throw new Error('it does not work');
        if (name === 'hang') {
          mcpReq.signal.addEventListener('abort', () => left.resolve());
          await new Promise(() => {});
        }
        // The types of the SDK know no tasks.
        if (name === 'later' || name === 'endless')
          return { resultType: 'task', content: [], ...taskOf(`task-${name}`, { status: 'working' }) } as never;
        if (name !== 'paint') return { content: [{ type: 'text', text: 'here' }] };
        const given = inputResponse(mcpReq.inputResponses, 'colour');
        if (given.kind === 'missing')
          return inputRequired({ inputRequests: { colour: inputRequired.elicit(FORM) }, requestState: 'painting' });
        return { content: [{ type: 'text', text: `${mcpReq.requestState<string>()}: ${JSON.stringify(given)}` }] };
      });
      server.setRequestHandler('tasks/get', { params: ANY }, params => {
        const { taskId } = params as { taskId: string };
        const count = (reads.get(taskId) ?? 0) + 1;
        reads.set(taskId, count);
        if (taskId === 'task-endless' || count === 1) return taskOf(taskId, { status: 'working' });
        const colour = colours.get(taskId);
        if (colour === undefined)
          return taskOf(taskId, { status: 'input_required', inputRequests: { colour: { method: 'elicitation/create', params: FORM } } });
        return taskOf(taskId, { status: 'completed', result: { content: [{ type: 'text', text: `later: ${JSON.stringify(colour)}` }] } });
      });
      server.setRequestHandler('tasks/update', { params: ANY }, (params, { mcpReq }) => {
        colours.set((params as { taskId: string }).taskId, mcpReq.inputResponses?.['colour']);
        return {};
      });
      server.setRequestHandler('tasks/cancel', { params: ANY }, params => {
        cancelled.resolve((params as { taskId: string }).taskId);
        return {};
      });
      return server;
    },
    { legacy: 'reject' },
  );
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (secret !== undefined && request.headers.authorization !== `Bearer ${secret}`) return void response.writeHead(401).end();
    seen.push(text ? JSON.parse(text).method : request.method);
    const { 'mcp-param-region': sent } = request.headers;
    if (sent !== undefined) regions.push(String(sent));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = 'GET' } = request;
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, { method, headers, body: text || null, signal: gone.signal }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
    else response.end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    seen,
    regions,
    cancelled: cancelled.promise,
    left: left.promise,
    addTool(name) {
      names.push(name);
      handler.notify.toolsChanged();
    },
    async stop() {
      await handler.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
