/** MCP clients of the gateway's own door that use no session: the client 2.x of the SDK, pinned to the version 2026-07-28. */
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { bearer } from './key_bench';
import type { CallOutcome } from './mcp_client';

export interface StatelessClient {
  readonly client: Client;
  /** The questions that the gateway has put to the person, oldest first. */
  readonly asked: ElicitRequest['params'][];
  /** Header names of each request, in lower case. */
  readonly sent: { method: string; headers: Headers }[];
  call(name: string, args: Record<string, unknown>, options?: Parameters<Client['callTool']>[1]): Promise<CallOutcome>;
  close(): Promise<void>;
}

export interface StatelessClientOptions {
  secret?: string;
  /** Answers questions. Absent: the client does not declare elicitation. */
  onElicitation?: (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  capabilities?: ClientCapabilities;
  headers?: Record<string, string>;
  /** Sends the requests. Default: fetch. */
  fetch?: typeof fetch;
}

/** `url`: the gateway's address. */
export async function connectStateless(url: string, options: StatelessClientOptions = {}): Promise<StatelessClient> {
  const { secret, onElicitation, capabilities = {}, headers = {} } = options;
  const client = new Client(
    { name: 'test-client', version: '2.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { ...capabilities, ...(onElicitation && { elicitation: {} }) },
    },
  );
  const asked: ElicitRequest['params'][] = [];
  if (onElicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return onElicitation(params);
    });
  }
  const sent: StatelessClient['sent'] = [];
  const send = options.fetch ?? fetch;
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { ...(secret !== undefined && bearer(secret)), ...headers } },
    fetch: (input, init) => {
      sent.push({ method: init?.method ?? 'GET', headers: new Headers(init?.headers) });
      return send(input, init);
    },
  });
  await client.connect(transport);
  return {
    client,
    asked,
    sent,
    call: async (name, args, more) => (await client.callTool({ name, arguments: args }, more)) as CallOutcome,
    close: () => client.close(),
  };
}
