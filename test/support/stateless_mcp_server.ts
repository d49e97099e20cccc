/** An MCP server over HTTP that speaks 2026-07-28 alone: it has no sessions and refuses the handshake of older versions. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, inputResponse, Server } from '@modelcontextprotocol/server';

export interface StatelessMcpServer {
  readonly url: string;
  /** Method of each message, oldest first. */
  readonly seen: string[];
  /** Takes a tool into its list, and tells who listens. */
  addTool(name: string): void;
  /** Resolves when a call of the tool `hang` has lost its client. */
  readonly left: Promise<void>;
  stop(): Promise<void>;
}

const FORM = {
  message: 'Which colour do you want?',
  requestedSchema: { type: 'object' as const, properties: { colour: { type: 'string' as const } }, required: ['colour'] },
};

/** Entries that are not as the protocol says: one without a schema, one without a name. */
const MALFORMED = [{ name: 'broken', inputSchema: 'none' as never }, { inputSchema: { type: 'object' as const } } as never];

const toTool = (name: string) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' as const },
  _meta: name === 'where' ? { ui: { resourceUri: 'ui://where' } } : undefined,
});

/** Tools: `where` answers and has an app, `paint` asks for a colour first, `hang` never answers, `fail` is an error. */
export async function startStatelessServer(secret?: string): Promise<StatelessMcpServer> {
  const seen: StatelessMcpServer['seen'] = [];
  const names = ['where', 'paint', 'hang', 'fail'];
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
        if (name !== 'paint') return { content: [{ type: 'text', text: 'here' }] };
        const given = inputResponse(mcpReq.inputResponses, 'colour');
        if (given.kind === 'missing')
          return inputRequired({ inputRequests: { colour: inputRequired.elicit(FORM) }, requestState: 'painting' });
        return { content: [{ type: 'text', text: `${mcpReq.requestState<string>()}: ${JSON.stringify(given)}` }] };
      });
      return server;
    },
    { legacy: 'reject' },
  );
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    seen.push(text ? JSON.parse(text).method : request.method);
    if (secret !== undefined && request.headers.authorization !== `Bearer ${secret}`) return void response.writeHead(401).end();
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
