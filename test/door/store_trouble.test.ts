/** A database that cannot be written for a while: requests are refused, the process lives, and active runs continue afterwards. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;
let holder: ChildProcess | undefined;

beforeAll(async () => {
  bench = await startBench({ own: 'its database is locked' });
  bench.model.onTurn('story', { text: 'A story in two parts.', chunkSize: 8, pauseAfter: 1 });
  bench.model.onTurn('quick', 'quick answer');
});

afterEach(async () => {
  await release();
});

afterAll(() => bench?.stop());

/** Takes the write lock of the database, like a backup or another program: until `release`, or for some milliseconds. */
async function lock(milliseconds?: number): Promise<void> {
  const script = join(__dirname, '../support/lock_holder.cjs');
  const holderArguments = [join(bench.gateway.dataDir, 'neta.db'), ...(milliseconds ? [String(milliseconds)] : [])];
  holder = spawn(process.execPath, [script, ...holderArguments], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout!, 'data');
}

async function release(): Promise<void> {
  if (!holder || holder.exitCode !== null || holder.signalCode !== null) return;
  holder.kill();
  await once(holder, 'exit');
}

it('refuses new messages with store_unavailable on both doors, and readyz reports it', async () => {
  const client = await bench.connect();
  await lock();
  const message = { type: 'chat', text: 'quick one', clientMessageId: 'locked' };
  const [refused, rest, ready, health] = await Promise.all([
    client.send(message),
    bench.rest.request<ErrorBody>('POST', '/runs', { input: 'quick two' }),
    bench.rest.request('GET', '//readyz'),
    bench.rest.request('GET', '//healthz'),
  ]);
  expect(refused).toMatchObject({ ok: false, error: { code: 'store_unavailable', retryable: true } });
  expect(rest).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable', retryable: true } } });
  expect([ready.status, health.status]).toEqual([503, 200]);
  await release();
  const accepted = await client.send(message);
  expect(accepted).toMatchObject({ ok: true, deduplicated: false });
  expect((await client.endOf(String(accepted['runId']))).data.text).toBe('quick answer');
  expect(await bench.rest.request('GET', '//readyz')).toMatchObject({ status: 200 });
  expect(bench.model.requests('quick two')).toEqual([]);
});

it('waits for a program that holds the lock for a moment', async () => {
  await lock(700);
  const { status, body } = await bench.rest.run({ input: 'quick six' });
  expect([status, body]).toMatchObject([200, { status: 'completed', text: 'quick answer' }]);
});

it('continues an active run without a gap once it can write again', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story one');
  await client.waitForText(runId, 'A story ');
  await lock();
  bench.model.resume();
  const { ended } = await bench.model.waitFor('story one');
  expect(await ended).toBe('complete');
  expect((await bench.rest.request('GET', `/runs/${runId}`)).body).toMatchObject({ status: 'running' });
  expect(client.eventsOf(runId).every(event => event.type !== 'run_end')).toBe(true);
  await release();
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'A story in two parts.' });
  const seqs = client.eventsOf(runId).map(event => event.seq);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect((await bench.rest.stream('GET', `/runs/${runId}/events`)).length).toBe(seqs.length);
});

it('refuses messages while the disk is full, and accepts them when there is room again', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story three');
  await client.waitForText(runId, 'A story ');
  await limitFiles('4096');
  try {
    expect((await client.send({ type: 'chat', text: 'quick three' })).error).toMatchObject({ code: 'store_unavailable' });
    bench.model.resume();
    const { ended } = await bench.model.waitFor('story three');
    expect(await ended).toBe('complete');
    expect(await bench.rest.request('GET', '//readyz')).toMatchObject({ status: 503 });
    expect(await bench.rest.request('GET', '//healthz')).toMatchObject({ status: 200 });
  } finally {
    await limitFiles('unlimited');
  }
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'A story in two parts.' });
  const next = await client.chat('quick four');
  expect((await client.endOf(next.runId)).data.status).toBe('completed');
});

/** Limits the size of each file of the gateway in bytes, which acts like a full disk. */
async function limitFiles(bytes: string): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(bench.gateway.pid), `--fsize=${bytes}:unlimited`]);
}

const canBreakSync = spawnSync('strace', ['-e', 'inject=fsync:error=EIO', '-e', 'trace=fsync', 'true']).status === 0;
if (!canBreakSync) console.warn('skipped: a disk that fails to sync (needs strace, and leave to trace)');

(canBreakSync ? it : it.skip)('a disk that fails to sync acknowledges nothing, and is trusted again once it syncs', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story four');
  await client.waitForText(runId, 'A story ');
  await breakSync();
  const message = { type: 'chat', text: 'quick five', clientMessageId: 'unsynced' };
  expect((await client.send(message)).error).toMatchObject({ code: 'store_unavailable', retryable: true });
  bench.model.resume();
  const { ended } = await bench.model.waitFor('story four');
  expect(await ended).toBe('complete');
  expect(await bench.rest.request('GET', '//readyz')).toMatchObject({ status: 503 });
  expect(client.eventsOf(runId).every(event => event.type !== 'run_end')).toBe(true);
  await release();
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'A story in two parts.' });
  const accepted = await client.send(message);
  expect(accepted).toMatchObject({ ok: true, deduplicated: false });
  expect((await client.endOf(String(accepted['runId']))).data.text).toBe('quick answer');
  await bench.gateway.kill();
  await bench.gateway.restart();
  expect((await bench.rest.stream('GET', `/runs/${runId}/events`)).at(-1)).toMatchObject({ type: 'run_end' });
});

/** Makes every fsync of the gateway fail, like a dying disk. */
async function breakSync(): Promise<void> {
  const calls = 'fsync,fdatasync';
  const options = ['-f', '-p', String(bench.gateway.pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`];
  holder = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(createInterface(holder.stderr!), 'line');
}

it('refuses a cancel while the store is unavailable, and accepts it afterwards', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story two');
  await client.waitForText(runId, 'A story ');
  await lock();
  expect((await client.send({ type: 'cancel', runId })).error).toMatchObject({ code: 'store_unavailable' });
  await release();
  expect(await client.send({ type: 'cancel', runId })).toEqual({ ok: true, status: 'cancelled' });
});
