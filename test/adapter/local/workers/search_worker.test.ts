/** Threads run compiled code, so these tests use the build. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSearchWorker } from '../../../../src/adapter/local/workers/search_worker';
import type { FileSearchRequest } from '../../../../src/port/file_search';
import { measureEventLoop } from '../../../support/event_loop';

const ENTRY = join(__dirname, '../../../../dist/src/adapter/local/workers/search_worker_entry.js');
const NEVER = join(__dirname, '../../../support/endless_thread.cjs');

describe('search worker', () => {
  let root: string;
  const request: FileSearchRequest = {
    pattern: 'needle',
    literal: false,
    ignoreCase: false,
    path: '.',
    includeIgnored: false,
    maxResults: 10,
  };
  const noAbort = () => new AbortController().signal;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'neta-search-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('finds lines and refuses paths without holding the event loop', async () => {
    for (let i = 0; i < 5; i += 1) await writeFile(join(root, `${i}.txt`), 'some hay in a line\n'.repeat(100_000));
    await writeFile(join(root, 'z.txt'), 'hay\na needle\n');
    const search = createSearchWorker({ root, entry: ENTRY });
    const { result: outcome, busyMs } = await measureEventLoop(() => search.search(request, noAbort()));
    expect(outcome).toMatchObject({ kind: 'searched', matches: [{ path: 'z.txt', line: 2, text: 'a needle' }], filesSearched: 6 });
    expect(busyMs).toBeLessThan(250);
    expect(await search.search({ ...request, path: '../x' }, noAbort())).toMatchObject({ kind: 'refused', code: 'outside' });
    expect(await search.search({ ...request, pattern: '(' }, noAbort())).toMatchObject({ kind: 'bad_pattern' });
    await search.close();
  });

  it('returns the matches found so far when its time is up', async () => {
    await writeFile(join(root, 'a.txt'), 'needle\n'.repeat(1_000));
    const search = createSearchWorker({ root, entry: ENTRY, budgetMs: 0 });
    expect(await search.search(request, noAbort())).toMatchObject({ kind: 'searched', stopped: 'time' });
    await search.close();
  });

  it('terminates a thread that does not answer, that is cancelled, or whose worker is closed', async () => {
    const search = createSearchWorker({ root, entry: NEVER, budgetMs: -1_900 });
    expect(await search.search(request, noAbort())).toEqual({ kind: 'overrun', by: 'time' });
    const patient = createSearchWorker({ root, entry: NEVER });
    const cancel = new AbortController();
    const cancelled = patient.search(request, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const waiting = Promise.allSettled([
      patient.search(request, noAbort()),
      patient.search(request, noAbort()),
      patient.search(request, noAbort()),
    ]);
    await patient.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
