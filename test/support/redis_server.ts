/** A Redis of its own on a free port of this machine, from the program redis-server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { until } from './until';

/** Why the tests that need a Redis are skipped here; undefined where they run. */
const noRedis = spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'needs redis-server';

/** `describe` where a Redis can run; otherwise the suite is skipped, and its name says why. */
export const describeWithRedis = (name: string, body: () => void): void =>
  noRedis === undefined ? describe(name, body) : describe.skip(`${name} (skipped: ${noRedis})`, body);

export interface RedisServer {
  /** The address with the password. */
  readonly url: string;
  /** Connected to the server. The test closes no client of its own with it. */
  readonly admin: Redis;
  /** Ends the server at once. */
  kill(): Promise<void>;
  /** Starts it again at the same port after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  password?: string;
  /** The only server of a cluster. */
  isCluster?: boolean;
  /** Files for TLS. */
  tls?: { certificate: string; key: string };
}

export async function startRedis({ password = '', isCluster = false, tls }: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const settings = {
    bind: '127.0.0.1',
    port: tls ? 0 : port,
    save: '',
    appendonly: 'no',
    dir: '/tmp',
    requirepass: password,
    ...(isCluster && { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1', 'cluster-config-file': `neta-nodes-${port}.conf` }),
    ...(tls && { 'tls-port': port, 'tls-cert-file': tls.certificate, 'tls-key-file': tls.key, 'tls-auth-clients': 'no' }),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const url = `${tls ? 'rediss' : 'redis'}://${password === '' ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`;
  const admin = new Redis(url, { lazyConnect: true, tls: tls && { rejectUnauthorized: false }, retryStrategy: () => 50 });
  admin.on('error', () => {});
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn('redis-server', words, { stdio: 'ignore' });
    await until(async () => (await admin.ping().catch(() => '')) === 'PONG');
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  if (isCluster) {
    await admin.call('cluster', 'addslotsrange', '0', '16383');
    await until(async () => /cluster_state:ok/.test(String(await admin.call('cluster', 'info'))));
  }
  return {
    url,
    admin,
    kill,
    restart: start,
    async stop() {
      admin.disconnect();
      await kill();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
