/** Encodes suites and their results: ISO times, no tenant, no recorded run. */
import type { SuiteCase } from '../store/suite_records';
import type { CaseResult, SuiteResult } from './suite_service';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const toWireCase = ({ id, suite, title, runId, sessionId, agent, checks, keyName, createdAt, outcome }: SuiteCase) => ({
  id,
  suite,
  title,
  runId,
  sessionId,
  agent,
  checks,
  keyName,
  createdAt: iso(createdAt),
  outcome: outcome && { ...outcome, at: iso(outcome.at) },
});

/** Counts the newest outcomes of the cases of each suite. */
export function toWireSuites(cases: readonly SuiteCase[]) {
  const bySuite = Map.groupBy(cases, ({ suite }) => suite);
  return [...bySuite].map(([name, rows]) => {
    const outcomes = rows.flatMap(({ outcome }) => outcome ?? []);
    const passed = outcomes.filter(outcome => outcome.passed).length;
    const latest = Math.max(...outcomes.map(({ at }) => at));
    return {
      name,
      cases: rows.length,
      passed,
      failed: outcomes.length - passed,
      ranAt: outcomes.length > 0 ? iso(latest) : undefined,
    };
  });
}

export const toWireResult = ({ cases, ...result }: SuiteResult) => ({ ...result, cases: cases.map(toWireCaseResult) });

function toWireCaseResult({ replay, ...result }: CaseResult) {
  const { result: replayResult, differences, runId, recorded, replayed, answerDiff } = replay;
  return {
    ...result,
    runId,
    replay: { result: replayResult, differences, recorded: recorded.usage, replayed: replayed.usage, answerDiff },
  };
}
