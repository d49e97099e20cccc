/**
 * Runs the tool calls of an attempt: find -> parse -> validate -> break circles -> approve -> dedupe -> cache -> execute within its time -> retry -> clip -> record. Every call gets exactly one
 * result, whatever happens: bad arguments, an unknown tool, a throw, a time-out and an abort are results too.
 */
import type { Clock } from '../../port/clock';
import type { ToolMessage, WireToolCall } from '../../port/llm';
import type { CutReason } from '../../port/run_event';
import { type ClarifyOutcome, errorResult, inLocale, type ToolContext, ToolInputError, type ToolResult } from '../../tools/common';
import { clipText } from '../../utils/clip_text';
import { mapLimited } from '../../utils/map_limited';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../../utils/yield_to_event_loop';
import { type ApprovalGate, approveCall, needsPerson, noteTaint } from '../approval/approval_gate';
import { OUTCOME_UNKNOWN } from '../history';
import type { RunJournal } from '../journal';
import type { AssembledTools } from '../tool_assembler';
import { callKey } from './call_key';
import { LoopDetector } from './loop_detector';
import { OutputLimiter, type SpillResult } from './output_limiter';
import { type ResolvedCall, resolveCall } from './resolved_call';
import type { ResultCache } from './result_cache';
import { TOOL_LIMITS } from './tool_limits';
import { withTimeout } from './with_timeout';

/** Characters of a result that pages and logs get. */
const SHOWN_RESULT_LIMIT = 8_000;
/** A whole plan fits. */
const SHOWN_LIST_LIMIT = 64_000;
const MAX_SHOWN_ARGUMENTS = 100;

/** What all calls of a run share; the runner adds what belongs to one call. */
export type ToolRunContext = Omit<ToolContext, 'toolCallId' | 'signal' | 'onOutput' | 'onClarifyRequest'> & {
  /** Blocks until the person answers; absent in runs that do not wait for answers. */
  readonly askPerson?: (ask: { question: string; choices?: string[]; toolCallId: string; signal: AbortSignal }) => Promise<ClarifyOutcome>;
};

/** What is known of a run that goes on after an interruption. */
export interface ResumedRun {
  /** Attempts with tool calls that are stored. */
  attempts: number;
  /** Ids of calls that had begun and have no result: their outcome is unknown. */
  interrupted: ReadonlySet<string>;
  /** The limit of the model that cut the last stored answer. */
  cut?: CutReason;
}

export interface ToolRunnerParams {
  tools: AssembledTools;
  toolContext: ToolRunContext;
  journal: RunJournal;
  clock: Clock;
  signal: AbortSignal;
  /** Shortens the time limit of every call, milliseconds. */
  timeoutMs?: number;
  /** Shared by all runs of the process. Absent: nothing is kept. */
  cache?: ResultCache;
  /** Where results go that are too long for the model. */
  spill?: SpillResult;
  /** 0 to 1; spreads retries. */
  random?: () => number;
  /** Present when the run goes on after an interruption. */
  resumed?: ResumedRun;
  /** Asked right before a tool runs; rejects when the run is no longer this process's. */
  mayRun?: () => Promise<void>;
  /** Told how to stop one call while it runs; returns what to do when it has ended. */
  onCallStart?: (toolCallId: string, stop: () => void) => () => void;
  /** What needs a person's yes, and how to get it. Absent: nothing does. */
  approval?: ApprovalGate;
}

export interface ToolCallOutcome {
  message: ToolMessage;
  question?: ToolResult['question'];
}

export interface RunOptions {
  /** A question of the same answer was handed over before an interruption: only further questions are taken. */
  isTurnOver?: boolean;
}

export interface ToolRunner {
  /**
   * One outcome per call, in the order of the calls. A call that an interruption left unfinished is run again when its effect is read or
   * idempotent; of others the outcome is unknown, and said so. Once a question is handed over as the answer of the turn, only further questions
   * are taken. Rejects only when the journal does.
   */
  run(calls: readonly WireToolCall[], options?: RunOptions): Promise<ToolCallOutcome[]>;
}

export function createToolRunner(params: ToolRunnerParams): ToolRunner {
  const guard = new LoopDetector();
  return {
    async run(calls, { isTurnOver = false } = {}) {
      const read: ResolvedCall[] = [];
      for (const call of calls) {
        read.push(withoutRepetition(resolveCall(call, params.tools), params.resumed));
        // Reading a megabyte takes a while, and others want their turn before the next.
        if (call.function.arguments.length > LONG_JSON_UNITS) await yieldToEventLoop();
      }
      const prepared = await noteTaint(read, params.approval);
      const batch: Batch = { guard, budget: new OutputLimiter(params.spill), earlier: new Map(), isTurnOver };
      // A person is asked one thing at a time.
      const isParallel = prepared.every(call => call.tool?.effect === 'read' && !needsPerson(call, params.approval));
      return mapLimited(prepared, isParallel ? TOOL_LIMITS.maxParallel : 1, call => runCall(call, params, batch));
    },
  };
}

