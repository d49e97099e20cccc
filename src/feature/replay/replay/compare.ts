/** Compares a replay with the recorded run. */
import { diffArrays } from 'diff';
import { type AppError, messageIn } from '../../../errors';
import type { Usage } from '../../../port/llm';
import type { RunEventBody, TerminalStatus } from '../../../port/run_event';
import { callKey } from '../../../runtime/call_key';
import { shortDiff } from '../../../tools/short_diff';
import { isSameOutline, outlineOf } from '../record/event_outline';
import type { RecordedRun } from '../store/recorded_run';
import type { ResultSource } from './recorded_tools';
import type { ReplayedRequest } from './replayed_requests';

/** same: both made the call. added: only the replay made it. removed: only the recorded run made it. */
export interface ComparedCall {
  state: 'same' | 'added' | 'removed';
  name: string;
  arguments: string;
  /** Where the result in the replay came from; absent for a removed call, and for a call that goes back to the caller of the run. */
  source?: ResultSource;
}

export interface ReplayEnd {
  status: TerminalStatus;
  reason?: string;
  text: string;
  usage: Usage;
  error?: { code: string; message: string };
}

/** same: the same end, answer and calls. A changed request alone is no difference: it is shown, and the answer to it was recorded. */
export type ReplayResult = 'same' | 'different' | 'failed';

export interface Replay {
  runId: string;
  result: ReplayResult;
  /** One word for each thing that differs. events: the log has other events, although the rest is the same. */
  differences: ('status' | 'answer' | 'calls' | 'events')[];
  agent: string;
  /** The model that was called. Absent: the recorded answers were used. */
  model?: string;
  /** The text of the message that began the run. */
  input: string;
  recorded: ReplayEnd;
  replayed: ReplayEnd;
  /** Unified diff of the two answers, and of the two system prompts; absent when they are equal. */
  answerDiff?: string;
  promptDiff?: string;
  requests: readonly ReplayedRequest[];
  calls: readonly ComparedCall[];
}

export interface Replayed {
  agent: string;
  model?: string;
  end: ReplayEnd;
  /** The replay could not be carried out. */
  hasFailed: boolean;
  requests: readonly ReplayedRequest[];
  /** Id of a call -> where its result came from. */
  sources: ReadonlyMap<string, ResultSource>;
  /** The system prompt of the first request. */
  prompt?: string;
  /** The events of the replay. */
  events: readonly RunEventBody[];
}

export function compareReplay(run: RecordedRun, { end, hasFailed, agent, model, requests, sources, prompt, events }: Replayed): Replay {
  const { asks: _asks, ...recorded } = run.end;
  const compared = compareCalls(run, callsOf(events, sources));
  const differences: Replay['differences'] = [];
  if (recorded.status !== end.status || recorded.reason !== end.reason) differences.push('status');
  if (recorded.text !== end.text) differences.push('answer');
  if (compared.some(({ state }) => state !== 'same')) differences.push('calls');
  if (differences.length === 0 && model === undefined && hasOtherEvents(run, events)) differences.push('events');
  return {
    runId: run.id,
    result: hasFailed ? 'failed' : differences.length > 0 ? 'different' : 'same',
    differences,
    agent,
    model,
    input: run.input,
    recorded,
    replayed: end,
    answerDiff: diffOf('answer', recorded.text, end.text),
    promptDiff: run.prompt && prompt !== undefined ? diffOf('prompt', run.prompt.stable + run.prompt.rest, prompt) : undefined,
    requests,
    calls: compared,
  };
}

/** Returns the replay of a run that could not be replayed. */
export function failedReplay({ id, input, agent, end, locale }: RecordedRun, error: AppError, model?: string): Replay {
  const { asks: _asks, ...recorded } = end;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const replayed: ReplayEnd = { status: 'failed', text: '', usage, error: { code: error.code, message: messageIn(error, locale) } };
  return { runId: id, result: 'failed', differences: [], agent, model, input, recorded, replayed, requests: [], calls: [] };
}

/** Unknown when the events of the run are no longer kept. */
function hasOtherEvents({ outline }: RecordedRun, events: readonly RunEventBody[]): boolean {
  if (!outline) return false;
  return !isSameOutline(
    outline,
    events.flatMap(event => outlineOf(event) ?? []),
  );
}

const diffOf = (name: string, before: string, after: string): string | undefined =>
  before === after ? undefined : shortDiff(name, before, after).text;

type ReplayedCall = Pick<ComparedCall, 'name' | 'arguments' | 'source'>;

/** The calls in the answers of the replay. */
function callsOf(events: readonly RunEventBody[], sources: ReadonlyMap<string, ResultSource>): ReplayedCall[] {
  return events.flatMap(({ type, data }) =>
    type === 'message_end' && data.role === 'assistant'
      ? (data.toolCalls ?? []).map(call => ({ name: call.name, arguments: call.arguments, source: sources.get(call.toolCallId) }))
      : [],
  );
}

function compareCalls({ answers }: RecordedRun, replayed: readonly ReplayedCall[]): ComparedCall[] {
  const recorded: ReplayedCall[] = answers.flatMap(({ message }) => (message.tool_calls ?? []).map(call => call.function));
  const keyOf = (call: { name: string; arguments: string }) => callKey(call.name, parsed(call.arguments));
  const changes = diffArrays(recorded.map(keyOf), replayed.map(keyOf));
  const compared: ComparedCall[] = [];
  let [inRecorded, inReplay] = [0, 0];
  for (const { added, removed, count = 0 } of changes) {
    for (let i = 0; i < count; i += 1) {
      const call = removed ? recorded[inRecorded] : replayed[inReplay];
      if (!added) inRecorded += 1;
      if (!removed) inReplay += 1;
      if (!call) continue;
      compared.push({ ...call, state: added ? 'added' : removed ? 'removed' : 'same' });
    }
  }
  return compared;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
