import { MessageTable } from '../../../src/adapter/sql/sessions/message_table';
import type { ChatMessage } from '../../../src/port/llm';
import type { RunRecord } from '../../../src/port/store/runs';
import type { Store } from '../../../src/port/store/store';
import { isSummarised, type SummaryRecord } from '../../../src/port/store/summaries';
import { HistoryCache } from '../../../src/service/session/history_cache';
import { aMessage, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
let store: Store;
let cache: HistoryCache;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  store = temporary.store;
  cache = new HistoryCache(store, { messages: 40, bytes: 100_000 });
  await store.transaction('none', tx => tx.sessions.insert(aSession()));
});

afterEach(() => temporary.release());

/** Inserts a run with `count` messages, through another store when one is given. */
function addRun(count: number, fields: Partial<RunRecord> = {}, through = store, message?: ChatMessage): Promise<RunRecord> {
  return through.transaction('none', async tx => {
    const run = await tx.runs.insert(aRun({ id: `run_${Math.random()}`, status: 'completed', ...fields }));
    const place = { runId: run.id, runOrdinal: run.ordinal };
    await tx.messages.insert(Array.from({ length: count }, (_, position) => aMessage({ ...place, position, ...(message && { message }) })));
    return run;
  });
}

const storedHistory = () => store.read.messages.history(TENANT, 'ses_1');

const readMessages = async (run: RunRecord) => (await cache.readHistory(run, undefined)).messages;

test('reads the messages of earlier runs from the store once and shares their objects', async () => {
  await addRun(3, { status: 'completed' });
  const second = await addRun(1);
  const first = await readMessages(second);
  expect(first).toEqual(await storedHistory());
  const third = await addRun(1);
  const later = await readMessages(third);
  expect(later).toEqual(await storedHistory());
  expect(later[0]?.message).toBe(first[0]?.message);
  expect(later[2]?.message).toBe(first[2]?.message);
});

test('reads what another process stored between two runs', async () => {
  const another = await temporary.openAnother();
  await readMessages(await addRun(1));
  await another.transaction('none', tx => tx.messages.insert([aMessage({ position: 1 })]));
  await addRun(4, { status: 'completed' }, another);
  await addRun(1, { status: 'cancelled' }, another);
  const last = await addRun(1);
  expect(await readMessages(last)).toEqual(await storedHistory());
  expect(await storedHistory()).toHaveLength(7);
});

test('shares the messages of a run that this process has executed, and reads only later ones', async () => {
  await addRun(2, { status: 'completed' });
  const run = await addRun(3);
  const { messages } = await cache.readHistory(run, undefined);
  cache.addRun(
    run,
    messages.filter(row => row.runOrdinal === run.ordinal),
  );
  const history = jest.spyOn(MessageTable.prototype, 'history');
  const next = await addRun(1);
  const later = await readMessages(next);
  expect(later).toEqual(await storedHistory());
  expect(later.slice(0, 5).map(({ message }) => message)).toEqual(messages.map(({ message }) => message));
  expect(later[4]?.message).toBe(messages[4]?.message);
  expect(history).toHaveBeenCalledWith(TENANT, 'ses_1', { runOrdinal: run.ordinal + 1, position: 0 });
  history.mockRestore();
});

test('takes no messages of a run when a later run has read them, or when the session is gone', async () => {
  const run = await addRun(2);
  const own = await readMessages(run);
  const later = await addRun(1);
  await readMessages(later);
  cache.addRun(run, own);
  expect(await readMessages(later)).toEqual(await storedHistory());
  cache.removeSession(TENANT, 'ses_1');
  cache.addRun(later, own);
  expect(await readMessages(later)).toEqual(await storedHistory());
});

test('reads the history again when a message of it was changed, in another process too', async () => {
  const first = await addRun(2);
  await readMessages(first);
  const another = await temporary.openAnother();
  const [message] = await storedHistory();
  await another.transaction('none', tx => tx.messages.change(TENANT, message?.id ?? '', undefined));
  const next = await addRun(1);
  const session = await store.read.sessions.get(TENANT, 'ses_1');
  expect((await cache.readHistory(next, session)).messages).toEqual(await storedHistory());
  expect(await storedHistory()).toHaveLength(2);
});

test('forgets that a queued message was not cancelled yet', async () => {
  const running = await addRun(2);
  const queued = await addRun(1, { status: 'queued' });
  expect(await readMessages(running)).toHaveLength(3);
  await store.transaction('none', tx => tx.runs.update(TENANT, queued.id, { from: ['queued'] }, { status: 'cancelled', endedAt: 2_000 }));
  const next = await addRun(1);
  expect(await readMessages(next)).toEqual(await storedHistory());
  expect(await storedHistory()).toHaveLength(3);
});

test('reads the whole history again for an earlier run and after the session was removed', async () => {
  const earlier = await addRun(2);
  const later = await addRun(1);
  const cached = await readMessages(later);
  expect(await readMessages(earlier)).toEqual(await storedHistory());
  cache.removeSession(TENANT, 'ses_1');
  const again = await readMessages(later);
  expect(again).toEqual(cached);
  expect(again[0]?.message).not.toBe(cached[0]?.message);
});

