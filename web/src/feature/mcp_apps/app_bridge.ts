/**
 * The messages between the page and the app of a tool (MCP Apps, version 2026-01-26): JSON-RPC over postMessage. The app may learn of its call, change
 * its height, ask for a link and propose a message; every other request is refused.
 */
import { isObject } from '../../components/calls/approval_arguments';

const VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const REFUSED = -32000;
/** Pixels. */
const MIN_HEIGHT = 40;
const MAX_HEIGHT = 1_600;
const MAX_MESSAGE_UNITS = 4_000;

export interface AppHost {
  /** Arguments of the call. */
  input: Record<string, unknown>;
  /** Result of the call, as the protocol writes it. */
  result: unknown;
  context: { theme: 'light' | 'dark'; locale: string };
  /** Sends a message to the app. */
  post(message: object): void;
  /** `height`: pixels. */
  onResize(height: number): void;
  /** Asks the person about a link. Resolves with whether the page has opened it. */
  openLink(url: string): Promise<boolean>;
  /** Puts a message into the message field, for the person to send. Returns false when the field has a text already. */
  proposeMessage(text: string): boolean;
}

type Fields = Record<string, unknown>;
type Answer = { result: object } | { error: { code: number; message: string } };

/** Handles a message of the app. Ignores data that is no message of the protocol. */
export async function handleAppMessage(data: unknown, host: AppHost): Promise<void> {
  if (!isObject(data) || data['jsonrpc'] !== '2.0' || typeof data['method'] !== 'string') return;
  const { method, id } = data;
  const params = isObject(data['params']) ? data['params'] : {};
  if (id === undefined) return handleNotification(method, params, host);
  host.post({ jsonrpc: '2.0', id, ...(await answerRequest(method, params, host)) });
}

function handleNotification(method: string, params: Fields, { input, result, post, onResize }: AppHost): void {
  if (method === 'ui/notifications/initialized') {
    post({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: input } });
    post({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result });
  }
  const { height } = params;
  if (method === 'ui/notifications/size-changed' && typeof height === 'number' && Number.isFinite(height)) {
    onResize(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(height))));
  }
}

async function answerRequest(method: string, params: Fields, host: AppHost): Promise<Answer> {
  switch (method) {
    case 'ui/initialize':
      return { result: describeHost(host) };
    case 'ping':
      return { result: {} };
    case 'ui/open-link': {
      const url = toWebAddress(params['url']);
      if (url === undefined) return refusal(INVALID_PARAMS, 'url must be an address that begins with http: or https:.');
      return (await host.openLink(url)) ? { result: {} } : refusal(REFUSED, 'The person did not open the link.');
    }
    case 'ui/message': {
      const text = textOfMessage(params['content']);
      if (text === undefined) return refusal(INVALID_PARAMS, `content must be text of 1 to ${MAX_MESSAGE_UNITS} characters.`);
      return host.proposeMessage(text) ? { result: {} } : refusal(REFUSED, 'The person is writing a message.');
    }
    case 'tools/call':
      return refusal(METHOD_NOT_FOUND, 'This host does not let apps call tools.');
    default:
      return refusal(METHOD_NOT_FOUND, `This host does not support ${method.slice(0, 100)}.`);
  }
}

const describeHost = ({ context }: AppHost): object => ({
  protocolVersion: VERSION,
  hostInfo: { name: 'neta-gateway', version: '1.0.0' },
  hostCapabilities: { openLinks: {}, message: { text: {} } },
  hostContext: { ...context, displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
});

const refusal = (code: number, message: string): Answer => ({ error: { code, message } });

/** `content`: one block or several, as the protocol writes them. Returns undefined for anything but texts. */
function textOfMessage(content: unknown): string | undefined {
  const texts = [content].flat().map(block => (isObject(block) && block['type'] === 'text' ? block['text'] : undefined));
  if (!texts.every(text => typeof text === 'string')) return undefined;
  const text = texts.join('\n').trim();
  return text !== '' && text.length <= MAX_MESSAGE_UNITS ? text : undefined;
}

function toWebAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
