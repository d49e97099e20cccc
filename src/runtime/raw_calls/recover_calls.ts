/** Recovers the tool calls in the text of a complete answer. Loaded with the first answer that may hold one. */
import type { CallProblem } from './call_note';
import { type CallSources, toToolName } from './call_sources';
import { findCalls } from './find_calls';
import { judgeSpan, type ValidCall, type Verdict } from './judge_calls';

export interface RecoveredCalls {
  calls: readonly ValidCall[];
  /** The text without the calls. */
  text: string;
  problem?: CallProblem;
}

/** The calls of one answer; a server's own calls have the same limit. */
const MAX_CALLS = 32;

/** Recovers calls. `shownUnits`: length of the part of the text that the person has seen; calls are taken only from the rest. */
export function recoverCalls(text: string, shownUnits: number, sources: CallSources): RecoveredCalls {
  const spans = findCalls(text, name => sources.findTool(toToolName(name)) !== undefined);
  const verdicts = spans.map(span => ({ span, verdict: judgeSpan(text, span, sources) }));
  const recovered = verdicts.flatMap(({ span, verdict }) => (isCalls(verdict) && span.start >= shownUnits ? [{ span, ...verdict }] : []));
  const calls = recovered.flatMap(found => found.calls);
  if (calls.length > MAX_CALLS) return { calls: [], text, problem: { kind: 'too_much' } };
  const problem = spans.length > 0 ? problemOf(verdicts) : unknownBlock(text, sources);
  const cut = withoutSpans(
    text,
    recovered.map(({ span }) => span),
  );
  const isBlank = shownUnits === 0 && cut.trim() === '';
  return { calls, text: calls.length > 0 && isBlank ? '' : cut, problem };
}

const isCalls = (verdict: Verdict): verdict is { calls: ValidCall[] } => verdict !== 'ordinary' && 'calls' in verdict;

function problemOf(verdicts: readonly { verdict: Verdict }[]): CallProblem | undefined {
  const [first] = verdicts.flatMap(({ verdict }) => (verdict !== 'ordinary' && 'problem' in verdict ? [verdict.problem] : []));
  return first;
}

/** Finds a code block at the end that names a tool which this run does not have. */
function unknownBlock(text: string, sources: CallSources): CallProblem | undefined {
  const blocks = findCalls(text, () => true).filter(({ kind, calls }) => kind === 'block' && calls.length > 0);
  return problemOf(blocks.map(span => ({ verdict: judgeSpan(text, span, sources) })));
}

function withoutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let kept = '';
  let end = 0;
  for (const span of spans) {
    kept += text.slice(end, span.start);
    end = span.end;
  }
  return kept + text.slice(end);
}