/** What the calls of one attempt share. */
interface Batch {
  guard: LoopDetector;
  budget: OutputLimiter;
  /** callKey -> result of the same read earlier in the attempt. */
  earlier: Map<string, Promise<CallResult>>;
  /** A question was handed over: the turn ends with this attempt. */
  isTurnOver: boolean;
}

/** A result with where it came from. */
type CallResult = ToolResult & { cached?: boolean; duplicate?: boolean };

/** A write that may have happened must not happen again. */
function withoutRepetition(call: ResolvedCall, resumed: ResumedRun | undefined): ResolvedCall {
  if (!resumed?.interrupted.has(call.id)) return call;
  const isSafe = call.tool && (call.tool.effect === 'read' || call.tool.effect === 'idempotent' || call.tool.isResumable);
  return isSafe ? call : { ...call, refusal: { ...errorResult(OUTCOME_UNKNOWN), status: 'unknown' } };
}

async function runCall(asked: ResolvedCall, params: ToolRunnerParams, batch: Batch): Promise<ToolCallOutcome> {
  const { journal, clock, toolContext } = params;
  const label = labelOf(asked, toolContext.locale);
  const key = callKey(asked.name, asked.args);
  const isBehindQuestion = batch.isTurnOver && !asked.tool?.asksPerson;
  const blocked = isBehindQuestion ? behindQuestion(toolContext) : batch.guard.refusalOf(key);
  // Do not ask for approval of a call that will not run anyway.
  const call = blocked === undefined ? await approveForRun(asked, label, params) : asked;
  if (!params.resumed?.interrupted.has(call.id)) {
    const data = { toolCallId: call.id, name: call.name, label, args: shownArguments(call.args) };
    await journal.record({ type: 'tool_call_start', data });
  }
  await params.mayRun?.();
  const startedAt = clock.monotonic();
  const ownKey = call.args === asked.args ? key : callKey(call.name, call.args);
  const result: CallResult = blocked === undefined ? await resultOf(call, ownKey, params, batch) : errorResult(blocked);
  const durationMs = Math.round((clock.monotonic() - startedAt) * 10) / 10;
  const message: ToolMessage = { role: 'tool', tool_call_id: call.id, content: await batch.budget.truncate(call.id, result.content) };
  const { ok, status, cached, duplicate, details, question } = result;
  if (question) batch.isTurnOver = true;
  await journal.record(
    {
      type: 'tool_call_end',
      data: {
        toolCallId: call.id,
        name: call.name,
        label,
        ok,
        result: clipText(result.content, SHOWN_RESULT_LIMIT),
        durationMs,
        ...(status && { status }),
        ...(cached && { cached }),
        ...(duplicate && { duplicate }),
        ...(details && { details }),
      },
    },
    message,
  );
  return { message, ...(question && { question }) };
}

const behindQuestion = (ctx: Pick<ToolContext, 'locale'>): string =>
  inLocale(
    ctx,
    'Not run: your question to the person ends this turn. Make this call again, if it still fits, once the answer is there.',
    '未执行：你向用户提出的问题结束了本轮。得到回答之后，如果仍然合适，再次调用。',
  );

/** Asked before the call is announced: one that was announced has its yes, which is not asked for again after a crash. */
function approveForRun(call: ResolvedCall, label: string, params: ToolRunnerParams): Promise<ResolvedCall> | ResolvedCall {
  const { approval: gate, signal, toolContext } = params;
  // Do not ask for approval once the run has been aborted; the call is answered as cancelled.
  return gate && !signal.aborted ? approveCall(call, { gate, label, locale: toolContext.locale, signal }) : call;
}

/** Refusal, repeat or execution, noted by the loop guard. */
async function resultOf(call: ResolvedCall, key: string, params: ToolRunnerParams, { guard, earlier }: Batch): Promise<CallResult> {
  if (call.refusal) return withHint(call.refusal, guard.note(key, call.refusal.content));
  const known = call.tool?.effect === 'read' ? earlier.get(key) : undefined;
  if (known) return withNote(call, { ...(await known), duplicate: true });
  const running = readOrExecute(call, params);
  // What was read before a change may be read again after it.
  if (mayChange(call)) earlier.clear();
  else earlier.set(key, running);
  const result = await running;
  return withNote(call, withHint(result, guard.note(key, result.comparable ?? result.content)));
}

