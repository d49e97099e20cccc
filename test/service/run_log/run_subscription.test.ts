/** Subscriptions over a real event bus and database file, while a run is being written. */
import fc from 'fast-check';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { createLocalEventBus } from '../../../src/adapter/local/node/event_bus';
import type { EventBus } from '../../../src/port/event_bus';
import type { RunEvent } from '../../../src/port/run_event';
import type { RunRecord } from '../../../src/port/store/runs';
import type { Store } from '../../../src/port/store/store';
import { EventPageCache } from '../../../src/service/run_log/event_page_cache';
import type { ReplayReset } from '../../../src/service/run_log/event_sink';
import { ReaderScheduler } from '../../../src/service/run_log/reader_scheduler';
import { RunSubscription, type SubscriptionRequest } from '../../../src/service/run_log/run_subscription';
import { openRun, takeOverRun } from '../../support/run_writer';
import { aRun, aSession, numbered, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
let store: Store;

beforeAll(async () => {
  temporary = await openTemporaryStore();
  store = temporary.store;
});

afterAll(() => temporary.release());

/** Subscribes and collects the events. A slow reader takes a turn of the event loop for each batch. */
function startReader(bus: EventBus, request: SubscriptionRequest, isSlow = false) {
  const taken: (RunEvent | ReplayReset)[] = [];
  const subscription = new RunSubscription(
    { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
    request,
    events => {
      taken.push(...events);
      return isSlow ? new Promise(resolve => setImmediate(resolve)) : undefined;
    },
  );
  const started = subscription.start();
  const ended = started.then(() => subscription.ended);
  return { taken, ended, started, subscription };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve));
}

const usage = (inputTokens: number) => ({ type: 'usage' as const, data: { inputTokens, outputTokens: 0 } });

/** Returns what the reader shows: a replay_reset replaces everything before it. */
function copyOf(taken: readonly (RunEvent | ReplayReset)[]): RunEvent[] {
  const reset = taken.findLastIndex(event => event.type === 'replay_reset');
  const { data } = (taken[reset] as ReplayReset | undefined) ?? { data: { snapshot: { events: [] } } };
  return [...data.snapshot.events, ...(taken.slice(reset + 1) as RunEvent[])];
}

const seqs = (events: readonly (RunEvent | ReplayReset)[]) => events.map(event => ('seq' in event ? event.seq : event.type));

it('delivers a run that a reader joins before its first event, without reading the store, also events before `start`', async () => {
  const { run, bus, writer } = await openRun(store);
  const unread = new Proxy({} as Store, {
    get() {
      throw new Error('the store was read');
    },
  });
  const taken: (RunEvent | ReplayReset)[] = [];
  const pages = new EventPageCache(unread, new ReaderScheduler());
  const subscription = new RunSubscription({ store: unread, bus, clock: createSystemClock(), pages }, followOf(run, 0), events => {
    taken.push(...events);
  });
  await subscription.join();
  await writer.record({ type: 'usage', data: { inputTokens: 1, outputTokens: 0 } });
  expect(taken).toEqual([]);
  await subscription.start();
  expect(seqs(taken)).toEqual([1]);
  await writer.record({ type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 0, outputTokens: 0 } } });
  await subscription.ended;
  expect(seqs(taken)).toEqual([1, 2]);
});

type Step = 'delta' | 'append' | 'record' | 'wait' | 'join';

