/** The numbered log of one run. Only the parts that a person looks at are read. Pure. */
import type { RunEvent } from '../../../../src/port/run_event';

export interface RunLog {
  /** Event number -> event. A number between `first` and `last` without an event is not read yet. */
  events: ReadonlyMap<number, RunEvent>;
  /** Number of the first event that is stored, as far as is known. */
  first: number;
  last: number;
}

export const EMPTY_LOG: RunLog = { events: new Map(), first: 1, last: 0 };

/** Events of one reading. */
export const PAGE_SIZE = 500;

/** Adds the events behind the number `after`. Numbers that the answer skips are no longer stored. */
export function addPage(log: RunLog, after: number, page: readonly RunEvent[]): RunLog {
  const events = new Map(log.events);
  for (const event of page) events.set(event.seq, event);
  const [from = after + 1, to = after] = [page[0]?.seq, page.at(-1)?.seq];
  return { events, first: from > after + 1 ? Math.max(log.first, from) : log.first, last: Math.max(log.last, to) };
}

/** Returns the number of the event that is shown for `seq`: `seq` itself or the nearest stored number. */
export const nearest = ({ first, last }: RunLog, seq: number): number => Math.min(Math.max(first, seq), last);

export const eventAt = (log: RunLog, seq: number): RunEvent | undefined => log.events.get(nearest(log, seq));

/** Returns the numbers around `seq`. */
function numbersAround({ first, last }: RunLog, seq: number, reach: number): number[] {
  const from = Math.max(first, Math.min(seq - reach, last - 2 * reach));
  return Array.from({ length: Math.min(2 * reach + 1, Math.max(0, last - from + 1)) }, (_, i) => from + i);
}

/** Returns the events around `seq` that were read. */
export const eventsAround = (log: RunLog, seq: number, reach: number): readonly RunEvent[] =>
  numbersAround(log, nearest(log, seq), reach).flatMap(number => log.events.get(number) ?? []);

/** Returns behind which number to read next for a look at this event; undefined when all is there. */
export function findMissing(log: RunLog, seq: number, reach: number): number | undefined {
  const shown = nearest(log, seq);
  const missing = numbersAround(log, shown, reach).find(number => !log.events.has(number));
  const gap = missing ?? textAt(log, shown).missing;
  if (gap === undefined) return undefined;
  if (log.events.has(gap - 1)) return gap - 1;
  return Math.max(log.first - 1, gap - (log.events.has(gap + 1) ? PAGE_SIZE : PAGE_SIZE / 2));
}

const MAX_SUMMARY = 140;

/** Returns an event's content in one line. */
export function summaryOf(event: RunEvent): string {
  return clip(rawSummary(event).replaceAll(/\s+/g, ' ').trim());
}

function rawSummary({ type, data }: RunEvent): string {
  switch (type) {
    case 'run_start':
      return `${data.agent} · ${data.model} · ${data.input}`;
    case 'text_delta':
    case 'reasoning_delta':
      return data.text;
    case 'message_end':
      return data.content || (data.toolCalls ?? []).map(({ name }) => name).join(', ');
    case 'tool_call_start':
      return `${data.name} ${JSON.stringify(data.args)}`;
    case 'tool_call_delta':
      return `${data.name} ${data.output}`;
    case 'tool_call_end':
      return `${data.name} ${data.result}`;
    case 'clarify_request':
      return data.question;
    case 'clarify_end':
      return data.answer ?? data.status;
    case 'approval_request':
      return `${data.tool}: ${data.reason}`;
    case 'approval_end':
      return data.decision ?? data.status;
    case 'run_end':
      return [data.status, data.by, data.reason, data.error?.message, data.text].filter(Boolean).join(' · ');
    default:
      return JSON.stringify(data);
  }
}

const clip = (text: string): string => (text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text);

/**
 * Returns the answer of the model as it stood after this event: the deltas since the last whole message. `missing`: an event of the answer that was
 * not read yet.
 */
export function textAt({ events, first }: RunLog, seq: number): { text: string; missing?: number } {
  const parts: string[] = [];
  for (let number = seq; number >= first; number -= 1) {
    const event = events.get(number);
    if (!event) return { text: parts.reverse().join(''), missing: number };
    if (event.type === 'message_end' && event.data.role === 'assistant') break;
    if (event.type === 'text_delta') parts.push(event.data.text);
  }
  return { text: parts.reverse().join('') };
}
