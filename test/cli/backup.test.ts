/** A restore drill: the backup of a live gateway opens on both stores, with everything that people had. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { startGateway } from '../support/gateway';
import { readMetrics } from '../support/metrics';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient, type PageBody } from '../support/rest_client';
import { until } from '../support/until';

const PROGRAM = join(__dirname, '../../scripts/neta.mjs');

let bench: AgentBench;
let home: string;
let archive: string;
let answered: string;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `neta` with the settings of a gateway. `fileBlocks`: the largest file that it may write, in blocks of 512 bytes. */
async function neta(args: readonly string[], env: Record<string, string>, fileBlocks?: number): Promise<Ended> {
  const limit = fileBlocks === undefined ? '' : `ulimit -f ${fileBlocks}; `;
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'C', NETA_SANDBOX: 'none', ...env },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', piece => {
    ended.stdout += piece;
  });
  child.stderr.on('data', piece => {
    ended.stderr += piece;
  });
  await once(child, 'close');
  return { ...ended, code: child.exitCode };
}

const placesIn = async (name: string): Promise<Record<string, string>> => {
  const [dataDir, workspace] = [join(home, name, 'data'), join(home, name, 'workspace')];
  await mkdir(workspace, { recursive: true });
  // Of its own, because a restore writes the configuration, and a newer one in the checkout means a build.
  return { NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace, NETA_CONFIG_DIR: join(home, name, 'config') };
};
const ownPlaces = () => ({ NETA_DATA_DIR: bench.gateway.dataDir, NETA_WORKSPACE: bench.gateway.workspace });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-drill-'));
  bench = await startBench({ files: { 'notes.txt': 'beans\n' } });
  bench.model.onTurn('count', ({ userText }) => `Counted: ${userText}`);
  bench.model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] },
    ({ toolResults }) => `Painted: ${toolResults[0]}`,
  );
  bench.model.onTurn('keep notes', { toolCalls: [{ name: 'write_file', arguments: { path: 'notes.txt', content: 'peas\n' } }] }, 'Kept.');
  await bench.rest.request('POST', '/memories', { text: 'Likes purple gardens', kind: 'fact' });
  await bench.rest.run({ input: 'keep notes' });
  ({
    body: { runId: answered },
  } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'ask me', clarify: 'wait' }, { prefer: 'respond-async' }));
  await until(
    async () => (await bench.rest.request<PageBody<object>>('GET', '/clarifications')).body.data.length,
    count => count === 1,
  );
});

afterAll(async () => {
  await bench?.stop();
  await rm(home, { recursive: true, force: true });
});

it('backs up a gateway while runs go on, keeps as many archives as wanted, and tells the operator', async () => {
  let isOver = false;
  const runs = (async () => {
    for (let i = 0; !isOver; i += 1) expect((await bench.rest.run({ input: `count ${i}` })).body.status).toBe('completed');
  })();
  const directory = join(home, 'archives');
  await neta(['backup', '--to', directory], ownPlaces());
  // A directory of the same path on another machine.
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'), { timeout: 10_000 });
  database
    .prepare('insert into backups (id, file, machine, bytes, rows, files, created_at) values (?, ?, ?, 1, 1, 1, 1)')
    .run('bak_other', join(directory, 'other.tar.zst'), 'another-machine');
  const { code, stdout, stderr } = await neta(['backup', '--to', directory, '--every', '1d', '--keep', '1'], ownPlaces());
  isOver = true;
  await runs;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+ rows, \d+ files, /) });
  archive = stdout.trim().split('\n').at(-1) ?? '';
  expect(await readdir(directory)).toEqual([archive.slice(directory.length + 1)]);
  expect(database.prepare('select machine from backups order by created_at').all()).toEqual([
    { machine: 'another-machine' },
    { machine: hostname() },
  ]);
  database.close();
  const { body } = await bench.rest.request<{ checks: { name: string; message: string }[] }>('GET', '/ops/doctor');
  expect(body.checks.find(({ name }) => name === 'backup')?.message).toBe(
    `The newest verified backup is 0 min old: ${archive} on ${hostname()}.`,
  );
  expect((await readMetrics(bench.gateway.url)).sum('neta_backup_age_seconds')).toBeLessThan(60);
  const overview = await bench.rest.request<{ process: { backupAt: string } }>('GET', '/ops/overview');
  expect(Date.now() - Date.parse(overview.body.process.backupAt)).toBeLessThan(60_000);
  expect((await readFile(archive)).includes(MODEL_KEY)).toBe(false);
});

it('a backup that cannot be written ends with the reason and leaves no file', async () => {
  await writeFile(join(bench.gateway.workspace, 'noise.bin'), randomBytes(200_000));
  const { code, stderr } = await neta(['backup', '--to', join(home, 'full')], ownPlaces(), 100);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot be written: EFBIG') });
  expect(await readdir(join(home, 'full'))).toEqual([]);
});

