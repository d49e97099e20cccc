import { AppError } from '../../../src/errors';
import type { RunEvent } from '../../../src/port/run_event';
import type { Lock } from '../../../src/port/store/lock';
import type { RunRecord } from '../../../src/port/store/runs';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { openRun } from '../../support/run_writer';
import { TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
});

afterAll(() => temporary.release());

const usage = { type: 'usage' as const, data: { inputTokens: 1, outputTokens: 1 } };
const text = (piece: string) => ({ type: 'text_delta' as const, data: { text: piece } });
const output = (toolCallId: string, piece: string) => ({
  type: 'tool_call_delta' as const,
  data: { toolCallId, name: 'bash', output: piece },
});

async function setUp(fields: Partial<RunRecord> = {}) {
  const { store } = temporary;
  const { run, bus, writer, owner } = await openRun(store, undefined, fields);
  const seen: RunEvent[] = [];
  await bus.subscribe(run.sessionId, { events: events => seen.push(...events) });
  return { store, run, bus, seen, writer, owner, stored: () => store.read.events.list(TENANT, run.id, 0, 1_000) };
}

describe('the writer of a run', () => {
  it('merges deltas of the same stream in one turn of the event loop, and keeps different streams apart', async () => {
    const { writer, seen } = await setUp();
    for (const piece of ['a', 'b', 'c']) writer.delta(text(piece));
    writer.delta({ type: 'reasoning_delta', data: { text: 'hm' } });
    writer.delta(text('d'));
    writer.delta(output('1', 'x'));
    writer.delta(output('1', 'y'));
    writer.delta(output('2', 'z'));
    await writer.record(usage);
    expect(seen.map(({ type, data }) => ({ type, data }))).toEqual([
      text('abc'),
      { type: 'reasoning_delta', data: { text: 'hm' } },
      text('d'),
      output('1', 'xy'),
      output('2', 'z'),
      usage,
    ]);
  });

  it('notes the time of the newest event at the owner of the run', async () => {
    const { writer, owner, seen } = await setUp();
    expect(owner.lastEventAt).toBeUndefined();
    writer.delta(text('a'));
    await writer.record(usage);
    expect(owner.lastEventAt).toBe(Date.parse(seen.at(-1)?.ts ?? ''));
  });

  it('stores nothing twice when a commit succeeded whose outcome the store could not tell', async () => {
    const { store } = temporary;
    let isLost = false;
    const uncertain: Store = Object.assign(Object.create(store) as Store, {
      transaction: async <T>(lock: Lock, work: (tx: StoreTransaction) => Promise<T>) => {
        const result = await store.transaction(lock, work);
        if (!isLost) return result;
        isLost = false;
        throw new AppError('store_unavailable');
      },
    });
    const { run, writer } = await openRun(uncertain);
    isLost = true;
    await writer.record(usage);
    await writer.record(usage);
    expect((await store.read.events.list(TENANT, run.id, 0, 1_000)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('publishes deltas without a record, and does not change its arguments', async () => {
    const { writer, seen, stored } = await setUp();
    const first = text('a');
    writer.delta(first);
    writer.delta(text('b'));
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    expect(seen.map(event => event.data)).toEqual([{ text: 'ab' }]);
    expect(first.data.text).toBe('a');
    expect(await stored()).toEqual([]);
  });

  it('stores deltas with a recorded message before it publishes the message', async () => {
    const { writer, seen, stored, run, store } = await setUp();
    writer.delta(text('hello'));
    const message = { role: 'assistant' as const, content: 'hello' };
    let seenInTransaction = -1;
    await writer.record({ type: 'message_end', data: { role: 'assistant', content: 'hello' } }, message, async () => {
      seenInTransaction = seen.length;
    });
    expect(seenInTransaction).toBe(1);
    expect(await stored()).toEqual(seen);
    expect((await store.read.messages.history(TENANT, run.sessionId)).map(row => row.message)).toEqual([message]);
  });

  it('stores deltas and appended events before it publishes them, for a run that publishes stored events', async () => {
    const interaction = { clarify: 'text' as const, clarifyTimeoutMs: 1, publishes: 'stored' as const };
    const { writer, seen, stored, run, store } = await setUp({ interaction });
    writer.delta(text('hel'));
    writer.delta(text('lo'));
    const message = { role: 'assistant' as const, content: 'hello' };
    writer.append({ type: 'message_end', data: { role: 'assistant', content: 'hello' } }, message);
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    expect(seen).toEqual([]);
    await writer.storeAppended();
    expect(seen.map(event => event.data)).toEqual([{ text: 'hello' }, { role: 'assistant', content: 'hello' }]);
    expect(await stored()).toEqual(seen);
    expect((await store.read.messages.history(TENANT, run.sessionId)).map(row => row.message)).toEqual([message]);
  });

  it('stores the text of an unfinished message when a reader asks for it, and the message later', async () => {
    const { writer, seen, stored } = await setUp();
    writer.delta(text('hel'));
    await writer.storeShown();
    expect(await stored()).toEqual(seen);
    expect(seen.map(event => event.data)).toEqual([{ text: 'hel' }]);
    writer.delta(text('lo'));
    await writer.record({ type: 'message_end', data: { role: 'assistant', content: 'hello' } });
    expect(await stored()).toEqual(seen);
    expect(seen.map(event => event.type)).toEqual(['text_delta', 'text_delta', 'message_end']);
  });

  it('publishes the deltas of such a run without a record, once a tick has stored them', async () => {
    const interaction = { clarify: 'text' as const, clarifyTimeoutMs: 1, publishes: 'stored' as const };
    const { writer, bus, run, stored } = await setUp({ interaction });
    const published = new Promise<RunEvent>(resolve => void bus.subscribe(run.sessionId, { events: ([event]) => event && resolve(event) }));
    writer.delta(text('hel'));
    writer.delta(text('lo'));
    expect((await published).data).toEqual({ text: 'hello' });
    expect(await stored()).toEqual([await published]);
  });

  it('numbers many records at once in order and without a gap', async () => {
    const { writer, stored } = await setUp();
    await Promise.all(Array.from({ length: 50 }, (_, i) => writer.record({ type: 'usage', data: { inputTokens: i, outputTokens: 0 } })));
    const events = await stored();
    expect(events.map(event => [event.seq, event.data])).toEqual(
      Array.from({ length: 50 }, (_, i) => [i + 1, { inputTokens: i, outputTokens: 0 }]),
    );
  });

  it('rejects every record after a failed write, and publishes none of them', async () => {
    const { writer, seen } = await setUp();
    const boom = new Error('disk full');
    await expect(writer.record(usage, undefined, () => Promise.reject(boom))).rejects.toThrow('disk full');
    await expect(writer.record(usage)).rejects.toThrow('disk full');
    expect(seen).toEqual([]);
  });

  it('rejects every record after its run was abandoned, and publishes none of them', async () => {
    const { store } = temporary;
    const abandonment = new AbortController();
    const { run, bus, writer } = await openRun(store, abandonment.signal);
    const seen: RunEvent[] = [];
    await bus.subscribe(run.sessionId, { events: events => seen.push(...events) });
    writer.delta(text('unfinished'));
    abandonment.abort();
    await expect(writer.record(usage)).rejects.toThrow('no longer written here');
    expect([writer.isClosed, seen]).toEqual([true, []]);
  });
});
