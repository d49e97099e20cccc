/** An MCP server over HTTP whose tool `show_weather` names an app (MCP Apps). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

export const APP_URI = 'ui://weather/card.html';
const APP_TYPE = 'text/html;profile=mcp-app';

export interface AppMcpServer {
  readonly url: string;
  /** Capabilities of each client that has connected. */
  readonly capabilities: Record<string, unknown>[];
  stop(): Promise<void>;
}

const tool = (name: string, ui?: object, more: object = {}) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' as const, properties: { city: { type: 'string' } } },
  _meta: { ...(ui && { ui }), ...more },
});

const TOOLS = [
  tool('show_weather', { resourceUri: APP_URI }),
  tool('old_form', undefined, { 'ui/resourceUri': APP_URI }),
  tool('plain'),
  tool('wrong_type', { resourceUri: 'ui://weather/plain.html' }),
  tool('too_large', { resourceUri: 'ui://weather/large.html' }),
  tool('file', { resourceUri: 'file:///etc/passwd' }),
  tool('refresh_app', { resourceUri: APP_URI, visibility: ['app'] }),
];

const LARGE = 'x'.repeat(4 * 1024 * 1024 + 1);

/** `html`: the page of the app. */
export async function startAppServer(html: string): Promise<AppMcpServer> {
  const capabilities: Record<string, unknown>[] = [];
  const pageOf = (uri: string) => (uri.endsWith('large.html') ? LARGE : html);
  const http = createServer(async (request, response) => {
    // Without sessions each request has a server of its own.
    const server = new Server({ name: 'weather', version: '1' }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler(InitializeRequestSchema, ({ params }) => {
      capabilities.push(params.capabilities);
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'weather', version: '1' },
      };
    });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
      contents: [{ uri, mimeType: uri.endsWith('plain.html') ? 'text/html' : APP_TYPE, text: pageOf(uri) }],
    }));
    server.setRequestHandler(CallToolRequestSchema, () => ({
      content: [{ type: 'text', text: 'It is 21 degrees.' }],
      structuredContent: { degrees: 21 },
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    capabilities,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
