/**
 * Runs the tool calls of one attempt. Every call gets exactly one result: bad arguments, an unknown tool, an exception, a timeout and an abort
 * are results too. The steps of a call, in order, each in its own file:
 *
 * | step | file | |
 * |---|---|---|
 * | resolve | resolve_call | finds the tool; parses, repairs and validates the arguments |
 * | detect loops | loop_detector | blocks a call that keeps giving the same result |
 * | approve | ../approval/approval_gate | applies the rules; may wait for a person |
 * | cache | result_cache | answers reads from an earlier result |
 * | run, retry | execute_call | within the time limit; retries reads and idempotent calls |
 * | limit output | output_limiter | truncates for the model; the whole result goes to a file |
 * | record | record_call | `tool_call_start` before the run, `tool_call_end` with the message for the model after it |
 */
import type { ToolMessage, WireToolCall } from '../../port/llm';
import { errorResult, inLocale, type ToolContext, type ToolLocale, type ToolResult } from '../../tools/common';
import { toolTexts } from '../../tools/tool_spec';
import { mapLimited } from '../../utils/map_limited';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../../utils/yield_to_event_loop';
import { approveCall, markTaint, needsPerson } from '../approval/approval_gate';
import { callKey } from '../call_key';
import { outcomeUnknown } from '../history';
import type { ResolvedCall } from '../resolved_call';
import { executeCall, planDiff } from './execute_call';
import { LoopDetector } from './loop_detector';
import { OutputLimiter } from './output_limiter';
import { type CallResult, endObservation, observeCall, recordEnd, recordStart } from './record_call';
import { mayChangeState, resolveCall } from './resolve_call';
import { ResultImages } from './result_images';
import type { ResumedRun, ToolRunnerParams } from './runner_params';
import { TOOL_LIMITS } from './tool_limits';

export interface ToolCallOutcome {
  message: ToolMessage;
  question?: ToolResult['question'];
}

export interface RunOptions {
  /** A question of the same answer was handed over before an interruption: only further questions are taken. */
  isTurnOver?: boolean;
  /** Tools that the model that wrote the calls was not offered, because its server refuses them. */
  toolsAside?: readonly string[];
}

export interface ToolRunner {
  /**
   * Resolves with one outcome per call, in the order of the calls. A call that an interruption left unfinished runs again when its effect is read
   * or idempotent; any other gets the result that its outcome is unknown. Once a question is handed over as the answer of the turn, only further
   * questions are taken. Rejects only when the journal does.
   */
  runCalls(calls: readonly WireToolCall[], options?: RunOptions): Promise<ToolCallOutcome[]>;
}

/** State that the calls of one attempt share. */
interface AttemptState {
  /** Detects loops over the whole run. */
  loops: LoopDetector;
  output: OutputLimiter;
  /** Holds the images of results to their limits, over the whole run. */
  images: ResultImages;
  /** callKey -> result of the same read earlier in the attempt. */
  earlierReads: Map<string, Promise<CallResult>>;
  /** A question was handed over: the turn ends with this attempt. */
  isTurnOver: boolean;
}

/** Creates the tool runner of one run. */
export function createToolRunner(params: ToolRunnerParams): ToolRunner {
  const loops = new LoopDetector(params.toolContext.locale);
  const images = new ResultImages(params.storeImages, params.toolContext);
  return {
    async runCalls(calls, { isTurnOver = false, toolsAside = [] } = {}) {
      const known = (await resolveCalls(calls, params)).map(call => refuseAside(call, toolsAside, params.toolContext));
      const resolved = await markTaint(known, params.approval);
      const state: AttemptState = {
        loops,
        output: new OutputLimiter(params.spill, params.toolContext),
        images,
        earlierReads: new Map(),
        isTurnOver,
      };
      // Calls that need approval run one by one, so that a person decides about one thing at a time.
      const isParallel = resolved.every(call => (isRead(call) || waitsForAnswer(call, params)) && !needsPerson(call, params.approval));
      const outcomes = await mapLimited(resolved, isParallel ? TOOL_LIMITS.maxParallel : 1, call => runCall(call, params, state));
      // The next request holds the arguments, and encoding a megabyte takes milliseconds too.
      if (calls.some(isLong)) await yieldToEventLoop();
      return outcomes;
    },
  };
}

