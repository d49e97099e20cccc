/** The two kinds of rounds: a kill at a random time, and a kill at a failpoint. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Failpoint } from '../../src/port/failpoints';
import type { Gateway } from '../support/gateway';
import type { FaultBench, Hindrance, RoundResult } from './fault_bench';
import type { Random } from './random';

/** After this time a round whose failpoint was not reached continues without a kill. */
const POINT_LIMIT_MS = 4_000;

/** Kills the gateway after a random time, in some rounds once more during its recovery. */
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
  /** The pass of the failpoint at which to kill, from 1. */
  hit: number;
}

/** Starts the gateway so that it kills itself at a failpoint. With more failpoints, each process that recovers kills itself at the next one. */
export function pointRound(bench: FaultBench, name: string, ...places: [CrashPlace, ...CrashPlace[]]): Promise<RoundResult> {
  const [first, ...others] = places.map(toSetting);
  const hinder: Hindrance = async gateway => {
    let kills = 0;
    for (const next of others) {
      kills += await crashesAt(gateway);
      // A process that kills itself before it is ready does so during its recovery.
      await gateway.restart(next).catch(() => undefined);
    }
    kills += await crashesAt(gateway);
    await gateway.restart();
    return kills;
  };
  return bench.round(name, hinder, first);
}

/** Resolves with 1 when the gateway killed itself, and with 0 when it did not in time. */
async function crashesAt(gateway: Gateway): Promise<0 | 1> {
  const limit = new AbortController();
  const tooLate = delay(POINT_LIMIT_MS, 0 as const, { signal: limit.signal }).catch(() => 0 as const);
  const crashes = await Promise.race([gateway.exited().then(() => 1 as const), tooLate]);
  limit.abort();
  return crashes;
}

const toSetting = ({ point, hit }: CrashPlace): Record<string, string> => ({ NETA_DEBUG_POINTS: `${point}=crash:${hit}` });

/** Approximate number of passes of each failpoint in a round, from which the pass to crash at is chosen. */
export const USUAL_HITS: Readonly<Record<Failpoint, number>> = {
  active_check: 8,
  run_begun: 5,
  message_stored: 8,
  before_ack: 8,
  run_claimed: 5,
  model_called: 15,
  attempt_stored: 12,
  tool_intent: 12,
  tool_effect: 12,
  tool_result_stored: 12,
  event_published: 25,
  event_append: 40,
  clarify_opened: 1,
  clarify_answered: 1,
  audit_row: 1,
  run_end: 6,
};
