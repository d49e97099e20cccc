/** The record of a client of the fault suite: what it sent, every ack, every event. */
import { isDeepStrictEqual } from 'node:util';
import type { RunEvent, RunStatus } from '../../src/port/run_event';

export const VIOLATION_KINDS = [
  'lost_ack',
  'duplicate_run',
  'gap',
  'double',
  'differing_event',
  'two_contents',
  'lost_event',
  'double_effect',
  'missing_effect',
  'no_terminal',
  'wrong_end',
  'history',
  'leftover_process',
  'bricked',
  'two_active_runs',
  'deadlock',
  'audit_chain',
  'not_found',
  'usage_sum',
] as const;
export type ViolationKind = (typeof VIOLATION_KINDS)[number];

export interface Violation {
  kind: ViolationKind;
  detail: string;
}

/** A message for the agent. Each text is unique, so that the checker can find it. */
export interface SentMessage {
  text: string;
  /** True for a steering message, which becomes part of a run or its own run. */
  isSteer?: boolean;
  /** True when it was sent only once, without a key; without an ack its outcome is unknown. */
  isUnkeyed?: boolean;
  ack?: { runId: string; sessionId: string };
}

export interface ClientRecord {
  client: string;
  sent: SentMessage[];
  views: Map<string, RunView>;
  /** Every event that arrived, also those that a replay_reset has replaced since. */
  shown: RunEvent[];
  /** Acknowledged answers to questions. */
  answers: { requestId: string; answer: string }[];
  /** Acknowledged cancels, with the status in the ack. */
  cancels: { runId: string; status: RunStatus }[];
  /** Violations that the client itself has seen. */
  complaints: Violation[];
}

export const newRecord = (client: string): ClientRecord => ({
  client,
  sent: [],
  views: new Map(),
  shown: [],
  answers: [],
  cancels: [],
  complaints: [],
});

/** The events of one run in the view of one client. */
export class RunView {
  events: RunEvent[] = [];

  get lastSeq(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  get isOver(): boolean {
    return this.events.at(-1)?.type === 'run_end';
  }
}

/** Adds an event or a replay_reset to the view; records a gap, a duplicate, and another event under a known number as complaints. Returns the events that are new to the client. */
export function takeEvent(record: ClientRecord, message: WireMessage): RunEvent[] {
  if (message.type === 'replay_reset') {
    viewOf(record, message.runId).events = [...message.data.snapshot.events];
    record.shown.push(...message.data.snapshot.events);
    return message.data.snapshot.events;
  }
  record.shown.push(message);
  const view = viewOf(record, message.runId);
  const expected = view.lastSeq + 1;
  const complain = (kind: ViolationKind) =>
    record.complaints.push({ kind, detail: `${record.client} got ${message.type} ${message.seq} of ${message.runId}, not ${expected}` });
  const earlier = view.events.find(event => event.seq === message.seq);
  if (earlier) complain(isDeepStrictEqual(earlier, message) ? 'double' : 'two_contents');
  else if (message.seq > expected) complain('gap');
  view.events.push(message);
  return [message];
}

export type WireMessage =
  | RunEvent
  | { type: 'replay_reset'; runId: string; data: { runId: string; lastSeq: number; snapshot: { events: RunEvent[] } } };

export function viewOf({ views }: ClientRecord, runId: string): RunView {
  const known = views.get(runId);
  if (known) return known;
  const view = new RunView();
  views.set(runId, view);
  return view;
}
