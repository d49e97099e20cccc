/** The usage of a model call that belongs to no run, such as that of a title, a replay, a judge or a transcription. */
import type { Usage } from '../../port/llm';
import { type Actor, LOCAL_KEY_NAME } from '../../port/principal';
import type { DayUsage } from '../../port/store/usage';
import { toNanoDollars } from '../../utils/dollars';

export interface CountedCall {
  actor: Actor;
  /** Milliseconds since 1970. */
  at: number;
  /** The name under which the model is shown. */
  model: string;
  /** The agent for which the model was called; for other calls the name of the part of the gateway. */
  agent: string;
  /** Absent: the model server said nothing. */
  usage: Usage | undefined;
  /** False: the call counts already as unpriced. Default: a call without a known price is unpriced. */
  mayBeUnpriced?: boolean;
}

/** Returns the row that `usage.addCall` adds to its day. */
export function toCallUsage({ actor, at, model, agent, usage, mayBeUnpriced = true }: CountedCall): DayUsage {
  return {
    tenantId: actor.tenantId,
    day: new Date(at).toISOString().slice(0, 10),
    keyName: actor.keyName ?? LOCAL_KEY_NAME,
    model,
    agent,
    runs: 0,
    inputTokens: usage?.inputTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    nanoDollars: toNanoDollars(usage?.costUsd ?? 0),
    unpricedRuns: mayBeUnpriced && usage && usage.costUsd === undefined ? 1 : 0,
    durationMs: 0,
  };
}
