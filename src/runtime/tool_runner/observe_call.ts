/** Tells the observer of tool calls. */
import type { OpenWork, RunObservation, ToolOutcome } from '../../port/observer';
import type { ToolContext, ToolResult } from '../../tools/common';
import type { CallResult } from './record_call';
import type { ResolvedCall } from './resolved_call';

/** The course of a call, as far as its outcome depends on it. */
export interface CallCourse {
  /** The budget or the loop detector stopped it. */
  isBlocked?: boolean;
  /** It was refused before a person or a rule was asked. */
  isInvalid?: boolean;
  /** The text that the model gets; it may be truncated. */
  content: string;
}

/** Begins to observe the execution of a call. Undefined when nothing observes. */
export function observeCall(
  { id: toolCallId, name, tool }: Pick<ResolvedCall, 'id' | 'name' | 'tool'>,
  { observation, toolContext }: { observation?: RunObservation | undefined; toolContext: Pick<ToolContext, 'tenantId' | 'trace'> },
): OpenWork<'tool_call'> | undefined {
  const run = observation?.run;
  const { trace } = toolContext;
  return observation?.observer.begin('tool_call', {
    ...(run ? { run } : trace && { trace }),
    tenantId: toolContext.tenantId,
    toolCallId,
    tool: name,
    ...(tool && { toolset: tool.toolset }),
    origin: tool?.origin ?? 'builtin',
  });
}

/** `call`: with the refusal that it got, if any. */
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
    ...(details && { details }),
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
