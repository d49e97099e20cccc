/** An MCP server over HTTP with the tool `where`, which keeps the trace of each call: that of the message and that of the headers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface TracedCall {
  traceparent: unknown;
  tracestate: unknown;
}

export interface TracedMcpServer {
  readonly url: string;
  readonly calls: readonly { message: TracedCall; headers: TracedCall }[];
  stop(): Promise<void>;
}

const traceIn = ({ traceparent, tracestate }: Partial<TracedCall> = {}): TracedCall => ({ traceparent, tracestate });

/** `answer`: the text of each result. */
export async function startTracedMcpServer(answer = 'here'): Promise<TracedMcpServer> {
  const calls: { message: TracedCall; headers: TracedCall }[] = [];
  const http = createServer(async (request, response) => {
    // Without sessions each request has a server of its own.
    const server = new Server({ name: 'traced', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'where', description: 'Says where it is.', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      calls.push({ message: traceIn(params._meta as Partial<TracedCall>), headers: traceIn(request.headers as Partial<TracedCall>) });
      return { content: [{ type: 'text', text: answer }] };
    });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
