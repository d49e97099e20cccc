import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { toConnectionError } from './model_errors';

const PROBE_MS = 10_000;
const MAX_NOTED_STATUS = 500;

interface Probe {
  baseUrl: string;
  apiKey: string | undefined;
  /** Gets the time of the server, in milliseconds since 1970, when it names one. */
  onTime?: ((at: number) => void) | undefined;
}

/**
 * Asks for the list of models, which costs no tokens, over a connection of its own. Resolves with one sentence when nothing answers, the key is
 * refused or the server fails; with undefined otherwise, also for a server without such a list. Never rejects.
 */
export async function probeModelServer({ baseUrl, apiKey, onTime }: Probe): Promise<string | undefined> {
  try {
    const { status, date } = await ask(new URL(`${baseUrl.replace(/\/+$/, '')}/models`), apiKey);
    const at = Date.parse(date);
    if (Number.isFinite(at)) onTime?.(at);
    if (status === 401) return 'The model server refuses the API key (HTTP 401).';
    if (status === 403) return 'The model server forbids what the API key asks for (HTTP 403).';
    return status >= MAX_NOTED_STATUS && status !== 501 ? `The model server fails (HTTP ${status}).` : undefined;
  } catch (thrown) {
    return thrown instanceof ProbeTimeout ? thrown.message : toConnectionError(thrown as Error).message;
  }
}

class ProbeTimeout extends Error {
  constructor() {
    super(`The model server did not answer within ${PROBE_MS / 1000} s.`);
  }
}

function ask(url: URL, apiKey: string | undefined): Promise<{ status: number; date: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; date: string }>();
  const headers = { accept: 'application/json', connection: 'close', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = send(url, { agent: false, headers }, (incoming: IncomingMessage) => {
    resolve({ status: incoming.statusCode ?? 0, date: incoming.headers.date ?? '' });
    incoming.destroy();
  });
  const timer = setTimeout(() => outgoing.destroy(new ProbeTimeout()), PROBE_MS).unref();
  outgoing.on('error', reject);
  outgoing.once('close', () => clearTimeout(timer));
  // A probe must not keep the process alive.
  outgoing.once('socket', socket => socket.unref());
  outgoing.end();
  return promise;
}
