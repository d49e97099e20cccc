/** The contract of the event bus port; each adapter runs this suite. */
import type { EventBus } from '../../src/port/event_bus';
import type { RunEvent, RunEventBody } from '../../src/port/run_event';
import { numbered, textDelta } from '../support/store_records';

const USAGE: RunEventBody = { type: 'usage', data: { inputTokens: 1, outputTokens: 2 } };
const OTHER_RUN = { id: 'run_2', sessionId: 'ses_1' };
const OTHER_SESSION = { id: 'run_3', sessionId: 'ses_2' };

export function describeEventBusContract(name: string, create: () => EventBus): void {
  describe(`${name} as an event bus`, () => {
    let bus: EventBus;
    beforeEach(() => {
      bus = create();
    });
    const listen = async (sessionId = 'ses_1') => {
      const seen: RunEvent[] = [];
      const subscription = await bus.subscribe(sessionId, { events: events => seen.push(...events) });
      return { seen, ...subscription };
    };

    test('delivers the events of all runs of a session, in order, to every subscriber', async () => {
      const [one, two, other] = [await listen(), await listen(), await listen('ses_2')];
      const first = numbered([textDelta('a'), USAGE]);
      const second = numbered([USAGE], 1, OTHER_RUN);
      bus.publish(first);
      bus.publish(second);
      expect(one.seen).toEqual([...first, ...second]);
      expect(two.seen).toEqual(one.seen);
      expect(other.seen).toEqual([]);
    });

    test('delivers what is published at once in one call', async () => {
      const calls: number[][] = [];
      await bus.subscribe('ses_1', { events: events => calls.push(events.map(({ seq }) => seq)) });
      bus.publishLive(numbered([textDelta('a'), textDelta('b')]));
      bus.publish(numbered([USAGE], 3));
      expect(calls).toEqual([[1, 2], [3]]);
    });

    test('delivers no event from before the subscription and none after its end', async () => {
      bus.publish(numbered([USAGE], 1));
      const { seen, stop } = await listen();
      bus.publish(numbered([USAGE], 2));
      stop();
      stop();
      bus.publish(numbered([USAGE], 3));
      expect(seen.map(event => event.seq)).toEqual([2]);
    });

    test('keeps the live events of each run until they are stored', async () => {
      const liveSeqs = async () => {
        const { live, stop } = await listen();
        stop();
        return live.map(event => event.seq);
      };
      bus.publishLive(numbered([USAGE, textDelta('a'), textDelta('b')]));
      bus.publishLive(numbered([textDelta('c')], 4));
      bus.publishLive(numbered([textDelta('elsewhere')], 1, OTHER_SESSION));
      expect(await liveSeqs()).toEqual([1, 2, 3, 4]);
      bus.markStored('ses_1', 'run_1', 3);
      bus.markStored('ses_1', 'run_1', 2);
      expect(await liveSeqs()).toEqual([4]);
      bus.publish(numbered([USAGE], 5));
      bus.markStored('ses_1', 'run_1', 9);
      expect(await liveSeqs()).toEqual([]);
      expect((await listen('ses_2')).live).toHaveLength(1);
    });

    test('tells listeners the last stored event when live events are withdrawn, and drops them', async () => {
      const withdrawn: [string, number][] = [];
      await bus.subscribe('ses_1', { events: () => {}, withdrawn: (runId, storedSeq) => withdrawn.push([runId, storedSeq]) });
      bus.publish(numbered([USAGE]));
      bus.withdraw('ses_1', 'run_1');
      bus.publishLive(numbered([USAGE, USAGE], 2));
      bus.markStored('ses_1', 'run_1', 2);
      bus.publishLive(numbered([USAGE], 1, OTHER_RUN));
      bus.withdraw('ses_1', 'run_1');
      bus.withdraw('ses_2', 'run_3');
      expect(withdrawn).toEqual([['run_1', 2]]);
      expect((await listen()).live.map(event => event.runId)).toEqual(['run_2']);
    });

    test('gives each subscriber its own copy of the live deltas', async () => {
      bus.publishLive(numbered([textDelta('a')]));
      const { live } = await listen();
      bus.publishLive(numbered([textDelta('b')], 2));
      bus.markStored('ses_1', 'run_1', 2);
      expect(live).toEqual(numbered([textDelta('a')]));
    });

    test('unsubscribes a listener that throws and serves the others', async () => {
      let calls = 0;
      await bus.subscribe('ses_1', {
        events: () => {
          calls++;
          throw new Error('broken page');
        },
      });
      const { seen } = await listen();
      bus.publish(numbered([USAGE]));
      bus.publish(numbered([USAGE], 2));
      expect(seen).toHaveLength(2);
      expect(calls).toBe(1);
    });

    test('lets a listener stop itself and others during delivery', async () => {
      const stops: (() => void)[] = [];
      const seen: string[] = [];
      const add = async (label: string, listener: () => void) => {
        const { stop } = await bus.subscribe('ses_1', {
          events: events => {
            seen.push(...events.map(({ seq }) => `${label}${seq}`));
            listener();
          },
        });
        stops.push(stop);
      };
      await add('first', () => {
        for (const stop of stops.slice(0, 2)) stop();
      });
      await add('second', () => undefined);
      await add('third', () => undefined);
      bus.publish(numbered([USAGE]));
      bus.publish(numbered([USAGE], 2));
      expect(seen).toEqual(['first1', 'third1', 'third2']);
    });

    test('keeps the order for every listener when one of them publishes', async () => {
      await bus.subscribe('ses_1', {
        events: ([first]) => {
          if (first?.seq === 1) bus.publish(numbered([USAGE], 3));
        },
      });
      const { seen } = await listen();
      bus.publish(numbered([USAGE, USAGE]));
      expect(seen.map(event => event.seq)).toEqual([1, 2, 3]);
    });

    test('calls the same function once for each of its subscriptions', async () => {
      let calls = 0;
      const reader = {
        events: () => {
          calls++;
        },
      };
      await bus.subscribe('ses_1', reader);
      const { stop } = await bus.subscribe('ses_1', reader);
      bus.publish(numbered([USAGE], 1));
      stop();
      bus.publish(numbered([USAGE], 2));
      expect(calls).toBe(3);
    });
  });
}
