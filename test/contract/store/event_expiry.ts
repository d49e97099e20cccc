import type { RunRecord } from '../../../src/port/store/runs';
import type { StoreTransaction } from '../../../src/port/store/store';
import { aMessage, aRun, aSession, numbered, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OLD = 5_000;
const BEFORE = 10_000;
const RECENT = 10_000;

/** Stores a run with this number of events; by default it ended at `OLD`. */
async function addRun(tx: StoreTransaction, id: string, events: number, fields: Partial<RunRecord> = {}): Promise<void> {
  const run = await tx.runs.insert(aRun({ id, status: 'completed', endedAt: OLD, ...fields }));
  const bodies = Array.from({ length: events }, (_, i) => textDelta(`${i}`));
  await tx.events.append(run, numbered(bodies, 1, run));
}

export function describeEventExpiry(store: CurrentStore): void {
  const add = (work: (tx: StoreTransaction) => Promise<void>) => store().transaction('none', work);
  const expirePart = (keepPerSession: number, before = BEFORE) =>
    store().transaction('none', tx => tx.eventExpiry.expire(before, keepPerSession, 2_000));
  /** Expires all that can expire; resolves the number of runs of each call. */
  const expireAll = async (keepPerSession: number, before = BEFORE) => {
    const expired: number[] = [];
    for (let isMore = true; isMore; ) {
      const part = await expirePart(keepPerSession, before);
      expired.push(part.expired);
      isMore = part.isMore;
    }
    return expired;
  };
  const expire = async (keepPerSession: number, before = BEFORE) => (await expireAll(keepPerSession, before)).reduce((sum, n) => sum + n);
  const hasEvents = async (id: string, tenantId = TENANT) => {
    const events = await store().read.events.list(tenantId, id, 0, 100);
    const run = await store().read.runs.get(tenantId, id);
    expect(run?.eventsExpired).toBe(events.length > 0 ? undefined : true);
    return events.length > 0;
  };
  const withEvents = async (...ids: string[]) => {
    const found: string[] = [];
    for (const id of ids) if (await hasEvents(id)) found.push(id);
    return found;
  };
  beforeEach(() => store().transaction('none', tx => tx.sessions.insert(aSession())));

  test('deletes the events of a long run in parts, and gives readers none of them in between', async () => {
    const ROWS = 2_500;
    const body = { type: 'message_end' as const, data: { role: 'user' as const, content: 'x' } };
    const addLong = (id: string) =>
      add(async tx => {
        const run = await tx.runs.insert(aRun({ id, status: 'completed', endedAt: OLD }));
        await tx.events.append(
          run,
          numbered(
            Array.from({ length: ROWS }, () => body),
            1,
            run,
          ),
        );
      });
    const left = async (id: string) => (await store().read.events.list(TENANT, id, 0, ROWS)).length;
    await addLong('run_1');
    expect(await expirePart(0)).toEqual({ expired: 0, isMore: true });
    expect(await left('run_1')).toBe(ROWS - 2_000);
    expect((await store().read.runs.get(TENANT, 'run_1'))?.eventsExpired).toBe(true);
    expect(await expire(0)).toBe(1);
    expect(await left('run_1')).toBe(0);

    await addLong('run_2');
    const parts: boolean[] = [];
    for (let i = 0; i < 3; i++) parts.push(await store().transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_1', 2_000)));
    expect(parts).toEqual([true, true, false]);
    expect(await left('run_2')).toBe(0);
  });

  test('deletes the events of an old run and keeps the run, its lastSeq and its messages', async () => {
    await add(async tx => {
      await addRun(tx, 'run_1', 5);
      await tx.messages.insert([aMessage()]);
    });
    expect(await expire(0)).toBe(1);
    const run = await store().read.runs.get(TENANT, 'run_1');
    expect(run).toEqual({
      ...aRun({ status: 'completed', endedAt: OLD, lastSeq: 5, eventsExpired: true }),
      ordinal: 1,
    });
    expect(await store().read.events.list(TENANT, 'run_1', 0, 100)).toEqual([]);
    expect(await store().read.messages.history(TENANT, 'ses_1')).toHaveLength(1);
    expect((await store().read.runs.list(TENANT, {}, { limit: 5 })).data).toEqual([run]);
    expect(await expire(0)).toBe(0);
  });

  test('keeps the newest runs of a session up to the sum of events, and none before the first that exceeds it', async () => {
    await add(async tx => {
      await addRun(tx, 'run_1', 1);
      await addRun(tx, 'run_2', 5);
      await addRun(tx, 'run_3', 4);
      await addRun(tx, 'run_4', 6);
    });
    expect(await expire(10)).toBe(2);
    expect(await withEvents('run_1', 'run_2', 'run_3', 'run_4')).toEqual(['run_3', 'run_4']);
    expect(await expire(10)).toBe(0);
    expect(await expire(9)).toBe(1);
    expect(await withEvents('run_3', 'run_4')).toEqual(['run_4']);
  });

  test('counts each session of each tenant separately', async () => {
    await add(async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      await addRun(tx, 'run_1', 8);
      await addRun(tx, 'run_2', 8, { sessionId: 'ses_2' });
      await addRun(tx, 'run_1', 8, { tenantId: 'globex' });
      await addRun(tx, 'run_2', 8, { tenantId: 'globex' });
    });
    expect(await expire(8)).toBe(1);
    expect(await withEvents('run_1', 'run_2')).toEqual(['run_1', 'run_2']);
    expect([await hasEvents('run_1', 'globex'), await hasEvents('run_2', 'globex')]).toEqual([false, true]);
  });

  test.each([
    ['running', undefined],
    ['waiting', OLD],
  ] as const)('keeps a run that is %s, queued or ended at that time or later, but counts its events', async (status, endedAt) => {
    await add(async tx => {
      await addRun(tx, 'run_1', 2);
      await addRun(tx, 'run_2', 3, { endedAt: RECENT });
      await addRun(tx, 'run_3', 3, { status, endedAt });
      await addRun(tx, 'run_4', 3, { status: 'queued', endedAt: OLD });
      await addRun(tx, 'run_5', 3, { status: 'queued', endedAt: undefined });
    });
    expect(await expire(13)).toBe(1);
    expect(await expire(0)).toBe(0);
    expect(await withEvents('run_1', 'run_2', 'run_3', 'run_4', 'run_5')).toEqual(['run_2', 'run_3', 'run_4', 'run_5']);
    expect(await expire(12, RECENT + 1)).toBe(0);
    expect(await expire(11, RECENT + 1)).toBe(1);
  });

  test('expires kept runs once newer runs of the session are old', async () => {
    await add(tx => addRun(tx, 'run_1', 6));
    expect(await expire(10)).toBe(0);
    await add(tx => addRun(tx, 'run_2', 6, { endedAt: RECENT }));
    expect(await expire(10, RECENT + 1)).toBe(1);
    expect(await withEvents('run_1', 'run_2')).toEqual(['run_2']);
  });

  test('expires at most 500 runs a call, the oldest of a session first, also when many others are kept', async () => {
    await add(async tx => {
      for (let i = 0; i < 510; i++) {
        await tx.sessions.insert(aSession({ id: `ses_kept_${i}` }));
        await addRun(tx, `run_kept_${i}`, 1, { sessionId: `ses_kept_${i}`, endedAt: 1_000 });
      }
      for (let i = 0; i < 520; i++) await addRun(tx, `run_${i}`, 2);
    });
    const expired = await expireAll(10);
    expect(Math.max(...expired)).toBeLessThanOrEqual(500);
    expect(expired.reduce((sum, count) => sum + count)).toBe(515);
    const { data } = await store().read.runs.list(TENANT, { sessionId: 'ses_1' }, { limit: 1_000 });
    const left = data.filter(run => !run.eventsExpired).map(run => run.ordinal);
    expect(left.sort((a, b) => a - b)).toEqual([516, 517, 518, 519, 520]);
    expect(await hasEvents('run_kept_509')).toBe(true);
  });
}
