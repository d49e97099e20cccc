/** The two kinds of rounds: killed at a random moment, and killed at a debug point. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DebugPoint } from '../../src/port/debug_points';
import type { FaultBench, RoundResult } from './fault_bench';
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

/** Starts the gateway so that it kills itself at the nth time it reaches the point. */
export function pointRound(bench: FaultBench, name: string, at: { point: DebugPoint; hit: number }): Promise<RoundResult> {
  const hinder: Parameters<FaultBench['round']>[1] = async gateway => {
    const limit = new AbortController();
    const isCrashed = await Promise.race([
      gateway.exited().then(() => true),
      delay(POINT_LIMIT_MS, false, { signal: limit.signal }).catch(() => false),
    ]);
    limit.abort();
    await gateway.restart();
    return isCrashed ? 1 : 0;
  };
  return bench.round(name, hinder, { NETA_DEBUG_POINTS: `${at.point}=crash:${at.hit}` });
}

/** How often each point is reached in a round, about; the hit to crash at is chosen from that. */
export const USUAL_HITS: Readonly<Record<DebugPoint, number>> = {
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
