/** Checks a replay of a case. */
import { toAppError } from '../../../errors';
import type { Replay } from '../replay/compare';
import type { SuiteChecks } from '../store/suite_records';

export const CHECK_NAMES = ['answer_contains', 'tool_called', 'cost_at_most', 'same_calls', 'same_answer', 'judge', 'replay'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface CheckResult {
  check: CheckName;
  passed: boolean;
  /** The expected text, tool, cost or criterion. */
  expected?: string;
  /** What was found instead, or the reason of the judge. */
  found?: string;
}

/** Resolves with the verdict of a model about an answer. */
export type Judge = (criterion: string, judged: { input: string; answer: string }) => Promise<{ passed: boolean; reason: string }>;

/** A case without checks expects the same calls. */
export const DEFAULT_CHECKS: SuiteChecks = { sameCalls: true };

/**
 * Checks a replay. Its first result says whether the replay could be carried out; with recorded answers it must be the same as the run. A judge that
 * cannot be asked fails its check.
 */
export async function checkReplay(checks: SuiteChecks, replay: Replay, judge: Judge): Promise<CheckResult[]> {
  const { replayed, calls, input } = replay;
  const called = new Set(calls.flatMap(({ state, name }) => (state === 'removed' ? [] : [name])));
  const results: CheckResult[] = [replayCheck(replay)];
  for (const expected of checks.answerContains ?? [])
    results.push({ check: 'answer_contains', expected, passed: replayed.text.toLowerCase().includes(expected.toLowerCase()) });
  for (const expected of checks.toolsCalled ?? []) results.push({ check: 'tool_called', expected, passed: called.has(expected) });
  if (checks.costAtMostUsd !== undefined) results.push(costCheck(checks.costAtMostUsd, replayed.usage.costUsd));
  if (checks.sameCalls) results.push({ check: 'same_calls', passed: calls.every(({ state }) => state === 'same') });
  if (checks.sameAnswer) results.push({ check: 'same_answer', passed: replay.recorded.text === replayed.text });
  if (checks.judge !== undefined && replay.result !== 'failed') {
    const { passed, reason } = await judge(checks.judge, { input, answer: replayed.text }).catch(notJudged);
    results.push({ check: 'judge', expected: checks.judge, passed, found: reason });
  }
  return results;
}

const notJudged = (thrown: unknown) => ({ passed: false, reason: toAppError(thrown).message });

function replayCheck({ result, model, differences, replayed }: Replay): CheckResult {
  const passed = result === 'same' || (result === 'different' && model !== undefined);
  return { check: 'replay', passed, found: passed ? undefined : (replayed.error?.message ?? differences.join(', ')) };
}

/** A cost that is not known is no cost below the limit. */
const costCheck = (limit: number, cost: number | undefined): CheckResult => ({
  check: 'cost_at_most',
  expected: String(limit),
  found: cost === undefined ? undefined : String(cost),
  passed: cost !== undefined && cost <= limit,
});
