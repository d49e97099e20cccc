import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWorkerPool, type WorkerPool } from '../../src/adapter/worker_pool';

interface Job {
  text: string;
  sleepMs?: number;
}

let directory: string;
let pool: WorkerPool<Job, number>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'neta-pool-'));
  const entry = join(directory, 'entry.cjs');
  const script = `const { parentPort, workerData: { text, sleepMs = 0 } } = require('node:worker_threads');
    setTimeout(() => parentPort.postMessage(text.length), sleepMs);`;
  await writeFile(entry, script);
  pool = createWorkerPool<Job, number>({ entry, resourceLimits: { maxOldGenerationSizeMb: 64 } });
});

afterAll(async () => {
  await pool.close();
  await rm(directory, { recursive: true, force: true });
});

it('releases the memory of a finished job', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { signal } = new AbortController();
  const jobs: WeakRef<Job>[] = [];
  const run = async (job: Job) => {
    jobs.push(new WeakRef(job));
    expect(await pool.run(job, 5_000, signal)).toEqual({ answer: 3 });
  };
  await Promise.all([run({ text: 'one' }), run({ text: 'two' }), run({ text: 'six' })]);
  // The slots are free a moment after the answers.
  for (let i = 0; i < 100 && jobs.some(job => job.deref()); i++) {
    await new Promise(resolve => setTimeout(resolve, 20));
    collect();
  }
  expect(jobs.map(job => job.deref())).toEqual([undefined, undefined, undefined]);
});

it('starts a short job beside a long one while a slot is free', async () => {
  const { signal } = new AbortController();
  let isLongOver = false;
  const long = pool.run({ text: 'long', sleepMs: 2_000 }, 5_000, signal).then(() => {
    isLongOver = true;
  });
  for (let i = 0; i < 3; i++) await pool.run({ text: 'a' }, 5_000, signal);
  expect(isLongOver).toBe(false);
  await long;
});

it('ends a job that takes too long, and one whose caller aborted', async () => {
  const caller = new AbortController();
  expect(await pool.run({ text: 'a', sleepMs: 60_000 }, 100, caller.signal)).toEqual({ overrun: 'time' });
  const gone = pool.run({ text: 'a', sleepMs: 60_000 }, 60_000, caller.signal);
  caller.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
});

describe('with kept threads', () => {
  let kept: WorkerPool<Job, string>;

  beforeAll(async () => {
    const entry = join(directory, 'kept.cjs');
    const script = `const { parentPort, workerData, threadId } = require('node:worker_threads');
      const run = ({ text, sleepMs = 0 }) => {
        setTimeout(() => parentPort.postMessage(threadId + ' ' + text), sleepMs);
        if (text === 'last') setTimeout(() => process.exit(1), 1);
      };
      parentPort.on('message', run);
      run(workerData);`;
    await writeFile(entry, script);
    kept = createWorkerPool<Job, string>({ entry, resourceLimits: { maxOldGenerationSizeMb: 64 }, keepMs: 60_000 });
  });

  afterAll(() => kept.close());

  const { signal } = new AbortController();
  const threadOf = async (text: string) => {
    const outcome = await kept.run({ text }, 5_000, signal);
    return 'answer' in outcome ? outcome.answer.replace(` ${text}`, '') : 'none';
  };

  it('runs jobs one after another in one thread', async () => {
    const first = await threadOf('a');
    expect(await threadOf('b')).toBe(first);
    expect(await threadOf('c')).toBe(first);
  });

  it('starts a new thread after a job that took too long', async () => {
    const first = await threadOf('a');
    expect(await kept.run({ text: 'b', sleepMs: 60_000 }, 100, signal)).toEqual({ overrun: 'time' });
    expect(await threadOf('c')).not.toBe(first);
  });

  it('starts a new thread when the kept one has ended by itself', async () => {
    const first = await threadOf('last');
    for (let tries = 0; tries < 100; tries += 1) {
      const next = await threadOf('a').catch(() => first);
      if (next !== first) return;
    }
    throw new Error('the thread was never replaced');
  });
});
