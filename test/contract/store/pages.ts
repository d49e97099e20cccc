import type { Page, PageRequest } from '../../../src/port/store/page';
import { aMessage, aQuestion, aRun, aSession, aToolExecution, readAll, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

/** Equal times, so that the id decides the order. */
const TIMES = [5_000, 5_000, 5_000, 4_000, 9_000];

export function describePages(store: CurrentStore): void {
  test('pages through each list without a gap or a duplicate, ties included', async () => {
    await seed(store(), async tx => {
      for (const [i, time] of TIMES.entries()) {
        await tx.sessions.insert(aSession({ id: `ses_p${i}`, updatedAt: time }));
        await tx.runs.insert(aRun({ id: `run_p${i}`, status: 'queued', createdAt: time }));
        await tx.toolExecutions.insert(aToolExecution({ id: `exe_p${i}`, createdAt: time }));
        await tx.questions.insert(aQuestion({ id: `question-p${i}`, createdAt: time }));
      }
    });
    const { read } = store();
    const ids = (records: { id: string }[]) => records.map(record => record.id);
    const newestFirst = (prefix: string) => [4, 2, 1, 0, 3].map(i => `${prefix}_p${i}`);
    expect(ids(await readAll(page => read.sessions.list(TENANT, page)))).toEqual([...newestFirst('ses'), 'ses_1']);
    expect(ids(await readAll(page => read.runs.list(TENANT, {}, page)))).toEqual([...newestFirst('run'), 'run_1']);
    expect(ids(await readAll(page => read.runs.list(TENANT, { status: 'queued' }, page)))).toEqual(newestFirst('run'));
    expect(ids(await readAll(page => read.runs.list(TENANT, { sessionId: 'ses_p0' }, page)))).toEqual([]);
    expect(ids(await readAll(page => read.toolExecutions.list(TENANT, {}, page)))).toEqual(newestFirst('exe'));
    expect(ids(await readAll(page => read.questions.list(TENANT, {}, page)))).toEqual([3, 0, 1, 2, 4].map(i => `question-p${i}`));
  });

  test('ends a page before it exceeds maxBytes, and returns a larger record alone', async () => {
    const sizes = [400, 400, 5_000, 400, 400, 400];
    await seed(store(), async tx => {
      for (const [i, size] of sizes.entries()) {
        await tx.sessions.insert(aSession({ id: `ses_b${i}`, updatedAt: 9_000 - i, metadata: { text: 'x'.repeat(size) } }));
        // As JSON it is six times as long as the stored text.
        await tx.runs.insert(aRun({ id: `run_b${i}`, createdAt: 9_000 - i, status: 'queued', input: '\u0001'.repeat(size / 6) }));
        await tx.toolExecutions.insert(aToolExecution({ id: `exe_b${i}`, createdAt: 9_000 - i, result: 'x'.repeat(size) }));
        await tx.questions.insert(aQuestion({ id: `question-b${i}`, createdAt: i, question: 'x'.repeat(size) }));
        await tx.messages.insert([aMessage({ position: i, message: { role: 'user', content: 'x'.repeat(size) } })]);
      }
    });
    const { read } = store();
    const lists = [
      (page: PageRequest) => read.sessions.list(TENANT, page),
      (page: PageRequest) => read.runs.list(TENANT, { status: 'queued' }, page),
      (page: PageRequest) => read.toolExecutions.list(TENANT, {}, page),
      (page: PageRequest) => read.questions.list(TENANT, {}, page),
      (page: PageRequest) => read.messages.list(TENANT, 'ses_1', page),
    ];
    for (const list of lists) {
      const pages = await readPages(cursor => list({ limit: 100, maxBytes: 2_000, ...(cursor !== undefined && { cursor }) }));
      for (const page of pages)
        if (page.length > 1) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(2_000 + page.length + 1);
      const ids = pages.flat().map(({ id }) => id);
      expect(ids.filter(id => /(b|_1_)\d$/.test(id))).toHaveLength(sizes.length);
      expect(new Set(ids).size).toBe(ids.length);
      expect(pages.find(page => page.some(({ id }) => /(b|_1_)2$/.test(id)))).toHaveLength(1);
      expect(pages[0]?.length).toBeGreaterThan(1);
    }
  });

  test('returns a next cursor only when more records follow', async () => {
    await seed(store(), tx => tx.messages.insert([0, 1].map(position => aMessage({ position }))));
    expect(await store().read.messages.list(TENANT, 'ses_1', { limit: 2 })).not.toHaveProperty('nextCursor');
    expect(await store().read.messages.list(TENANT, 'ses_1', { limit: 1 })).toHaveProperty('nextCursor');
  });

  test('refuses a malformed cursor and one of another list', async () => {
    await seed(store(), tx => tx.messages.insert([0, 1].map(position => aMessage({ position }))));
    const { nextCursor } = await store().read.messages.list(TENANT, 'ses_1', { limit: 1 });
    const broken = ['', 'x', 'bnVsbA', Buffer.from('["sessions","a","b"]').toString('base64url'), nextCursor!];
    for (const cursor of broken) {
      const list = store().read.sessions.list(TENANT, { limit: 1, cursor });
      await expect(list).rejects.toMatchObject({ code: 'invalid_request', param: '/cursor' });
    }
  });
}

/** Reads all pages, whatever their number of records. */
async function readPages(list: (cursor?: string) => Promise<Page<{ id: string }>>): Promise<{ id: string }[][]> {
  const pages: { id: string }[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    pages.push(page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}
