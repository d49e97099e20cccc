/** The two kinds of rounds: killed at a random moment, and killed at a failpoint. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Failpoint } from '../../src/port/failpoints';
import type { Gateway } from '../support/gateway';
import type { FaultBench, Hindrance, RoundResult } from './fault_bench';
import type { Random } from './random';

/** A round whose point was not reached goes on without a kill after this time. */
const POINT_LIMIT_MS = 4_000;

/** kill -9 after a random time, now and then once more while the gateway takes up its work again. */
export function randomRound(bench: FaultBench, name: string, random: Random): Promise<RoundResult> {
  return bench.round(name, async gateway => {
    let kills = 0;
    for (let wanted = random.chance(0.2) ? 2 : 1; wanted > 0; wanted--) {
      await delay(random.between(10, kills === 0 ? 900 : 250));
      await gateway.kill();
      kills += 1;
      await gateway.restart();
    }
    return kills;
  });
}

export interface CrashPlace {
  point: Failpoint;
  /** At which hit of the point, from 1. */
  hit: number;
}

/** Starts the gateway so that it kills itself at the place; with more places each next process, which recovers from the crash, has one too. */
export function pointRound(bench: FaultBench, name: string, ...places: [CrashPlace, ...CrashPlace[]]): Promise<RoundResult> {
  const [first, ...others] = places.map(toSetting);
  const hinder: Hindrance = async gateway => {
    let kills = 0;
    for (const next of others) {
      kills += await crashesAt(gateway);
      // One that kills itself before it is ready does so in the middle of its recovery.
      await gateway.restart(next).catch(() => undefined);
    }
    kills += await crashesAt(gateway);
    await gateway.restart();
    return kills;
  };
  return bench.round(name, hinder, first);
}

/** 1 when the gateway killed itself, 0 when it did not in time. */
async function crashesAt(gateway: Gateway): Promise<0 | 1> {
  const limit = new AbortController();
  const tooLate = delay(POINT_LIMIT_MS, 0 as const, { signal: limit.signal }).catch(() => 0 as const);
  const crashes = await Promise.race([gateway.exited().then(() => 1 as const), tooLate]);
  limit.abort();
  return crashes;
}

const toSetting = ({ point, hit }: CrashPlace): Record<string, string> => ({ NETA_DEBUG_POINTS: `${point}=crash:${hit}` });

/** How often each point is reached in a round, about; the hit to crash at is chosen from that. */
export const USUAL_HITS: Readonly<Record<Failpoint, number>> = {
  message_stored: 8,
  before_ack: 8,
  run_claimed: 5,
  model_called: 15,
  attempt_stored: 12,
  tool_intent: 12,
  tool_effect: 12,
  tool_result_stored: 12,
  event_append: 40,
  clarify_opened: 1,
  clarify_answered: 1,
  run_end: 6,
};
