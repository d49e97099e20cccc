/** Sends one request to a server without sessions, for methods that the client of the SDK does not send. */
import { McpError } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';
import { APP_SUPPORT } from './connection_requests';
import { createBoundedFetch, type Fetch, type HttpTarget } from './http_transport';

export const STATELESS_VERSION = '2026-07-28';
export const CLIENT_INFO = { name: 'neta-gateway', version: '1.0.0' };
/** Tells servers that the gateway fills forms, shows pages of tools and follows tasks. */
export const STATELESS_CAPABILITIES = {
  elicitation: { form: {} },
  extensions: { ...APP_SUPPORT, 'io.modelcontextprotocol/tasks': {} },
};

type JsonObject = Record<string, unknown>;

/** `name`: what the request is about, such as the id of a task; servers read it in a header. */
interface StatelessRequest {
  method: string;
  name?: string;
  params?: JsonObject;
}

interface SendOptions {
  signal: AbortSignal;
  fetch?: Fetch | undefined;
}

/** The error with which a server has answered. */
export class StatelessRefusal extends McpError {
  constructor(
    words: string,
    readonly data: { supported?: unknown } | undefined,
  ) {
    super('refused', inBoth(words, `“${words}”。`));
  }
}

/** Resolves with the result. Rejects with a StatelessRefusal for an error of the server, and with another error for an answer that is none of the protocol. */
export async function sendStateless(
  { url, headers }: HttpTarget,
  { method, name, params = {} }: StatelessRequest,
  { signal, fetch: send = createBoundedFetch(url) }: SendOptions,
): Promise<JsonObject> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': STATELESS_CAPABILITIES,
  };
  const response = await send(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': STATELESS_VERSION,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method, params: { ...params, _meta } }),
    signal,
  });
  const { result, error } = answerIn(await response.text());
  if (result) return result;
  if (!error) throw new Error(`It answered ${method} with HTTP ${response.status} and neither a result nor an error.`);
  const words = String(error['message']);
  throw new StatelessRefusal(words, (error['data'] ?? undefined) as StatelessRefusal['data']);
}

/** Reads JSON, or the last message of an event stream: notifications come before the answer. */
function answerIn(text: string): { result?: JsonObject; error?: JsonObject } {
  const messages = [...text.matchAll(/^data: *(.+)$/gm)].map(([, data = '']) => data);
  return JSON.parse(messages.at(-1) ?? text) as { result?: JsonObject; error?: JsonObject };
}