describe('a session that was summarised', () => {
  const summaryUpTo = ({ ordinal }: RunRecord, position: number): SummaryRecord => ({
    tenantId: TENANT,
    sessionId: 'ses_1',
    runOrdinal: ordinal,
    position,
    text: 'Beans.',
    createdAt: 1_000,
  });

  async function afterSummary(summary: SummaryRecord) {
    return (await storedHistory()).filter(row => !isSummarised(row, summary));
  }

  test('is read from the end of the summary on, from the store and from the cache', async () => {
    await addRun(4, { status: 'completed' });
    const second = await addRun(6, { status: 'completed' });
    await readMessages(second);
    const summary = summaryUpTo(second, 3);
    await store.transaction('none', tx => tx.summaries.put(summary));
    cache.addSummary(summary);
    const third = await addRun(1);
    const history = await cache.readHistory(third, undefined);
    expect(history).toEqual({ messages: await afterSummary(summary), summary });
    expect(history.messages).toHaveLength(3);
    cache.removeSession(TENANT, 'ses_1');
    expect(await cache.readHistory(third, undefined)).toEqual(history);
    const fourth = await addRun(2);
    expect(await cache.readHistory(fourth, undefined)).toEqual({ messages: await afterSummary(summary), summary });
  });

  test('holds all messages of a run whose first ones are summarised, so that the run can resume', async () => {
    await addRun(4, { status: 'completed' });
    const run = await addRun(6);
    const summary = summaryUpTo(run, 3);
    await store.transaction('none', tx => tx.summaries.put(summary));
    for (const _ of ['store', 'cache']) {
      const { messages, summary: read } = await cache.readHistory(run, undefined);
      expect(messages).toEqual((await storedHistory()).filter(row => row.runOrdinal === run.ordinal));
      expect(read).toEqual(summary);
    }
    expect((await cache.readHistory(await addRun(1), undefined)).messages).toHaveLength(3);
  });

  test('says how it began when messages behind the summary were not read', async () => {
    const first = await addRun(2, { status: 'completed' });
    await store.transaction('none', tx => tx.summaries.put(summaryUpTo(first, 1)));
    for (let i = 0; i < 50; i++) await addRun(2, { status: 'completed' });
    const { messages, opening, summary } = await cache.readHistory(await addRun(1), undefined);
    expect(messages.length).toBeLessThanOrEqual(52);
    expect(opening).toEqual((await storedHistory())[0]?.message);
    expect(summary).toEqual(summaryUpTo(first, 1));
  });
});

describe('a session that is longer than the window', () => {
  /** Runs of two messages each. */
  async function addRuns(count: number): Promise<RunRecord[]> {
    const runs: RunRecord[] = [];
    for (let i = 0; i < count; i++) runs.push(await addRun(2, { status: 'completed' }));
    return runs;
  }

  /** Counts the messages that reads of the cache parse. */
  function countRows(): () => number {
    let rows = 0;
    const messages = Object.create(store.read.messages, {
      history: {
        value: async (...range: Parameters<typeof store.read.messages.history>) => {
          const found = await store.read.messages.history(...range);
          rows += found.length;
          return found;
        },
      },
    });
    const counted: typeof store.read = Object.create(store.read, { messages: { value: messages } });
    cache = new HistoryCache({ read: counted }, { messages: 40, bytes: 100_000 });
    return () => rows;
  }

  test('is read as far back as the window needs, with its opening, however long it is', async () => {
    await addRuns(300);
    const rows = countRows();
    const last = await addRun(1);
    const { messages, opening } = await cache.readHistory(last, undefined);
    expect(rows()).toBeGreaterThan(40);
    expect(rows()).toBeLessThanOrEqual(52);
    expect(messages).toEqual((await storedHistory()).slice(-messages.length));
    expect(messages[0]?.message.role).toBe('user');
    expect(opening).toEqual((await storedHistory())[0]?.message);
  });

  test('has no opening when it is read from its first message on', async () => {
    const last = await addRun(60);
    const { messages, opening } = await cache.readHistory(last, undefined);
    expect(messages).toHaveLength(60);
    expect(opening).toBeUndefined();
  });

  test('is read again from a later start once its cached part is twice the window', async () => {
    await addRuns(30);
    const rows = countRows();
    for (let i = 0; i < 100; i++) {
      const { messages } = await cache.readHistory(await addRun(2), undefined);
      expect(messages.length).toBeLessThanOrEqual(84);
    }
    expect(rows()).toBeLessThan(100 * 7);
  });

  test('keeps its start for many turns, also without the cache', async () => {
    const runs = await addRuns(90);
    const starts = new Set<string>();
    for (const run of runs.slice(50)) {
      cache.removeSession(TENANT, 'ses_1');
      starts.add((await readMessages(run))[0]?.id ?? '');
    }
    expect(starts.size).toBeLessThanOrEqual(12);
  });

  test('is cut where its messages are long, and always holds the run itself', async () => {
    const long = { role: 'user' as const, content: 'x'.repeat(60_000) };
    for (let i = 0; i < 5; i++) await addRun(1, { status: 'completed' }, store, long);
    const last = await addRun(60, {}, store, long);
    const messages = await readMessages(last);
    expect(messages).toHaveLength(60);
  });

  test('is cut inside the copied history of a fork', async () => {
    await store.transaction('none', tx =>
      tx.messages.insert(Array.from({ length: 300 }, (_, position) => aMessage({ runOrdinal: 0, position }))),
    );
    const messages = await readMessages(await addRun(1));
    expect(messages.length).toBeGreaterThan(40);
    expect(messages.length).toBeLessThanOrEqual(52);
  });
});
