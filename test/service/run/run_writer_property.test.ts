/** The run writer over random calls and a store that is slow, unavailable for a while, or broken. */

import fc from 'fast-check';
import { createLocalEventBus } from '../../../src/adapter/local/node/event_bus';
import { createIdSource } from '../../../src/adapter/local/node/ids';
import { AppError } from '../../../src/errors';
import type { RunEvent } from '../../../src/port/run_event';
import type { Lock } from '../../../src/port/store/lock';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { RunHooks } from '../../../src/service/run_log/run_hooks';
import { RunWriter } from '../../../src/service/run_log/run_writer';
import { DeltaTick, WriteTick } from '../../../src/service/run_log/writer_ticks';
import { NO_OBSERVER } from '../../support/no_observer';
import { instantly } from '../../support/runner_bench';
import { aRun } from '../../support/store_records';

const STEPS = ['delta', 'append', 'record', 'flush', 'turn', 'tick', 'unavailable', 'broken', 'abandon'] as const;
type Step = (typeof STEPS)[number];

const run = { ...aRun(), ordinal: 1 };
const usage = (inputTokens: number) => ({ type: 'usage' as const, data: { inputTokens, outputTokens: 0 } });
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));
const seqs = (events: readonly RunEvent[]) => events.map(event => event.seq);
const numbersTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** A store of which each transaction takes two turns of the event loop, and fails as `trouble` says. */
function createStore() {
  const stored: RunEvent[] = [];
  const state = { stored, trouble: undefined as Error | undefined, transactions: 0, open: 0 };
  const transaction = async (_lock: Lock, work: (tx: StoreTransaction) => Promise<unknown>) => {
    expect(++state.open).toBe(1);
    const events: RunEvent[] = [];
    await work({ events: { append: async (_: unknown, more: RunEvent[]) => void events.push(...more) } } as unknown as StoreTransaction);
    await nextTurn();
    await nextTurn();
    state.open -= 1;
    const { trouble } = state;
    if (trouble instanceof AppError) state.trouble = undefined;
    if (trouble) throw trouble;
    state.transactions += 1;
    stored.push(...events);
  };
  return { state, store: { transaction } as unknown as Store };
}

async function play(steps: readonly Step[]) {
  const { state, store } = createStore();
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), after: instantly };
  const bus = createLocalEventBus();
  const abandonment = new AbortController();
  const stops: Error[] = [];
  const deps = {
    store,
    bus,
    clock,
    ids: createIdSource(clock),
    failpoints: { reach: () => undefined },
    hooks: new RunHooks(),
    observer: NO_OBSERVER,
    writeTick: new WriteTick(clock),
    deltaTick: new DeltaTick(clock),
  };
  const owner = { abandoned: abandonment.signal, stop: (reason: Error) => stops.push(reason) };
  const writer = new RunWriter(deps, run, { nextPosition: 1, openExecutions: new Map() }, owner);
  const published: RunEvent[] = [];
  await bus.subscribe(run.sessionId, { events: events => published.push(...events) });
  const outcomes: Promise<unknown>[] = [];
  const shown = (tokens: number) => published.some(event => event.type === 'usage' && event.data.inputTokens === tokens);
  const isStored = (tokens: number) => state.stored.some(event => event.type === 'usage' && event.data.inputTokens === tokens);
  let accepted: number[] = [];
  for (const [i, step] of steps.entries()) {
    if (step === 'delta') writer.delta({ type: 'text_delta', data: { text: `${i} ` } });
    if (step === 'append' && !writer.isClosed) {
      writer.append(usage(i));
      accepted.push(i);
    }
    if (step === 'record' || step === 'flush') {
      const before = [...accepted];
      const own = step === 'record' ? [i] : [];
      accepted = [...before, ...own];
      const written = step === 'record' ? writer.record(usage(i)) : i % 2 ? writer.storeAppended() : writer.storeShown();
      for (const tokens of own) expect(shown(tokens)).toBe(false);
      const check = () => expect([...before, ...own].filter(tokens => !isStored(tokens))).toEqual([]);
      outcomes.push(written.then(check, thrown => expect(writer.isClosed && thrown).toBeInstanceOf(Error)));
    }
    if (step === 'turn') await nextTurn();
    if (step === 'tick') for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    if (step === 'unavailable') state.trouble ??= new AppError('store_unavailable');
    if (step === 'broken') state.trouble = new Error('the disk is broken');
    if (step === 'abandon') abandonment.abort();
  }
  await Promise.all(outcomes);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  return { writer, bus, stops, state, published, accepted };
}

it('numbers, publishes and stores events in one order, whatever the calls and the store do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS, 'append', 'append', 'record', 'turn'), { maxLength: 40 }), async steps => {
      const { writer, bus, stops, state, published, accepted } = await play(steps as Step[]);
      // Published and stored are prefixes of one list without a gap. A record that was stored as the run was abandoned may be unpublished.
      expect(seqs(published)).toEqual(numbersTo(published.length));
      expect(seqs(state.stored)).toEqual(numbersTo(state.stored.length));
      const both = Math.min(published.length, state.stored.length);
      expect(state.stored.slice(0, both)).toEqual(published.slice(0, both));
      expect(state.stored.length).toBeLessThanOrEqual(published.length);
      if (writer.isClosed) {
        const { length } = published;
        expect(() => writer.append(usage(0))).toThrow();
        await expect(writer.record(usage(0))).rejects.toThrow();
        expect(published).toHaveLength(length);
      } else {
        const stored = state.stored.flatMap(event => (event.type === 'usage' ? [event.data.inputTokens] : []));
        expect(stored).toEqual(accepted);
      }
      // After a failed write the run is stopped, and later readers get nothing that was not stored.
      if (stops.length > 0) expect((await bus.subscribe(run.sessionId, { events: () => {} })).live).toEqual([]);
      if (state.trouble && state.trouble === stops[0]) expect(writer.isClosed).toBe(true);
    }),
    { numRuns: 400 },
  );
});

it('stores nothing before the tick, and everything that was appended in one transaction then', async () => {
  const { state, published } = await play(['delta', 'append', 'append', 'delta', 'append']);
  expect(published).toHaveLength(5);
  expect([state.transactions, seqs(state.stored)]).toEqual([1, [1, 2, 3, 4, 5]]);
});

it('leaves live deltas to the transaction of their message', async () => {
  const { state } = await play(['append', 'delta', 'turn']);
  expect(seqs(state.stored)).toEqual([1]);
});