const isRead = ({ tool }: ResolvedCall): boolean => tool?.effect === 'read';

/** The questions of one answer are asked at once. Without somebody who answers, the first question ends the turn. */
const waitsForAnswer = ({ tool }: ResolvedCall, { toolContext }: ToolRunnerParams): boolean =>
  tool?.asksPerson === true && toolContext.askPerson !== undefined;

const isLong = (call: WireToolCall): boolean => call.function.arguments.length > LONG_JSON_UNITS;

async function resolveCalls(
  calls: readonly WireToolCall[],
  { tools, resumed, toolOff, toolContext }: ToolRunnerParams,
): Promise<ResolvedCall[]> {
  const resolved: ResolvedCall[] = [];
  for (const call of calls) {
    resolved.push(
      refuseUnsafeRepeat(refuseSwitchedOff(resolveCall(call, tools, toolContext.locale), toolOff), resumed, toolContext.locale),
    );
    // Parsing a megabyte takes milliseconds: let other work run before the next call.
    if (isLong(call)) await yieldToEventLoop();
  }
  return resolved;
}

/** Refuses a tool that was switched off after the run began, and a call that this chat does not allow; the run keeps its list of tools. */
function refuseSwitchedOff(call: ResolvedCall, toolOff: ToolRunnerParams['toolOff']): ResolvedCall {
  const text = toolOff?.(call.name, call.refusal ? undefined : call.args);
  return text === undefined ? call : { ...call, refusal: errorResult(text) };
}

function refuseAside(call: ResolvedCall, toolsAside: readonly string[], ctx: Pick<ToolContext, 'locale'>): ResolvedCall {
  if (!toolsAside.includes(call.name)) return call;
  const text = inLocale(
    ctx,
    `Not run: the tool ${call.name} cannot be used with this model, because its server refuses the definition of the tool. Go on without it.`,
    `未执行：工具 ${call.name} 不能与此模型一起使用，因为其服务器不接受该工具的定义。请不用它继续。`,
  );
  return { ...call, refusal: errorResult(text) };
}

/** Refuses a write that may have happened before the interruption, so that it does not happen twice. */
function refuseUnsafeRepeat(call: ResolvedCall, resumed: ResumedRun | undefined, locale: ToolLocale): ResolvedCall {
  if (!resumed?.interrupted.has(call.id)) return call;
  const isSafe = call.tool && (call.tool.effect === 'read' || call.tool.effect === 'idempotent' || call.tool.isResumable);
  return isSafe ? call : { ...call, refusal: { ...errorResult(outcomeUnknown(locale)), status: 'unknown' } };
}

/** The steps of one call. */
async function runCall(resolved: ResolvedCall, params: ToolRunnerParams, state: AttemptState): Promise<ToolCallOutcome> {
  const { journal, clock, toolContext } = params;
  const label = labelOf(resolved, toolContext.locale);
  const resolvedKey = callKey(resolved.name, resolved.args);
  const blocked = budgetRefusal(resolved, params) ?? blockOf(resolved, resolvedKey, params, state);
  // Do not ask for approval of a call that will not run anyway.
  const call = blocked ? resolved : await approve(resolved, label, params);
  if (!params.resumed?.interrupted.has(call.id)) await recordStart(journal, call, label);
  await params.assureLease?.();
  const startedAt = clock.monotonic();
  const work = observeCall({ ...call, note: resolved.note }, params);
  // A new key when a person has changed the arguments. Otherwise the key is reused, because hashing long arguments takes milliseconds.
  const key = call.args === resolved.args ? resolvedKey : callKey(call.name, call.args);
  const result = blocked ?? (params.prepareFiles && (await params.prepareFiles())) ?? (await resultOf(call, key, params, state));
  const durationMs = Math.round((clock.monotonic() - startedAt) * 10) / 10;
  if (result.question) state.isTurnOver = true;
  const { images, note } = state.images.attach(result);
  const text = await state.output.truncate(call.id, result.content);
  const content = note === undefined ? text : `${text}\n${note}`;
  endObservation(work, { call, result }, { content, isBlocked: blocked !== undefined, isInvalid: resolved.refusal !== undefined });
  const message: ToolMessage = { role: 'tool', tool_call_id: call.id, content, ...(images && { images }) };
  await recordEnd(journal, { ...call, label, durationMs }, result, message);
  if (result.ok && result.wantedTools) params.tools.addWanted?.(result.wantedTools);
  if (call.tool) params.approval?.turnTexts?.addResult({ ...call, tool: call.tool }, content);
  return { message, question: result.question };
}

