/** MCP clients of the gateway's own door: the client of the SDK over streamable HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { bearer } from './key_bench';

const RECONNECTION = { maxRetries: 20, initialReconnectionDelay: 50, maxReconnectionDelay: 500, reconnectionDelayGrowFactor: 1.5 };
/** The client forgets all but one of its timers, which would outlive a test. */
const NO_RECONNECTION = { maxRetries: 0, initialReconnectionDelay: 0, maxReconnectionDelay: 0, reconnectionDelayGrowFactor: 1 };

export interface McpDoorClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The questions that the gateway has put to the person, oldest first. */
  readonly asked: ElicitRequest['params'][];
  /** Resolves when the gateway has said that the list of tools has changed. */
  toolsChanged: Promise<void>;
  close(): Promise<void>;
}

export interface McpDoorClientOptions {
  secret?: string;
  /** Answers questions. Absent: the client does not declare elicitation. */
  onElicitation?: (params: ElicitRequest['params'], signal: AbortSignal) => ElicitResult | Promise<ElicitResult>;
  headers?: Record<string, string>;
  /** Comes back for the answers of broken streams. */
  reconnects?: boolean;
  /** Sends the requests. Default: fetch. */
  fetch?: typeof fetch;
}

/** `url`: the gateway's address. */
export async function connectMcp(
  url: string,
  { secret, onElicitation, headers = {}, reconnects = false, fetch }: McpDoorClientOptions = {},
): Promise<McpDoorClient> {
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities: onElicitation ? { elicitation: {} } : {} });
  const asked: ElicitRequest['params'][] = [];
  if (onElicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      asked.push(params);
      return onElicitation(params, signal);
    });
  }
  const toolsChanged = new Promise<void>(resolve => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()));
  const requestInit = { headers: { ...(secret !== undefined && bearer(secret)), ...headers } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit,
    reconnectionOptions: reconnects ? RECONNECTION : NO_RECONNECTION,
    fetch,
  });
  // The types of the SDK do not follow exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  return { client, transport, asked, toolsChanged, close: () => client.close() };
}

/** The parts of a tool result that tests read. */
export interface CallOutcome {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** Calls a tool and resolves with its result. */
export const callTool = async (
  { client }: McpDoorClient,
  name: string,
  args: Record<string, unknown>,
  options: Parameters<Client['callTool']>[2] = {},
): Promise<CallOutcome> => (await client.callTool({ name, arguments: args }, undefined, options)) as CallOutcome;
