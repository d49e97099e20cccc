/** A slow or broken network between a gateway and a server of this machine. Its thread has an event loop of its own, so that clients do not delay it. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface DelayProxyOptions {
  targetPort: number;
  /** Milliseconds that each piece of data waits in each direction. Default 0. */
  delayMs?: number;
}

/** `open`; `silent`: data waits until the network opens again, as when a cable is pulled; `cut`: connections break and new ones are refused. */
export type NetworkState = 'open' | 'silent' | 'cut';

export interface DelayProxy {
  readonly port: number;
  setDelay(delayMs: number): Promise<void>;
  setState(state: NetworkState): Promise<void>;
  /** Resolves with how often clients waited for an answer, on connections that listen or notify (`messages`) and on all others (`work`). */
  readRoundTrips(): Promise<{ work: number; messages: number }>;
  stop(): Promise<void>;
}

export async function startDelayProxy({ targetPort, delayMs = 0 }: DelayProxyOptions): Promise<DelayProxy> {
  const worker = new Worker(join(__dirname, 'delay_proxy_worker.cjs'), { workerData: { targetPort, delayMs } });
  const pending = new Map<number, (result: unknown) => void>();
  const answer = (id: number) => new Promise<unknown>(resolve => pending.set(id, resolve));
  worker.on('message', ({ id, result }: { id: number; result: unknown }) => {
    pending.get(id)?.(result);
    pending.delete(id);
  });
  let commands = 0;
  const send = (name: string, command: object = {}) => {
    commands += 1;
    worker.postMessage({ id: commands, name, ...command });
    return answer(commands);
  };
  const port = (await answer(0)) as number;
  return {
    port,
    setDelay: async ms => void (await send('setDelay', { delayMs: ms })),
    setState: async state => void (await send('setState', { state })),
    readRoundTrips: async () => (await send('readRoundTrips')) as { work: number; messages: number },
    stop: async () => void (await worker.terminate()),
  };
}

/** The same database address through the proxy. */
export function throughProxy(url: string, { port }: DelayProxy): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}
