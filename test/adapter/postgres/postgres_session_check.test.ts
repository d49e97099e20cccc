/** Poolers that take away what the gateway asks of a connection are refused; with a real PgBouncer where the program is installed. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { checkSession } from '../../../src/adapter/postgres/postgres_session_check';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';

const mockAnswers: { pid: number; settings: { name: string; setting: string }[]; begin?: Error } = { pid: 2, settings: [] };
let mockIsFake = false;
jest.mock('pg', () => {
  const actual = jest.requireActual<typeof import('pg')>('pg');
  class Fake {
    on() {}
    async connect() {}
    async end() {}
    async query(sql: string) {
      if (sql === 'begin' && mockAnswers.begin) throw mockAnswers.begin;
      return { rows: sql.includes('pg_settings') ? mockAnswers.settings : [{ pid: mockAnswers.pid }] };
    }
  }
  const Client = new Proxy(actual.Client, { construct: (target, args) => (mockIsFake ? new Fake() : Reflect.construct(target, args)) });
  return { ...actual, Client };
});

describe('the check of a connection', () => {
  beforeAll(() => {
    mockIsFake = true;
  });
  afterAll(() => {
    mockIsFake = false;
  });
  const firstWith = (...pids: number[]) => ({ query: async () => ({ rows: [{ pid: pids.shift() }] }) }) as unknown as Client;
  const check = (first: Client) => checkSession(first, 'postgres://u@127.0.0.1:1/d');

  it('refuses a pooler that gives a connection another process of the server', async () => {
    await expect(check(firstWith(1, 3))).rejects.toThrow('pooler in transaction mode');
  });

  it.each([
    ['transaction blocks not allowed in statement pooling mode', /leads to a pooler in statement mode/],
    ['BEGIN is not possible: the pool runs in statement mode', /leads to a pooler in statement mode/],
    ['Transactions are not supported by this pool', /leads to a pooler in statement mode/],
    ['terminating connection due to administrator command', /^terminating connection/],
  ])('names the mode of a pooler that refuses a transaction: %s', async (message, said) => {
    mockAnswers.begin = new Error(message);
    await expect(check(firstWith(1, 1))).rejects.toThrow(said);
    delete mockAnswers.begin;
  });

  it('refuses a pooler that drops a setting, and names the setting', async () => {
    mockAnswers.settings = [{ name: 'synchronous_commit', setting: 'off' }];
    await expect(check(firstWith(1, 1))).rejects.toThrow('(synchronous_commit=on, got off)');
  });

  it('takes a connection of its own with the settings in force', async () => {
    mockAnswers.settings = [{ name: 'synchronous_commit', setting: 'on' }];
    await expect(check(firstWith(1, 1))).resolves.toBeUndefined();
  });
});

const describeWithPooler = hasPgBouncer()
  ? describeWithPostgres
  : (name: string, body: () => void) => describe.skip(`${name} (skipped: pgbouncer is not installed)`, body);

describeWithPooler('PgBouncer', () => {
  let server: PostgresServer;
  let pooler: ChildProcess | undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    if (!pooler) return;
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  async function addressBehind(mode: string): Promise<string> {
    const target = new URL(await server.createDatabase());
    const port = await freePort();
    const file = join(directory, 'pool.ini');
    const login = `user=${target.username}${target.password && ` password=${decodeURIComponent(target.password)}`}`;
    writeFileSync(
      file,
      `[databases]\n* = host=${target.hostname} port=${target.port} ${login}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${port}\nauth_type=any\npool_mode=${mode}\nunix_socket_dir=\nignore_startup_parameters=options,extra_float_digits\n`,
    );
    chmodSync(directory, 0o755);
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    pooler = spawn('pgbouncer', [file], { ...user, stdio: 'ignore' });
    await listening(port);
    target.port = String(port);
    return target.href;
  }

  it.each([
    ['session', /pooler ignores what the gateway asks/],
    ['transaction', /pooler in transaction mode/],
    ['statement', /^DATABASE_URL leads to a pooler in statement mode, which breaks prepared statements and locks: /],
  ])('in %s mode without startup options is refused', async (mode, said) => {
    await expect(openPostgresStore({ parts: STORE_PARTS, url: await addressBehind(mode) })).rejects.toThrow(said);
  });
});

function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
}
