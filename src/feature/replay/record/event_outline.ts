/**
 * The outline of a log: the events that each replay of a run makes too. Deltas, people and child runs leave no trace in it, and neither does usage:
 * a run that writes a summary has more of it than its replay.
 */
import type { RunEventBody } from '../../../port/run_event';

/** Returns one word for an event of the outline; undefined for any other event. */
export function outlineOf({ type, data }: RunEventBody): string | undefined {
  if (type === 'message_end') return data.role === 'assistant' ? 'message_end' : undefined;
  return type === 'tool_call_start' || type === 'tool_call_end' ? `${type} ${data.name}` : undefined;
}

/** Returns true when both have the same events between two answers. Reads run in parallel, so the order of their events is by chance. */
export function isSameOutline(one: readonly string[], other: readonly string[]): boolean {
  return normalized(one) === normalized(other);
}

function normalized(outline: readonly string[]): string {
  const parts: string[][] = [[]];
  for (const word of outline) {
    // Older cases of suites have it.
    if (word === 'usage') continue;
    if (word === 'message_end') parts.push([]);
    parts.at(-1)?.push(word);
  }
  return parts.map(part => part.toSorted().join(' ')).join('\n');
}