const withNote = <R extends ToolResult>({ note }: ResolvedCall, result: R): R =>
  note === undefined ? result : { ...result, content: `${note}\n${result.content}` };

const withHint = <R extends ToolResult>(result: R, hint: string | undefined): R =>
  hint === undefined ? result : { ...result, content: `${result.content}\n${hint}` };

const mayChange = ({ tool }: ResolvedCall): boolean => tool?.effect === 'write' || tool?.effect === 'external';

/** From the cache where the effect allows it. */
async function readOrExecute(call: ResolvedCall, params: ToolRunnerParams): Promise<CallResult> {
  const { cache, toolContext } = params;
  const { sessionId } = toolContext;
  if (!cache || !call.tool) return executeCall(call, params);
  const key = cache.keyOf(call.tool, call.args, toolContext);
  const hit = key === undefined ? undefined : cache.get(key, sessionId);
  if (hit) return { ...hit.result, cached: true, ...(hit.isDuplicate && { duplicate: true }) };
  const result = await executeCall(call, params);
  if (key !== undefined) cache.set(key, result, sessionId);
  return result;
}

/** Long texts among the arguments (a whole file, say) are clipped for pages and logs, and lists without end become text. */
function shownArguments(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return shownValue(args);
  if (Object.keys(args).length > MAX_SHOWN_ARGUMENTS) return clipText(JSON.stringify(args), SHOWN_RESULT_LIMIT);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, SHOWN_RESULT_LIMIT);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= SHOWN_LIST_LIMIT ? value : clipText(text, SHOWN_RESULT_LIMIT);
}

const labelOf = ({ tool, name }: ResolvedCall, locale: ToolContext['locale']): string =>
  (locale === 'zh-CN' ? tool?.translations?.['zh-CN'].label : undefined) ?? tool?.label ?? name;

/**
 * Executes a valid call; tries reads and idempotent calls again. One that may have changed something, however it ended, makes the cache forget.
 * Never rejects: what a tool throws becomes an error result.
 */
export async function executeCall(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const result = await executeWithRetries(call, params);
  if (mayChange(call)) params.cache?.invalidate();
  return result;
}

async function executeWithRetries(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const isRepeatable = call.tool?.effect === 'read' || call.tool?.effect === 'idempotent';
  for (let tries = 1; ; tries++) {
    const result = await executeOnce(call, params);
    if (result.ok || !result.isRetryable || !isRepeatable || tries === TOOL_LIMITS.maxTries || params.signal.aborted) return result;
    await pause(params, TOOL_LIMITS.retryMs * 2 ** (tries - 1) * (0.5 + (params.random ?? Math.random)()));
  }
}

async function executeOnce(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const { tool, name, args } = call;
  if (!tool) return errorResult(`There is no tool "${name}".`);
  if (params.signal.aborted) return { ...errorResult('Not run: the run was cancelled.'), status: 'cancelled' };
  try {
    return await withTimeout(
      {
        clock: params.clock,
        signal: params.signal,
        timeoutMs: Math.min(params.timeoutMs ?? Infinity, tool.timeoutMs ?? TOOL_LIMITS.timeoutMs),
        name,
        onStart: stop => params.onCallStart?.(call.id, stop),
      },
      signal => tool.execute(args, contextOf(call, params, signal)),
    );
  } catch (thrown) {
    if (thrown instanceof ToolInputError) return errorResult(thrown.message);
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...errorResult(`${name} failed unexpectedly: ${clipText(reason, 500)}`), isRetryable: true };
  }
}

/** Ends early when the run is cancelled. */
function pause({ clock, signal }: ToolRunnerParams, milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const stopTimer = clock.after(milliseconds, done);
    function done(): void {
      stopTimer();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}

function contextOf(call: ResolvedCall, { toolContext, journal }: ToolRunnerParams, signal: AbortSignal): ToolContext {
  const { askPerson, ...shared } = toolContext;
  return {
    ...shared,
    toolCallId: call.id,
    signal,
    onOutput: output => journal.delta({ type: 'tool_call_delta', data: { toolCallId: call.id, name: call.name, output } }),
    ...(askPerson && {
      onClarifyRequest: (question: string, choices?: string[]) =>
        askPerson({ question, ...(choices && { choices }), toolCallId: call.id, signal }),
    }),
  };
}
