import type { Lock } from '../../../src/port/store/lock';
import type { RunPatch, RunRecord, RunWriter } from '../../../src/port/store/runs';
import { CallerPresence } from '../../../src/service/run/caller_presence';
import type { HeartbeatListener } from '../../../src/service/run/run_supervisor';
import { isBoundToCaller } from '../../../src/service/run/start_request';
import { createManualClock } from '../../support/manual_clock';
import { aRun } from '../../support/store_records';

const RUN = { tenantId: 'acme', id: 'run_1', callerAt: 'node-1' };

/** Gateways `node-1` and `node-2` on a store of one run. `dead` holds the names of processes that have ended. */
function setUp(fields: Partial<RunRecord> = {}) {
  const clock = createManualClock();
  const cancelled: string[] = [];
  const errors: unknown[] = [];
  const dead = new Set<string>();
  let run: RunRecord = { ...aRun({ ...RUN, door: 'openai', callerUntil: clock.now() + 15_000, ...fields }), ordinal: 1 };
  const update = (patch: Partial<RunPatch>) => {
    const { callerAt, ...rest } = { ...run, ...patch };
    run = { ...rest, ...(callerAt != null && { callerAt }) } as RunRecord;
  };
  const store = {
    read: { runs: { getState: async () => run } },
    transaction: async <T>(_lock: Lock, work: (tx: { runs: Pick<RunWriter, 'update' | 'renewCallers'> }) => Promise<T>) =>
      work({
        runs: {
          update: async (_tenantId, _id, _expected, patch) => {
            update(patch);
            return true;
          },
          renewCallers: async (callerAt, callerUntil) => {
            if (run.callerAt === callerAt) update({ callerUntil });
          },
        },
      }),
  };
  /** Gateway -> its heartbeat. */
  const heartbeats = new Map<CallerPresence, HeartbeatListener>();
  const presenceAt = (self: string) => {
    let heartbeat: HeartbeatListener = async () => {};
    const presence = new CallerPresence({
      store,
      clock,
      identity: { self, isGone: name => dead.has(name) },
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
    heartbeats.set(presence, heartbeat);
    return presence;
  };
  const presence = presenceAt('node-1');
  /** Lets `milliseconds` pass with a heartbeat of the given gateways every 5 s. */
  const beat = async (milliseconds: number, ...gateways: CallerPresence[]) => {
    for (let passed = 0; passed < milliseconds; passed += 5_000) {
      clock.advance(Math.min(5_000, milliseconds - passed));
      await settled();
      for (const gateway of gateways) await heartbeats.get(gateway)?.([run]);
    }
  };
  return { clock, cancelled, errors, dead, presence, presenceAt, beat, now: () => run };
}

const settled = () => new Promise(setImmediate);

test('cancels a run 2 s after its last caller left', async () => {
  const { clock, cancelled, presence } = setUp();
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
  const { clock, cancelled, presence } = setUp();
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
  const { clock, cancelled, presence } = setUp();
  presence.addCaller(RUN)('ended');
  clock.advance(60_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
});

test('leaves a run to the next process when this one ends its answer', async () => {
  const { clock, cancelled, presence } = setUp();
  const [early, late] = [presence.addCaller({ ...RUN, id: 'run_2' }), presence.addCaller(RUN)];
  early('left');
  presence.stop();
  late('left');
  clock.advance(60_000);
  await settled();
  expect(cancelled).toStrictEqual([]);
});

test('logs a cancel that fails', async () => {
  const { clock, errors, presence } = setUp();
  presence.addCaller({ ...RUN, id: 'run_gone' })('left');
  clock.advance(2_000);
  await settled();
  expect(errors).toHaveLength(1);
});

describe('a run whose callers waited at a process that has died', () => {
  test.each(['queued', 'running', 'waiting'] as const)('is cancelled by another gateway 10 s later: %s', async status => {
    const { cancelled, dead, presenceAt, beat } = setUp({ status, owner: 'node-3' });
    const other = presenceAt('node-2');
    dead.add('node-1');
    await beat(10_000, other);
    expect(cancelled).toStrictEqual([]);
    await beat(5_000, other);
    expect(cancelled).toStrictEqual(['run_1 by node-2']);
  });

  test('is cancelled after its lease when nobody can see the process', async () => {
    const { cancelled, presenceAt, beat } = setUp();
    const other = presenceAt('node-2');
    await beat(20_000, other);
    expect(cancelled).toStrictEqual([]);
    await beat(5_000, other);
    expect(cancelled).toStrictEqual(['run_1 by node-2']);
  });

  test('goes on with a retry that joins it at any gateway', async () => {
    const { cancelled, dead, presenceAt, beat, now } = setUp();
    const [second, third] = [presenceAt('node-2'), presenceAt('node-3')];
    dead.add('node-1');
    await beat(5_000, second, third);
    third.addCaller(now());
    await beat(60_000, second, third);
    expect(cancelled).toStrictEqual([]);
  });

  test('goes on when that process was only paused', async () => {
    const { cancelled, presence, presenceAt, beat } = setUp();
    presence.addCaller(RUN);
    const other = presenceAt('node-2');
    await beat(20_000, other);
    await beat(60_000, presence, other);
    expect(cancelled).toStrictEqual([]);
  });
});

test('leaves a run alone while the process of its callers lives, and when a retry has joined it elsewhere', async () => {
  const { cancelled, presence, presenceAt, beat, now } = setUp();
  const other = presenceAt('node-2');
  const leave = presence.addCaller(RUN);
  await beat(60_000, presence, other);
  other.addCaller(now());
  await settled();
  leave('left');
  await beat(60_000, presence, other);
  expect(cancelled).toStrictEqual([]);
  expect(now().callerAt).toBe('node-2');
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
