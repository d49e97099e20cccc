/** Merges the deltas that are published together. */
import type { DeltaBody, RunEventBody } from '../../port/run_event';

export const copyDelta = (body: DeltaBody): DeltaBody => ({ ...body, data: { ...body.data } }) as DeltaBody;

/** Appends `more` to `last` when both belong to the same stream of text or output. Returns false otherwise. */
export function mergeDelta(last: RunEventBody, more: DeltaBody): boolean {
  if (last.type === 'tool_call_delta' && more.type === 'tool_call_delta' && last.data.toolCallId === more.data.toolCallId) {
    last.data.output += more.data.output;
    return true;
  }
  if ((last.type === 'text_delta' || last.type === 'reasoning_delta') && last.type === more.type) {
    last.data.text += more.data.text;
    return true;
  }
  return false;
}
