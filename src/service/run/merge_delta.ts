/** Merges the deltas that are published together. */
import type { DeltaBody, RunEventBody } from '../../port/run_event';

/** Returns one delta with the text of both when they belong to the same stream of text or output; undefined otherwise. */
export function mergeDelta(last: RunEventBody, more: DeltaBody): DeltaBody | undefined {
  if (last.type === 'tool_call_delta' && more.type === 'tool_call_delta' && last.data.toolCallId === more.data.toolCallId)
    return { type: 'tool_call_delta', data: { ...last.data, output: last.data.output + more.data.output } };
  if ((last.type === 'text_delta' || last.type === 'reasoning_delta') && last.type === more.type)
    return { type: last.type, data: { text: last.data.text + more.data.text } };
  return undefined;
}
