/** Finds an address at which a gateway can listen, and what its settings need for it. */
import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopbackAddress } from '../utils/loopback_address';

/** Listens for a moment. Resolves with the code of the problem, such as EADDRINUSE; with undefined when a gateway could listen there. */
export async function findPortProblem(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve: done } = Promise.withResolvers<string | undefined>();
  const server = createServer().once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  try {
    server.listen({ host, port }, () => server.close(() => done(undefined)));
  } catch {
    // The port is no number of a port.
    done('EINVAL');
  }
  return promise;
}

/** Resolves with the first free port from `port` on; with undefined when the next 20 are in use. */
export async function findFreePort(host: string, port: number): Promise<number | undefined> {
  for (let free = port; free < port + 20; free++) if ((await findPortProblem(host, free)) === undefined) return free;
  return undefined;
}

/** Returns true for an address that only this machine reaches. */
export const isOwnMachine = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/** Returns the addresses of pages of a gateway that other machines reach. */
export function originsOf(host: string, port: number): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [`http://${host.includes(':') ? `[${host}]` : host}:${port}`];
  const outside = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []);
  const names = outside.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return [hostname(), ...names].map(name => `http://${name}:${port}`);
}
