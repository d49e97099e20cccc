/**
 * Writes the start and the end of a call to the journal, with long arguments and results truncated for pages and logs, and tells the observer of its
 * execution.
 */
import type { ToolMessage } from '../../port/llm';
import type { OpenWork, RunObservation, ToolOutcome } from '../../port/observer';
import type { ToolContext, ToolResult } from '../../tools/common';
import { clipText } from '../../utils/clip_text';
import type { RunJournal } from '../journal';
import type { ResolvedCall } from '../resolved_call';

/** Characters of a result or of one argument. */
const MAX_TEXT_LENGTH = 8_000;
/** Characters of a list or an object among the arguments: enough for a whole plan. */
const MAX_LIST_LENGTH = 64_000;
const MAX_ARGUMENTS = 100;

/** The result of a call, with its origin: `cached` and `duplicate` say that an earlier call made it. */
export type CallResult = ToolResult & { cached?: boolean; duplicate?: boolean };

/** Resolves when the call may run: a call that does more than read is stored first. Rejects as RunJournal.record does. */
export function recordStart(journal: RunJournal, call: ResolvedCall, label: string): Promise<void> | void {
  const { id: toolCallId, name, args, tool } = call;
  const command = tool?.command === undefined ? {} : { command: tool.command };
  const start = { type: 'tool_call_start' as const, data: { toolCallId, name, label, args: truncateArguments(args), ...command } };
  return isRepeatable(call) ? journal.append(start) : journal.record(start);
}

/** Records the result together with the message for the model. Resolves when the model may see it; rejects as RunJournal.record does. */
export function recordEnd(
  journal: RunJournal,
  call: ResolvedCall & { label: string; durationMs: number },
  { ok, content, status, cached, duplicate, details }: CallResult,
  message: ToolMessage,
): Promise<void> | void {
  const { id: toolCallId, name, label, durationMs } = call;
  const data = {
    toolCallId,
    name,
    label,
    ok,
    result: clipText(content, MAX_TEXT_LENGTH),
    durationMs,
    status,
    cached: cached || undefined,
    duplicate: duplicate || undefined,
    details,
    images: message.images && [...message.images],
  };
  const end = { type: 'tool_call_end' as const, data };
  // The next request reads the images from the store.
  return isRepeatable(call) && !message.images ? journal.append(end, message) : journal.record(end, message);
}

/**
 * Returns true when a crash may undo the call: it only reads, or it did not run. An idempotent call is not repeatable, because after a crash the
 * model may ask for something else.
 */
const isRepeatable = ({ tool }: ResolvedCall): boolean => tool === undefined || tool.effect === 'read';

/** Truncates each long text; an object with too many keys becomes text as a whole. */
function truncateArguments(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return truncateValue(args);
  if (Object.keys(args).length > MAX_ARGUMENTS) return clipText(JSON.stringify(args), MAX_TEXT_LENGTH);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, truncateValue(value)]));
}

function truncateValue(value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, MAX_TEXT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= MAX_LIST_LENGTH ? value : clipText(text, MAX_TEXT_LENGTH);
}

/** What happened to a call, as far as the outcome depends on it. */
export interface CallCourse {
  /** The budget or the loop detector stopped the call. */
  isBlocked?: boolean;
  /** The call was refused before a rule or a person decided. */
  isInvalid?: boolean;
  /** The text that the model gets; it may be truncated. */
  content: string;
}

/** Begins to observe the execution of a call. `note`: the note of the resolved call, from before a person could change arguments. */
export function observeCall(
  { id: toolCallId, name, tool, args, note }: Pick<ResolvedCall, 'id' | 'name' | 'tool' | 'args'> & { note?: string | undefined },
  { observation, toolContext }: { observation?: RunObservation | undefined; toolContext: Pick<ToolContext, 'tenantId' | 'trace'> },
): OpenWork<'tool_call'> | undefined {
  const run = observation?.run;
  const { trace } = toolContext;
  return observation?.observer.begin('tool_call', {
    run,
    trace: run ? undefined : trace,
    tenantId: toolContext.tenantId,
    toolCallId,
    tool: name,
    toolset: tool?.toolset,
    origin: tool?.isCallers ? 'caller' : (tool?.origin ?? 'builtin'),
    isCacheable: tool?.effect === 'read' && !tool.isVolatile,
    isRepaired: note !== undefined,
    args,
  });
}

/** Ends the observation. `call`: the call with the refusal that it got, if any. */
export function endObservation(
  work: OpenWork<'tool_call'> | undefined,
  { call, result }: { call: Pick<ResolvedCall, 'refusal'>; result: CallResult },
  course: CallCourse,
): void {
  const { details } = result;
  work?.end({
    outcome: outcomeOf(call.refusal, result, course),
    resultBytes: Buffer.byteLength(result.content),
    isTruncated: course.content.length < result.content.length,
    retries: result.retries ?? 0,
    isFromCache: result.cached === true,
    details,
    content: course.content,
  });
}

function outcomeOf(refusal: ToolResult | undefined, result: CallResult, { isBlocked, isInvalid }: CallCourse): ToolOutcome {
  if (isBlocked) return 'blocked';
  if (result.duplicate) return 'duplicate';
  if (result.cached) return 'cached';
  if (result.ok) return 'ok';
  if (result.status === 'cancelled') return 'cancelled';
  if (result.isTimeout) return 'timeout';
  // An interrupted call whose outcome is unknown is refused, too.
  if (!refusal || result.status === 'unknown') return 'error';
  return isInvalid ? 'invalid_args' : 'denied';
}
