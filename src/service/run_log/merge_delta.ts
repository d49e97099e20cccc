/** Merges the deltas that are published together. */
import type { DeltaBody } from '../../port/run_event';
import type { Entry } from './run_entry';

/** Adds the text of `more` to the entry when its event belongs to the same stream of text or output. Returns false otherwise. */
export function mergeDelta(entry: Entry, more: DeltaBody): boolean {
  const last = entry.body;
  if (last?.type === 'tool_call_delta' && more.type === 'tool_call_delta' && last.data.toolCallId === more.data.toolCallId) {
    ownData(entry, last).output += more.data.output;
    return true;
  }
  if ((last?.type === 'text_delta' || last?.type === 'reasoning_delta') && last.type === more.type) {
    ownData(entry, last).text += more.data.text;
    return true;
  }
  return false;
}

/** The first delta of an entry belongs to its caller, so it is copied before it changes. Most deltas are never merged and need no copy. */
function ownData<B extends DeltaBody>(entry: Entry, body: B): B['data'] {
  if (entry.isMerged) return body.data;
  const data = { ...body.data };
  entry.body = { type: body.type, data } as B;
  entry.isMerged = true;
  return data;
}
