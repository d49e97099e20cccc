/** The numbered log of one run, as pages of it arrive. Pure. */
import type { RunEvent } from '../../../../src/port/run_event';

export interface RunLog {
  /** In the order of `seq`, without a gap; the first one is later than 1 when the beginning is no longer stored. */
  events: readonly RunEvent[];
  /** False while earlier pages are still being read. */
  isWhole: boolean;
}

export const EMPTY_LOG: RunLog = { events: [], isWhole: false };

export const lastSeqOf = ({ events }: RunLog): number => events.at(-1)?.seq ?? 0;

/** Adds the events that the log does not have yet. */
export function addPage(log: RunLog, page: readonly RunEvent[], isWhole: boolean): RunLog {
  const last = lastSeqOf(log);
  const news = page.filter(({ seq }) => seq > last);
  return news.length === 0 && isWhole === log.isWhole ? log : { events: [...log.events, ...news], isWhole };
}

/** Returns the event with this number, or the nearest one that is stored. */
export function eventAt({ events }: RunLog, seq: number): RunEvent | undefined {
  const first = events[0];
  if (!first) return undefined;
  return events[Math.min(Math.max(0, seq - first.seq), events.length - 1)];
}

/** Returns the events around one of them. */
export function eventsAround({ events }: RunLog, seq: number, reach: number): readonly RunEvent[] {
  const first = events[0];
  if (!first) return [];
  const index = Math.min(Math.max(0, seq - first.seq), events.length - 1);
  const from = Math.max(0, Math.min(index - reach, events.length - 2 * reach - 1));
  return events.slice(from, from + 2 * reach + 1);
}

const MAX_SUMMARY = 140;

/** What an event says, in one line. */
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
      return [data.status, data.reason, data.error?.message, data.text].filter(Boolean).join(' · ');
    default:
      return JSON.stringify(data);
  }
}

const clip = (text: string): string => (text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text);

/** The answer of the model as it stood after this event: the deltas since the last whole message. */
export function textAt({ events }: RunLog, seq: number): string {
  let text = '';
  for (const event of events) {
    if (event.seq > seq) break;
    if (event.type === 'text_delta') text += event.data.text;
    else if (event.type === 'message_end' && event.data.role === 'assistant') text = '';
  }
  return text;
}