const labelOf = ({ tool, name }: ResolvedCall, locale: ToolContext['locale']): string => (tool ? toolTexts(tool, locale).label : name);

/** Counts the call. A call that an interruption left unfinished was counted when it began. */
function budgetRefusal({ id }: ResolvedCall, { spending, resumed, toolContext }: ToolRunnerParams): ToolResult | undefined {
  if (!spending || resumed?.interrupted.has(id) || spending.takeToolCall()) return undefined;
  return errorResult(
    inLocale(toolContext, 'Not run: the tool calls that this run may make are used up.', '未执行：本次运行可用的工具调用次数已用完。'),
  );
}

/** The result of a call that must not run, because a question ended the turn or because the call is a loop. */
function blockOf({ tool }: ResolvedCall, key: string, { toolContext }: ToolRunnerParams, state: AttemptState): ToolResult | undefined {
  if (state.isTurnOver && !tool?.asksPerson) return errorResult(behindQuestion(toolContext));
  const loop = state.loops.blockReason(key);
  return loop === undefined ? undefined : errorResult(loop);
}

const behindQuestion = (ctx: Pick<ToolContext, 'locale'>): string =>
  inLocale(
    ctx,
    'Not run: your question to the person ends this turn. Make this call again, if it still fits, once the answer is there.',
    '未执行：你向用户提出的问题结束了本轮。得到回答之后，如果仍然合适，再次调用。',
  );

/** Asks before the start is recorded: a recorded start means that the call was approved, so a crash does not lead to a second question. */
function approve(call: ResolvedCall, label: string, params: ToolRunnerParams): Promise<ResolvedCall> | ResolvedCall {
  const { approval: gate, signal, toolContext } = params;
  // An aborted run asks for no approval: the call is answered as cancelled.
  if (!gate || signal.aborted) return call;
  return approveCall(call, { gate, label, locale: toolContext.locale, signal, planDiff: () => planDiff(call, params) });
}

/** Refuses, reuses the result of the same read in this attempt, or runs the call; the loop detector counts every result but a reused one. */
async function resultOf(
  call: ResolvedCall,
  key: string,
  params: ToolRunnerParams,
  { loops, earlierReads }: AttemptState,
): Promise<CallResult> {
  if (call.refusal) return withHint(call.refusal, loops.recordResult(key, call.refusal.content));
  const earlier = call.tool?.effect === 'read' ? earlierReads.get(key) : undefined;
  if (earlier) return withNote(call, { ...(await earlier), duplicate: true });
  const running = executeThroughCache(call, params);
  // A change makes earlier reads stale.
  if (mayChangeState(call)) earlierReads.clear();
  else earlierReads.set(key, running);
  const result = await running;
  return withNote(call, withHint(result, loops.recordResult(key, result.comparable ?? result.content)));
}

const withNote = <R extends ToolResult>({ note }: ResolvedCall, result: R): R =>
  note === undefined ? result : { ...result, content: `${note}\n${result.content}` };

const withHint = <R extends ToolResult>(result: R, hint: string | undefined): R =>
  hint === undefined ? result : { ...result, content: `${result.content}\n${hint}` };

async function executeThroughCache(call: ResolvedCall, params: ToolRunnerParams): Promise<CallResult> {
  const { cache, toolContext } = params;
  const key = call.tool && cache?.keyFor(call.tool, call.args, toolContext);
  if (!cache || key === undefined) return executeCall(call, params);
  const hit = cache.get(key, toolContext.sessionId);
  if (hit) return { ...hit.result, cached: true, duplicate: hit.isDuplicate || undefined };
  const result = await executeCall(call, params);
  cache.set(key, result, toolContext.sessionId);
  return result;
}
