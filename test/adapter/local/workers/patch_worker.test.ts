/** Threads run compiled code, so these tests use the build. */
import { join } from 'node:path';
import { createPatchWorker } from '../../../../src/adapter/local/workers/patch_worker';
import type { PatchEngine } from '../../../../src/port/patch_engine';
import { measureEventLoop } from '../../../support/event_loop';

const ENTRY = join(__dirname, '../../../../dist/src/adapter/local/workers/patch_worker_entry.js');
const NEVER = join(__dirname, '../../../support/endless_thread.cjs');

describe('patch worker', () => {
  let engine: PatchEngine;
  const line = (i: number) => `  const value${i} = compute(${i * 7919}, "text ${i % 97}"); // note ${i % 13}\n`;
  const big = Array.from({ length: 90_000 }, (_, i) => line(i)).join('');
  const request = { path: 'big.ts', oldString: 'x', newString: 'y', replaceAll: false };
  const goOn = () => new AbortController().signal;

  beforeEach(() => {
    engine = createPatchWorker({ entry: ENTRY });
  });
  afterEach(() => engine.close());

  it('patches a file of 5 MB without holding the event loop', async () => {
    const bytes = Buffer.from(big);
    expect(bytes.length).toBeGreaterThan(5_000_000);
    const quoted = [50_000, 50_001, 50_002, 50_003].map(line).join('');
    const misquoted = { ...request, oldString: quoted.replace('compute', 'compuet'), newString: quoted.replace('compute', 'measure') };
    const { result: outcome, busyMs } = await measureEventLoop(() => engine.patch(bytes, misquoted, goOn()));
    expect(outcome).toMatchObject({ kind: 'patched', count: 1 });
    if (outcome.kind === 'patched') {
      expect(Buffer.from(outcome.bytes).toString()).toBe(big.replace(line(50_000), line(50_000).replace('compute', 'measure')));
    }
    expect(busyMs).toBeLessThan(250);
  });

  it('returns refusals unchanged', async () => {
    expect(await engine.patch(Buffer.from('a\n'), request, goOn())).toMatchObject({ kind: 'refused', refusal: { code: 'no_match' } });
    expect(await engine.patch(Buffer.from('a\0'), request, goOn())).toEqual({ kind: 'not_text', decoded: { kind: 'binary' } });
  });

  it('ends a patch that takes too long and reports it', async () => {
    engine = createPatchWorker({ entry: NEVER, budgetMs: 100 });
    const outcome = await engine.patch(Buffer.from('a'), request, goOn());
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'too_large', error: expect.stringContaining('more than 0.1 s') } });
  });

  it('ends a patch that is cancelled, and rejects waiting ones when it is closed', async () => {
    engine = createPatchWorker({ entry: NEVER });
    const cancel = new AbortController();
    const cancelled = engine.patch(Buffer.from('a'), request, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const waiting = Promise.allSettled([1, 2, 3, 4].map(() => engine.patch(Buffer.from('a'), request, goOn())));
    await engine.close();
    expect((await waiting).map(result => result.status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });
});
