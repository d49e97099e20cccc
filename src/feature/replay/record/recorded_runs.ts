/** Reads recorded runs from the store: the recording, and what the run log has of the run. */
import { AppError } from '../../../errors';
import type { UserMessage, WireTool } from '../../../port/llm';
import { isTerminal, type TerminalStatus } from '../../../port/run_event';
import type { RunRecording } from '../../../port/run_recording';
import type { MessageRecord } from '../../../port/store/messages';
import type { RunRecord } from '../../../port/store/runs';
import type { ReadableStore, StoreReader } from '../../../port/store/store';
import { isSummarised, type SummaryRecord } from '../../../port/store/summaries';
import type { RecordedAnswer, RecordedEnd, RecordedResult, RecordedRun } from '../store/recorded_run';
import { outlineOf } from './event_outline';

export type RecordingStore = ReadableStore<'runs' | 'events' | 'messages' | 'summaries' | 'recordings'>;

const EVENTS_PAGE = { limit: 1_000, maxBytes: 1024 * 1024 };

/** Rejects `not_found`, `run_not_ended` and `not_recorded`. */
export async function readRecordedRun({ read }: RecordingStore, tenantId: string, runId: string): Promise<RecordedRun> {
  const run = await read.runs.get(tenantId, runId);
  if (!run) throw noSuchRun();
  const { status } = run;
  if (!isTerminal(status)) throw notEnded(runId);
  const recording = await read.recordings.get(tenantId, runId);
  if (!recording) throw notRecorded(runId);
  const { sessionId, ordinal } = run;
  const [messages, summary, parts, outline] = await Promise.all([
    read.messages.history(tenantId, sessionId),
    read.summaries.get(tenantId, sessionId),
    read.recordings.parts(tenantId, sessionId, hashesOf(recording)),
    readOutline(read, run),
  ]);
  const textOf = new Map(parts.map(({ hash, text }) => [hash, text]));
  const own = messages.filter(row => row.runOrdinal === ordinal);
  const first = own[firstAnswer(own, { run, recording })];
  const isBefore = (row: MessageRecord) =>
    row.runOrdinal < ordinal || (row.runOrdinal === ordinal && !(first && row.position >= first.position));
  const before = messages.filter(isBefore);
  return {
    ...factsOf(run, recording),
    ...toolsOf(recording, textOf),
    ...historyOf(before, { ordinal, summary }),
    prompt: promptOf(recording, textOf),
    ...turnOf(first ? own.slice(own.indexOf(first)) : [], run, recording),
    end: endOf(run, status),
    outline,
  };
}

/**
 * A run that ended with an error may have shown a part of an answer, and a run that was recovered has events of calls that broke off; no replay makes
 * these events.
 */
async function readOutline(read: Pick<StoreReader, 'events'>, run: RunRecord): Promise<string[] | undefined> {
  const { tenantId, id, lastSeq, eventsExpired, outcome, epoch, status } = run;
  if (eventsExpired || outcome?.error || status === 'cancelled' || epoch > 1) return undefined;
  const outline: string[] = [];
  for (let after = 0; after < lastSeq; ) {
    const events = await read.events.list(tenantId, id, after, EVENTS_PAGE);
    outline.push(...events.flatMap(event => outlineOf(event) ?? []));
    after = events.at(-1)?.seq ?? lastSeq;
  }
  return outline.length > 0 ? outline : undefined;
}

export const noSuchRun = (): AppError =>
  new AppError('not_found', { param: '/id', message: 'There is no such run.', messageZh: '没有这个运行。' });

const notEnded = (id: string): AppError =>
  new AppError('not_recorded', {
    param: '/id',
    message: `The run ${id} has not ended: a run can be replayed once it has ended.`,
    messageZh: `运行 ${id} 尚未结束：运行结束之后才能重放。`,
  });

const notRecorded = (id: string): AppError =>
  new AppError('not_recorded', {
    param: '/id',
    message: `The run ${id} has no recording: no model answered it, or it ran before this gateway recorded runs. Start it again to record it.`,
    messageZh: `运行 ${id} 没有录制：没有模型作答，或者它在本网关开始录制之前运行。重新启动它即可录制。`,
  });

function hashesOf({ prompt, tools, calls }: RunRecording): string[] {
  const pieces = prompt.flatMap(piece => ('part' in piece ? [piece.part] : []));
  return [...new Set([...pieces, tools, ...calls.flatMap(call => call.tools ?? [])])];
}

