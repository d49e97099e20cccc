/** Writes the start and the end of a call to the journal, with long arguments and results truncated for pages and logs. */
import type { ToolMessage } from '../../port/llm';
import type { ToolResult } from '../../tools/common';
import { clipText } from '../../utils/clip_text';
import type { RunJournal } from '../journal';
import type { ResolvedCall } from './resolved_call';

/** Characters of a result or of one argument. */
const MAX_TEXT_LENGTH = 8_000;
/** Characters of a list or an object among the arguments: enough for a whole plan. */
const MAX_LIST_LENGTH = 64_000;
const MAX_ARGUMENTS = 100;

/** A result and where it came from. */
export type CallResult = ToolResult & { cached?: boolean; duplicate?: boolean };

/** Resolves when the call may run: a call that does more than read is stored first. Rejects as RunJournal.record does. */
export async function recordStart(journal: RunJournal, call: ResolvedCall, label: string): Promise<void> {
  const { id: toolCallId, name, args, tool } = call;
  const command = tool?.command === undefined ? {} : { command: tool.command };
  const start = { type: 'tool_call_start' as const, data: { toolCallId, name, label, args: truncateArguments(args), ...command } };
  if (isRepeatable(call)) journal.append(start);
  else await journal.record(start);
}

/** Records the result together with the message for the model. Resolves when the model may see it; rejects as RunJournal.record does. */
export async function recordEnd(
  journal: RunJournal,
  call: ResolvedCall & { label: string; durationMs: number },
  { ok, content, status, cached, duplicate, details }: CallResult,
  message: ToolMessage,
): Promise<void> {
  const { id: toolCallId, name, label, durationMs } = call;
  const data = {
    toolCallId,
    name,
    label,
    ok,
    result: clipText(content, MAX_TEXT_LENGTH),
    durationMs,
    ...(status && { status }),
    ...(cached && { cached }),
    ...(duplicate && { duplicate }),
    ...(details && { details }),
  };
  const end = { type: 'tool_call_end' as const, data };
  if (isRepeatable(call)) journal.append(end, message);
  else await journal.record(end, message);
}

/**
 * Returns true when a crash may undo the call: it only reads, or nothing ran. An idempotent call is not among these, because after a crash the
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