/** Writes according to the steps. Each `join` subscribes a reader with a cursor between 0 and the last seq at that time. */
async function play(steps: readonly Step[], cursors: readonly number[], isSlow: boolean) {
  const { run, bus, writer } = await openRun(store);
  const readers: { after: number; taken: (RunEvent | ReplayReset)[]; ended: Promise<void> }[] = [];
  const reference = startReader(bus, followOf(run, 0));
  let joined = 0;
  for (const [i, step] of steps.entries()) {
    if (step === 'delta') writer.delta({ type: 'text_delta', data: { text: `${i} ` } });
    if (step === 'append') writer.append(usage(i));
    if (step === 'record') await writer.record({ type: 'usage', data: { inputTokens: i, outputTokens: 0 } });
    if (step === 'wait') await new Promise(resolve => setImmediate(resolve));
    if (step === 'join') {
      const seen = reference.taken.length;
      const after = Math.round(seen * (cursors[joined++ % cursors.length] as number));
      readers.push({ after, ...startReader(bus, followOf(run, after), isSlow) });
    }
  }
  await writer.record(
    { type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 0, outputTokens: 0 } } },
    undefined,
    async tx => {
      await tx.runs.update(TENANT, run.id, { from: ['running'] }, { status: 'completed' });
    },
  );
  await Promise.all([reference.ended, ...readers.map(reader => reader.ended)]);
  return { run, reference, readers };
}

const followOf = (run: RunRecord, seq: number): SubscriptionRequest => ({
  tenantId: TENANT,
  sessionId: run.sessionId,
  after: { runId: run.id, seq },
  onlyRun: true,
});

