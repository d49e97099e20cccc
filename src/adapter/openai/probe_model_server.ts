import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { agentFor } from '../network/proxy_agent';
import { toProxyProblem } from '../network/proxy_error';
import { toConnectionError } from './connection_errors';
import type { ModelListing } from './key_headers';

const PROBE_MS = 10_000;
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_NOTED_STATUS = 500;

interface Probe extends Pick<ModelListing, 'url' | 'headers'> {
  /** Called with the server's time, in milliseconds since 1970, when the answer names it. */
  onTime?: ((at: number) => void) | undefined;
}

/**
 * Asks for the list of models, which costs no tokens, over a connection of its own. Resolves with one sentence when nothing answers, the key is
 * refused or the server fails; with undefined otherwise, also for a server without such a list. Never rejects.
 */
export async function probeModelServer({ url, headers, onTime }: Probe): Promise<string | undefined> {
  try {
    const { status, date } = await ask(url, headers);
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

function ask(url: URL, own: ModelListing['headers']): Promise<{ status: number; date: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; date: string }>();
  const headers = { accept: 'application/json', connection: 'close', ...own };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { agent, proxy } = agentFor(url);
  const outgoing = send(url, { agent, headers, maxHeaderSize: MAX_HEAD_BYTES }, (incoming: IncomingMessage) => {
    if (proxy && incoming.statusCode === 407) reject(toProxyProblem(proxy, url, { statusCode: 407 }));
    resolve({ status: incoming.statusCode ?? 0, date: incoming.headers.date ?? '' });
    incoming.destroy();
  });
  const timer = setTimeout(() => outgoing.destroy(new ProbeTimeout()), PROBE_MS).unref();
  outgoing.on('error', error => reject(proxy && !(error instanceof ProbeTimeout) ? toProxyProblem(proxy, url, error) : error));
  outgoing.once('close', () => clearTimeout(timer));
  // A probe must not keep the process alive.
  outgoing.once('socket', socket => socket.unref());
  outgoing.end();
  return promise;
}