function factsOf(
  { id, agent, model, locale, input, interaction, limits, parameters, outputSchema, caller, parent }: RunRecord,
  { thinkingLevel = 'off' }: RunRecording,
) {
  const isMember = parent && (true as const);
  return { id, agent, model, locale, input, interaction, limits, parameters, outputSchema, thinkingLevel, caller, isMember };
}

function promptOf({ prompt }: RunRecording, textOf: ReadonlyMap<string, string>): RecordedRun['prompt'] {
  const [stable, rest = ''] = prompt.map(piece => ('text' in piece ? piece.text : textOf.get(piece.part)));
  return stable === undefined || rest === undefined ? undefined : { stable, rest };
}

function toolsOf({ tools, calls }: RunRecording, textOf: ReadonlyMap<string, string>): Pick<RecordedRun, 'tools' | 'laterTools'> {
  // The gateway wrote the texts itself.
  const parse = (hash: string) => JSON.parse(textOf.get(hash) ?? '[]') as WireTool[];
  const later = calls.flatMap((call, i) =>
    call.tools === undefined ? [] : [[i, parse(call.tools).map(tool => tool.function.name)] as const],
  );
  return { tools: textOf.has(tools) ? parse(tools) : undefined, laterTools: later.length > 0 ? Object.fromEntries(later) : undefined };
}

/** A summary that was written later covers messages that the run still had as they are. */
function historyOf(
  rows: readonly MessageRecord[],
  { ordinal, summary }: { ordinal: number; summary: SummaryRecord | undefined },
): Pick<RecordedRun, 'history' | 'summary' | 'turnStart'> {
  const isUseful = summary !== undefined && summary.runOrdinal < ordinal;
  const kept = isUseful ? rows.filter(row => !isSummarised(row, summary)) : rows;
  const start = kept.findIndex(row => row.runOrdinal === ordinal);
  return {
    history: kept.map(({ message }) => message),
    summary: isUseful ? { text: summary.text, upTo: 0 } : undefined,
    turnStart: start === -1 ? kept.length : start,
  };
}

/**
 * Returns the index of the first answer among the messages of the run. A program may have given answers of its own, which come first. An answer that
 * broke off has no call in the recording.
 */
function firstAnswer(own: readonly MessageRecord[], { run, recording }: { run: RunRecord; recording: RunRecording }): number {
  const answers = own.flatMap(({ message }, i) => (message.role === 'assistant' ? [i] : []));
  if (!run.caller) return answers[0] ?? own.length;
  const extra = run.outcome?.clarification && !run.outcome.callerCalls ? 1 : 0;
  return answers.at(-(recording.calls.length + extra)) ?? own.length;
}

/** Sorts the messages of the run into answers, results and messages of people. */
function turnOf(
  rows: readonly MessageRecord[],
  run: RunRecord,
  { calls }: RunRecording,
): { answers: RecordedAnswer[]; results: RecordedResult[] } {
  const given = new Map<string, { name: string; arguments: string }>();
  const answers: RecordedAnswer[] = [];
  const results: RecordedResult[] = [];
  let steering: (string | UserMessage)[] = [];
  for (const { message } of rows) {
    if (message.role === 'user') steering.push((message.images ?? message.files) ? message : message.content);
    if (message.role === 'assistant') {
      answers.push({ message, steering: steering.length > 0 ? steering : undefined });
      steering = [];
      for (const call of message.tool_calls ?? []) given.set(call.id, call.function);
    }
    if (message.role !== 'tool') continue;
    const call = given.get(message.tool_call_id);
    if (call) results.push({ name: call.name, arguments: call.arguments, content: message.content, images: message.images });
  }
  return { answers: withCalls(answers, run, calls), results };
}

/** The last message may be a question of the agent, or an answer that broke off; it has no call. Neither has an answer from before a recovery. */
function withCalls(answers: readonly RecordedAnswer[], { epoch, outcome }: RunRecord, calls: RunRecording['calls']): RecordedAnswer[] {
  const asked = outcome?.clarification || outcome?.escalation ? 1 : 0;
  const count = epoch > 1 ? answers.length - asked : Math.min(answers.length, calls.length);
  return answers.slice(0, count).map((answer, i) => ({ ...answer, call: calls[i + calls.length - count] }));
}

function endOf({ outcome }: RunRecord, status: TerminalStatus): RecordedEnd {
  const { reason, text = '', usage = { inputTokens: 0, outputTokens: 0 }, error, clarification, escalation } = outcome ?? {};
  return { status, reason, text, usage, error, asks: clarification || escalation ? true : undefined };
}