describe('a subscription', () => {
  it('delivers every event after any cursor once and in order, at any time', async () => {
    const step = fc.constantFrom<Step[]>('delta', 'delta', 'append', 'append', 'record', 'wait', 'join');
    const cursor = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(cursor, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (steps, cursors, isSlow) => {
          const { run, reference, readers } = await play(steps, cursors, isSlow);
          const all = await store.read.events.list(TENANT, run.id, 0, 1_000);
          expect(seqs(all)).toEqual(all.map((_, i) => i + 1));
          expect(reference.taken).toEqual(all);
          for (const reader of readers) expect(reader.taken).toEqual(all.slice(reader.after));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('to one run ends with its run_end', async () => {
    const { reference } = await play(['record'], [0], false);
    expect(reference.taken.at(-1)).toMatchObject({ type: 'run_end' });
  });

  it('without a cursor starts at the first event of the active run', async () => {
    const { run, bus, writer } = await openRun(store);
    await writer.record({ type: 'usage', data: { inputTokens: 1, outputTokens: 1 } });
    const taken: (RunEvent | ReplayReset)[] = [];
    const subscription = new RunSubscription(
      { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
      { tenantId: TENANT, sessionId: run.sessionId },
      events => void taken.push(...events),
    );
    await subscription.start();
    await writer.record({ type: 'usage', data: { inputTokens: 2, outputTokens: 1 } });
    expect(seqs(taken)).toEqual([1, 2]);
    subscription.stop();
    await writer.record({ type: 'usage', data: { inputTokens: 3, outputTokens: 1 } });
    expect(seqs(taken)).toEqual([1, 2]);
  });

  it('sends one batch to a reader that never takes it, and can be stopped', async () => {
    const { run, bus, writer } = await openRun(store);
    let delivered = 0;
    const subscription = new RunSubscription(
      { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
      followOf(run, 0),
      events => {
        delivered += events.length;
        return new Promise(() => {});
      },
    );
    void subscription.start();
    for (let i = 0; i < 5; i++) await writer.record({ type: 'usage', data: { inputTokens: i, outputTokens: 0 } });
    expect(delivered).toBeLessThanOrEqual(1);
    subscription.stop();
    await subscription.ended;
  });

  it('to a session continues after a buffer overflow, also when a queued run was cancelled during it', async () => {
    const { run, bus, writer } = await openRun(store);
    const queued = await store.transaction('none', tx =>
      tx.runs.insert(aRun({ id: `${run.id}_next`, sessionId: run.sessionId, status: 'queued' })),
    );
    const taken: RunEvent[] = [];
    const gate = Promise.withResolvers<void>();
    const request = { tenantId: TENANT, sessionId: run.sessionId, after: { runId: run.id, seq: 0 } };
    const subscription = new RunSubscription(
      { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
      request,
      events => {
        taken.push(...(events as RunEvent[]));
        // Busy from the end of the cancelled run until everything else is written.
        return taken.some(event => event.runId === queued.id) ? gate.promise : undefined;
      },
    );
    await subscription.start();
    await writer.record({ type: 'usage', data: { inputTokens: 1, outputTokens: 1 } });
    const usage = { inputTokens: 0, outputTokens: 0 };
    const end = numbered([{ type: 'run_end', data: { status: 'cancelled', text: '', usage } }], 1, queued);
    await store.transaction('none', tx => tx.events.append(queued, end));
    bus.publish(end);
    // More than the buffer for a busy reader holds.
    await Promise.all(Array.from({ length: 2_500 }, () => writer.record({ type: 'usage', data: { inputTokens: 2, outputTokens: 1 } })));
    gate.resolve();
    await writer.record({ type: 'run_end', data: { status: 'completed', text: '', usage } });
    while (!taken.some(event => event.runId === run.id && event.type === 'run_end')) await new Promise(resolve => setImmediate(resolve));
    subscription.stop();
    expect(seqs(taken.filter(event => event.runId === run.id))).toEqual(Array.from({ length: 2_502 }, (_, i) => i + 1));
    expect(seqs(taken.filter(event => event.runId === queued.id))).toEqual([1]);
  });

  it('ends when its reader throws, without an effect on other readers', async () => {
    const { run, bus, writer } = await openRun(store);
    const broken = new RunSubscription(
      { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
      followOf(run, 0),
      () => {
        throw new Error('the pipe is gone');
      },
    );
    await broken.start();
    const healthy = startReader(bus, followOf(run, 0));
    await writer.record({ type: 'usage', data: { inputTokens: 1, outputTokens: 1 } });
    await broken.ended;
    await writer.record({ type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 0, outputTokens: 0 } } });
    await healthy.ended;
    expect(seqs(healthy.taken)).toEqual([1, 2]);
  });

  describe('when another process has acquired the run', () => {
    /** One stored event and two that only readers of the first process have got. */
    async function takeOver(after?: number) {
      const first = await openRun(store);
      const { tenantId, sessionId, id: runId } = first.run;
      await first.writer.record(usage(1));
      const request = { tenantId, sessionId, ...(after !== undefined && { after: { runId, seq: after } }) };
      const reader = startReader(first.bus, request);
      await reader.started;
      first.writer.append(usage(2));
      first.writer.append(usage(3));
      const second = await takeOverRun(store, first.run);
      await second.writer.record(usage(12));
      return { first, second, reader, stored: () => store.read.events.list(TENANT, runId, 0, 1_000) };
    }

    it('is reset when the first process finds that it cannot store what it published', async () => {
      const { first, second, reader, stored } = await takeOver();
      expect(seqs(reader.taken)).toEqual([1, 2, 3]);
      for (const tokens of [13, 14]) await second.writer.record(usage(tokens));
      await expect(first.writer.record(usage(4))).rejects.toMatchObject({ name: 'FencedError' });
      await until(() => reader.taken.length > 3);
      expect(seqs(reader.taken)).toEqual([1, 2, 3, 'replay_reset']);
      expect(copyOf(reader.taken)).toEqual(await stored());
      reader.subscription.stop();
    });

    it('is reset when it reads again before the first process has found out', async () => {
      const { second, reader, stored } = await takeOver();
      for (const tokens of [13, 14]) await second.writer.record(usage(tokens));
      reader.subscription.readAgain();
      await until(() => reader.taken.length > 3);
      expect(copyOf(reader.taken)).toEqual(await stored());
      reader.subscription.stop();
    });

    it('is not reset when it had only stored events', async () => {
      const first = await openRun(store);
      await first.writer.record(usage(1));
      const reader = startReader(first.bus, followOf(first.run, 0));
      await reader.started;
      const second = await takeOverRun(store, first.run);
      await second.writer.record(usage(2));
      first.bus.withdraw(first.run.sessionId, first.run.id);
      reader.subscription.readAgain();
      await until(() => reader.taken.length > 1);
      expect(seqs(reader.taken)).toEqual([1, 2]);
      reader.subscription.stop();
    });

    it('is sent nothing after the end of the run, whatever the first process still publishes', async () => {
      const { first, second, reader, stored } = await takeOver();
      const end = { status: 'completed' as const, text: '', usage: { inputTokens: 0, outputTokens: 0 } };
      const { tenantId, id } = first.run;
      await second.writer.record({ type: 'run_end', data: end }, undefined, async tx => {
        await tx.runs.update(tenantId, id, { from: ['running'] }, { status: 'completed', endedAt: 2_000 });
      });
      reader.subscription.readAgain();
      await until(() => reader.taken.length > 3);
      for (const tokens of [4, 5]) first.writer.append(usage(tokens));
      reader.subscription.readAgain();
      const late = startReader(first.bus, { ...followOf(first.run, 0), onlyRun: true });
      await late.ended;
      expect(copyOf(late.taken)).toEqual(await stored());
      await new Promise(resolve => setTimeout(resolve, 50));
      expect(copyOf(reader.taken)).toEqual(await stored());
      reader.subscription.stop();
    });

    it('is sent the events that were stored elsewhere before a later one that is published here', async () => {
      const { first, second, reader, stored } = await takeOver();
      first.bus.withdraw(first.run.sessionId, first.run.id);
      await until(() => reader.taken.length > 3);
      await second.writer.record(usage(13));
      const third = await takeOverRun(store, first.run);
      await third.writer.record(usage(14));
      const all = await stored();
      first.bus.publish(all.slice(-1));
      await until(() => copyOf(reader.taken).length === all.length);
      expect(copyOf(reader.taken)).toEqual(all);
      reader.subscription.stop();
    });
  });

  it('replays every later run after a cursor, also when there are very many', async () => {
    const RUNS = 2_100;
    const ended = { tenantId: TENANT, sessionId: 'ses_many', status: 'completed' as const, endedAt: 2_000, lastSeq: 1 };
    await store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_many' }));
      for (let i = 0; i < RUNS; i++) {
        const run = aRun({ ...ended, id: `run_many_${i}` });
        await tx.runs.insert(run, numbered([usage(i)], 1, run));
      }
    });
    const request = { tenantId: TENANT, sessionId: 'ses_many', after: { runId: 'run_many_0', seq: 1 } };
    const reader = startReader(createLocalEventBus(), request);
    await reader.started;
    reader.subscription.stop();
    expect(reader.taken.map(event => event.runId)).toEqual(Array.from({ length: RUNS - 1 }, (_, i) => `run_many_${i + 1}`));
  });

  it('is reset without events when the deletion of a long run has begun', async () => {
    const events = Array.from({ length: 2_500 }, (_, i) => usage(i));
    const run = aRun({ id: 'run_long', sessionId: 'ses_long', status: 'completed', endedAt: 2_000, lastSeq: events.length });
    await store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_long' }));
      await tx.runs.insert(run, numbered(events, 1, run));
    });
    await store.transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_long', 2_000));
    // A replay that began before shows a beginning without a gap.
    expect((await store.read.events.list(TENANT, 'run_long', 0, 5_000)).map(event => event.seq)).toEqual(
      events.slice(0, 500).map((_, i) => i + 1),
    );
    const reader = startReader(createLocalEventBus(), { tenantId: TENANT, sessionId: 'ses_long', after: { runId: 'run_long', seq: 3 } });
    await reader.started;
    reader.subscription.stop();
    expect(reader.taken).toMatchObject([{ type: 'replay_reset', data: { lastSeq: events.length, snapshot: { events: [] } } }]);
  });

  it('is refused for a run of another session', async () => {
    const [{ run }, { run: other, bus }] = [await openRun(store), await openRun(store)];
    const subscription = new RunSubscription(
      { store, bus, clock: createSystemClock(), pages: new EventPageCache(store, new ReaderScheduler()) },
      { ...followOf(run, 0), sessionId: other.sessionId },
      () => {},
    );
    await expect(subscription.start()).rejects.toMatchObject({ code: 'not_found' });
  });
});
