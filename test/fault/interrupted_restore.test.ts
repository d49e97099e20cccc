/** neta restore and neta migrate-store are killed at every kind of step; the same command, called again, ends as if nothing had happened. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { exportRows, type GatewayPlace, makeBackup } from '../../src/adapter/archive/make_archive';
import { openStore } from '../../src/adapter/open_store';
import { checkAuditChain } from '../../src/service/audit/check_audit_chain';
import { type Ended, ended, startNeta } from '../support/neta_program';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../support/postgres_server';
import { STORE_PARTS } from '../support/store_parts';

const OLD_DATABASE = join(__dirname, '../fixtures/neta-0.1.0.db.br');
const KILLER = join(__dirname, '../support/kill_at_step.cjs');
const VERSION = '0.0.0';
/** Kills a command at this share of its steps, and before each of its last steps. */
const SHARE = 0.5;
const LAST_STEPS = 3;
/** The second call is killed at this share of the steps of a whole command. */
const SECOND_SHARE = 0.4;

let home: string;
let places = 0;

/** A place without data. `databaseUrl`: its store is a Postgres. */
async function emptyPlace(databaseUrl?: string): Promise<GatewayPlace> {
  places += 1;
  const directory = join(home, String(places));
  const place = {
    dataDir: join(directory, 'data'),
    configDir: join(directory, 'config'),
    workspace: join(directory, 'workspace'),
    databaseUrl,
  };
  for (const path of [place.dataDir, place.configDir, place.workspace]) await mkdir(path, { recursive: true });
  return place;
}

const envOf = ({ dataDir, configDir, workspace, databaseUrl }: GatewayPlace): Record<string, string> => ({
  NETA_DATA_DIR: dataDir,
  NETA_CONFIG_DIR: configDir,
  NETA_WORKSPACE: workspace,
  NETA_SANDBOX: 'none',
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
});

const neta = (args: readonly string[], place: GatewayPlace, more: Record<string, string> = {}): Promise<Ended> =>
  ended(startNeta(args, { ...envOf(place), ...more }));

/** Resolves true when the command was killed before the step; false when it ended before. */
async function killBefore(step: number, args: readonly string[], place: GatewayPlace): Promise<boolean> {
  const child = startNeta(args, { ...envOf(place), NODE_OPTIONS: `--require ${KILLER}`, KILL_BEFORE_STEP: String(step) });
  const { code, stderr } = await ended(child);
  if (child.signalCode === 'SIGKILL') return true;
  expect({ step, code, stderr }).toEqual({ step, code: 0, stderr: '' });
  return false;
}

/** Resolves with the number of steps of a command that nobody kills. */
async function countSteps(args: readonly string[], place: GatewayPlace): Promise<number> {
  const file = join(place.dataDir, '../steps');
  expect(await neta(args, place, { NODE_OPTIONS: `--require ${KILLER}`, STEPS_FILE: file })).toMatchObject({ code: 0 });
  return Number(await readFile(file, 'utf8'));
}

async function rowsOf(place: GatewayPlace): Promise<Buffer> {
  const file = join(home, `${randomBytes(6).toString('hex')}.tar`);
  await exportRows(place, file, VERSION);
  return readFile(file);
}

interface Interrupted {
  args: readonly string[];
  /** Makes a place in which the command has not been called. */
  makePlace(): Promise<GatewayPlace>;
  /** The place in which the data are when the command has ended. */
  resultOf?(place: GatewayPlace): GatewayPlace;
}

async function killAndRepeat({ args, makePlace, resultOf = place => place }: Interrupted): Promise<void> {
  const whole = await makePlace();
  const steps = await countSteps(args, whole);
  expect(steps).toBeGreaterThan(30);
  const expected = await rowsOf(resultOf(whole));
  const repeat = async (step: number, place: GatewayPlace) => {
    const { code, stderr } = await neta(args, place);
    expect({ step, code, stderr }).toEqual({ step, code: 0, stderr: '' });
    expect((await rowsOf(resultOf(place))).equals(expected)).toBe(true);
  };
  const twice = await makePlace();
  expect(await killBefore(Math.ceil(steps * SHARE), args, twice)).toBe(true);
  expect(await killBefore(Math.ceil(steps * SECOND_SHARE), args, twice)).toBe(true);
  await repeat(steps * SHARE, twice);
  // The last step of all closes the store, when the work is over.
  for (let step = steps - LAST_STEPS; step < steps; step += 1) {
    const place = await makePlace();
    expect(await killBefore(step, args, place)).toBe(true);
    await repeat(step, place);
  }
  const store = await openStore(resultOf(whole), STORE_PARTS);
  try {
    expect(await checkAuditChain(store.read)).toMatchObject({ ok: true, rows: 3 });
  } finally {
    await store.close();
  }
}

let source: GatewayPlace;
let archive: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-interrupted-'));
  source = await emptyPlace();
  await writeFile(join(source.dataDir, 'neta.db'), brotliDecompressSync(await readFile(OLD_DATABASE)));
  await writeFile(join(source.workspace, 'notes.txt'), 'beans\n');
  await writeFile(join(source.configDir, 'approvals.yaml'), 'rules: []\n');
  // The archive has the schema of an older version, so the restore migrates it.
  ({ file: archive } = await makeBackup({ place: source, directory: home, version: VERSION, settings: {}, now: new Date(0) }));
  await (await openStore(source, STORE_PARTS)).close();
});
afterAll(() => rm(home, { recursive: true, force: true }));

it(
  'a restore into SQLite that was killed ends when it is called again',
  () => killAndRepeat({ args: ['restore', archive], makePlace: () => emptyPlace() }),
  300_000,
);

describeWithPostgres('with Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it(
    'a restore into Postgres that was killed ends when it is called again',
    () => killAndRepeat({ args: ['restore', archive], makePlace: async () => emptyPlace(await server.createDatabase()) }),
    300_000,
  );

  it('a gateway starts beside what a killed restore has left, and doctor names it', async () => {
    const place = await emptyPlace(await server.createDatabase());
    const args = ['restore', archive];
    expect(await killBefore(Math.ceil((await countSteps(args, await emptyPlace(await server.createDatabase()))) / 2), args, place)).toBe(
      true,
    );
    const { stdout } = await neta(['doctor', '--json'], place, { NETA_URL: 'http://127.0.0.1:9' });
    const { checks }: { checks: { name: string; status: string; message: string }[] } = JSON.parse(stdout);
    expect(checks.find(({ name }) => name === 'restore')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('the schema neta_restoring'),
    });
    const store = await openStore(place, STORE_PARTS);
    expect(await store.read.backups.list()).toEqual([]);
    await store.close();
    expect(await neta(args, place)).toMatchObject({ code: 0 });
  }, 300_000);

  it(
    'a move from SQLite to Postgres that was killed ends when it is called again',
    () =>
      killAndRepeat({
        args: ['migrate-store', '--from', `sqlite:${join(source.dataDir, 'neta.db')}`, '--to', 'postgres'],
        makePlace: async () => emptyPlace(await server.createDatabase()),
      }),
    300_000,
  );

  it('a move from Postgres to SQLite that was killed ends when it is called again', async () => {
    const url = await server.createDatabase();
    const moved = await emptyPlace(url);
    await neta(['migrate-store', '--from', `sqlite:${join(source.dataDir, 'neta.db')}`, '--to', 'postgres'], moved);
    expect(await query(url, "select 1 from pg_namespace where nspname = 'neta_restoring'")).toEqual([]);
    await killAndRepeat({ args: ['migrate-store', '--from', url, '--to', 'sqlite'], makePlace: () => emptyPlace() });
  }, 300_000);
});