it('a schedule names the unit whose service may not write the directory', async () => {
  const env = { ...ownPlaces(), XDG_CONFIG_HOME: join(home, 'units') };
  const unit = join(home, 'units/systemd/user/neta-gateway.service');
  const directory = join(home, 'elsewhere');
  await mkdir(`${unit}.d`, { recursive: true });
  await writeFile(unit, `[Service]\nWorkingDirectory=${process.cwd()}\nReadWritePaths=/srv/neta\n`);
  const schedule = ['backup', '--to', directory, '--every', '1d'];
  expect((await neta(schedule, env)).stderr).toContain(`ReadWritePaths=${directory} (${unit})`);
  await writeFile(`${unit}.d/backups.conf`, `[Service]\nReadWritePaths=/srv/other "${directory}"\n`);
  expect((await neta(schedule, env)).stderr).not.toContain('ReadWritePaths');
  await neta(['backup', '--to', directory, '--every', 'off'], env);
});

/** Restores the archive, and looks at everything that people had. */
async function restoreAndLook(name: string, more: Record<string, string> = {}): Promise<void> {
  const env = { ...(await placesIn(name)), ...more };
  expect(await neta(['restore', archive], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored: \d+ rows, \d+ files\.\n$/),
  });
  const gateway = await startGateway({ env: { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, ...env } });
  try {
    const rest = createRestClient(gateway.url);
    const sessions = (await rest.request<PageBody<{ id: string; title: string }>>('GET', '/sessions?limit=1000')).body.data;
    expect(sessions.map(({ title }) => title)).toEqual(expect.arrayContaining(['keep notes', 'ask me', 'count 0']));
    const waiting = (await rest.request<PageBody<{ requestId: string; question: string }>>('GET', '/clarifications')).body.data;
    expect(waiting).toMatchObject([{ question: 'Which colour?' }]);
    await rest.request('POST', `/clarifications/${waiting[0]?.requestId}`, { answer: 'blue' });
    const ended = await until(
      async () => (await rest.request<{ status: string; text: string }>('GET', `/runs/${answered}`)).body,
      run => run.status === 'completed',
    );
    expect(ended.text).toContain('blue');
    expect((await rest.request<{ ok: boolean }>('GET', '/ops/audit/verify')).body).toMatchObject({ ok: true });
    expect((await rest.request<PageBody<object>>('GET', '/memories?q=purple')).body.data).toHaveLength(1);
    expect(await readFile(join(env['NETA_WORKSPACE'] ?? '', 'notes.txt'), 'utf8')).toBe('peas\n');
    const changes = (
      await rest.request<PageBody<{ id: string; undo: object }>>(
        'GET',
        `/sessions/${sessions.find(({ title }) => title === 'keep notes')?.id}/changes`,
      )
    ).body.data;
    expect(await rest.request('POST', `/changes/${changes[0]?.id}/undo`, {})).toMatchObject({ status: 200 });
    expect(await readFile(join(env['NETA_WORKSPACE'] ?? '', 'notes.txt'), 'utf8')).toBe('beans\n');
  } finally {
    await gateway.stop();
  }
}

/** Makes a backup of the gateway that was restored and is down now, and asks the doctor before and after. */
async function backUpAndAsk(name: string, more: Record<string, string> = {}): Promise<void> {
  const env = { ...(await placesIn(name)), ...more };
  const askDoctor = async () => {
    const { stdout } = await neta(['doctor', '--json'], { ...env, NETA_URL: 'http://127.0.0.1:9' });
    const { checks }: { checks: { name: string; status: string; message: string }[] } = JSON.parse(stdout);
    return checks.find(check => check.name === 'backup');
  };
  expect(await askDoctor()).toMatchObject({ status: 'ok', message: expect.stringContaining('There is no backup yet') });
  const file = (await neta(['backup'], env)).stdout.trim().split('\n').at(-1);
  expect(await askDoctor()).toMatchObject({
    status: 'ok',
    message: `The newest verified backup is 0 min old: ${file} on ${hostname()}. There is no schedule.`,
  });
}

it('the archive opens on SQLite', () => restoreAndLook('sqlite'));

it('doctor says how old the newest backup is while the gateway is down', () => backUpAndAsk('sqlite'));

it('doctor says nothing of backups where there is no database yet', async () => {
  const { stdout } = await neta(['doctor', '--json'], { ...(await placesIn('empty')), NETA_URL: 'http://127.0.0.1:9' });
  expect(JSON.parse(stdout).checks.map(({ name }: { name: string }) => name)).not.toContain('backup');
});

describeWithPostgres('on Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('the archive opens on Postgres, and doctor knows its backups while the gateway is down', async () => {
    const more = { DATABASE_URL: await server.createDatabase() };
    await restoreAndLook('postgres', more);
    await backUpAndAsk('postgres', more);
  });
});
