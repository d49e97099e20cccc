import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { RunRecord } from '../../../src/port/store/runs';
import { CallerPresence } from '../../../src/service/run/caller_presence';
import { NodeLease } from '../../../src/service/run/node_lease';
import type { HeartbeatListener } from '../../../src/service/run/run_supervisor';
import { isBoundToCaller } from '../../../src/service/run/start_request';
import { createManualClock } from '../../support/manual_clock';
import { aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const RUN = { tenantId: TENANT, id: 'run_1', callerAt: 'node-1' };

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});

afterEach(() => temporary.release());

/** Gateways on a store of one run, whose callers wait at `node-1`. */
async function setUp(fields: Partial<RunRecord> = {}) {
  const { store } = temporary;
  const clock = createManualClock();
  const cancelled: string[] = [];
  const errors: unknown[] = [];
  const run = { ...aRun({ ...RUN, door: 'openai', callerUntil: WITH_NODE_LEASE, ...fields }), ordinal: 1 };
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.runs.insert(run);
  });
  /** Gateway -> its lease and its heartbeat. */
  const gateways = new Map<CallerPresence, { lease: NodeLease; heartbeat: HeartbeatListener }>();
  const presenceAt = (self: string) => {
    let heartbeat: HeartbeatListener = async () => {};
    const lease = new NodeLease({ store, clock, identity: { self, isGone: () => false }, isShared: false });
    const presence = new CallerPresence({
      store,
      clock,
      identity: { self, isGone: () => false },
      nodeLease: lease,
      supervisor: {
        onHeartbeat: listener => {
          heartbeat = listener;
        },
      },
      executor: {
        cancel: async (_tenantId, runId) => {
          cancelled.push(`${runId} by ${self}`);
          if (runId === 'run_gone') throw new Error('There is no such run.');
          return run;
        },
      },
      onError: (_message, error) => void errors.push(error),
    });
    gateways.set(presence, { lease, heartbeat });
    return presence;
  };
  const presence = presenceAt('node-1');
  await gateways.get(presence)?.lease.renew();
  /** Lets `milliseconds` pass with a heartbeat of the given gateways every 5 s. */
  const beat = async (milliseconds: number, ...living: CallerPresence[]) => {
    for (let passed = 0; passed < milliseconds; passed += 5_000) {
      clock.advance(Math.min(5_000, milliseconds - passed));
      await settled();
      for (const gateway of living) {
        const { lease, heartbeat } = gateways.get(gateway) ?? {};
        if (lease?.isNeeded) await lease.renew();
        await heartbeat?.();
      }
    }
  };
  /** The process of `node-1` has died, and a new process of its machine has seen that. */
  const die = () => store.transaction('none', tx => tx.nodeLeases.end('node-1'));
  const now = async () => (await store.read.runs.get(TENANT, RUN.id)) as RunRecord;
  return { clock, cancelled, errors, die, presence, presenceAt, beat, now };
}

/** Transactions and the timers behind them take their turns. */
const settled = async () => {
  for (let i = 0; i < 3; i += 1) await temporary.store.transaction('none', async () => {});
};

test('cancels a run 2 s after its last caller left', async () => {
  const { clock, cancelled, presence } = await setUp();
  const first = presence.addCaller(RUN);
  const second = presence.addCaller(RUN);
  first('left');
  first('left');
  clock.advance(10_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
  second('left');
  clock.advance(1_999);
  await settled();
  expect(cancelled).toStrictEqual([]);
  clock.advance(1);
  await settled();
  expect(cancelled).toStrictEqual(['run_1 by node-1']);
});

test('a caller that joins within 2 s keeps the run', async () => {
  const { clock, cancelled, presence } = await setUp();
  presence.addCaller(RUN)('left');
  clock.advance(1_500);
  const retry = presence.addCaller(RUN);
  clock.advance(60_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
  retry('left');
  clock.advance(2_000);
  await settled();
  expect(cancelled).toStrictEqual(['run_1 by node-1']);
});

test('cancels nothing after the end of the run', async () => {
  const { clock, cancelled, presence } = await setUp();
  presence.addCaller(RUN)('ended');
  clock.advance(60_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
});

test('leaves a run to the next process when this one ends its answer', async () => {
  const { clock, cancelled, presence } = await setUp();
  const [early, late] = [presence.addCaller({ ...RUN, id: 'run_2' }), presence.addCaller(RUN)];
  early('left');
  presence.stop();
  late('left');
  clock.advance(60_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
});

test('logs a cancel that fails', async () => {
  const { clock, errors, presence } = await setUp();
  presence.addCaller({ ...RUN, id: 'run_gone' })('left');
  clock.advance(2_000);
  await settled();
  expect(errors).toHaveLength(1);
});

describe('a run whose callers waited at a process that has died', () => {
  test.each(['queued', 'running', 'waiting'] as const)('is cancelled by another gateway 10 s later: %s', async status => {
    const { cancelled, die, presenceAt, beat } = await setUp({ status, owner: 'node-3' });
    const other = presenceAt('node-2');
    await die();
    await beat(10_000, other);
    expect(cancelled).toStrictEqual([]);
    await beat(5_000, other);
    expect(cancelled).toStrictEqual(['run_1 by node-2']);
  });

  test('is cancelled after its lease when nobody can see the process', async () => {
    const { cancelled, presenceAt, beat } = await setUp();
    const other = presenceAt('node-2');
    await beat(20_000, other);
    expect(cancelled).toStrictEqual([]);
    await beat(5_000, other);
    expect(cancelled).toStrictEqual(['run_1 by node-2']);
  });

  test('goes on with a retry that joins it at any gateway', async () => {
    const { cancelled, die, presenceAt, beat, now } = await setUp();
    const [second, third] = [presenceAt('node-2'), presenceAt('node-3')];
    await die();
    await beat(5_000, second, third);
    third.addCaller(await now());
    await settled();
    await beat(60_000, second, third);
    expect(cancelled).toStrictEqual([]);
  });

  test('goes on when that process was only paused', async () => {
    const { cancelled, presence, presenceAt, beat } = await setUp();
    presence.addCaller(RUN);
    const other = presenceAt('node-2');
    await beat(20_000, other);
    await beat(60_000, presence, other);
    expect(cancelled).toStrictEqual([]);
  });
});

test('leaves a run alone while the process of its callers lives, and when a retry has joined it elsewhere', async () => {
  const { cancelled, presence, presenceAt, beat, now } = await setUp();
  const other = presenceAt('node-2');
  const leave = presence.addCaller(RUN);
  await beat(60_000, presence, other);
  other.addCaller(await now());
  await settled();
  leave('left');
  await beat(60_000, presence, other);
  expect(cancelled).toStrictEqual([]);
  expect((await now()).callerAt).toBe('node-2');
});

test.each([
  ['a chat', { door: 'socketio' as const }, false],
  ['a chat completion', { door: 'openai' as const }, true],
  ['an AG-UI run', { door: 'agui' as const }, true],
  ['a response', { door: 'responses' as const }, true],
  [
    'a response in the background',
    { door: 'responses' as const, interaction: { clarify: 'text' as const, clarifyTimeoutMs: 0, publishes: 'stored' as const } },
    false,
  ],
])('%s ends with its caller: %#', (_name, fields, isBound) => {
  expect(isBoundToCaller(aRun(fields))).toBe(isBound);
});
