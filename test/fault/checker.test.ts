/** The checker finds nothing in correct evidence, and each violation in damaged evidence. */
import type { RunEvent } from '../../src/port/run_event';
import type { RunRecord } from '../../src/port/store/runs';
import { aMessage, aQuestion, aRun, aToolExecution, numbered } from '../support/store_records';
import { check, type Evidence } from './checker';
import { type ClientRecord, newRecord, takeEvent, type ViolationKind, viewOf } from './client_record';
import type { SessionFacts } from './store_facts';

const USAGE = { inputTokens: 1, outputTokens: 1 };
const TEXT = 'task a counter';
const CALL = { id: 'call_1', type: 'function' as const, function: { name: 'bash', arguments: '{}' } };

/** One run with one call that appends to the counter, seen completely by one client, and its acknowledged answer to a question. */
function wholeEvidence() {
  const events = numbered([
    { type: 'run_start', data: { door: 'socketio', agent: 'default', model: 'm', tools: [], input: TEXT } },
    { type: 'text_delta', data: { text: 'Done.' } },
    { type: 'message_end', data: { role: 'assistant', content: 'Done.' } },
    { type: 'run_end', data: { status: 'completed', text: 'Done.', usage: USAGE } },
  ]);
  const session = {
    sessionId: 'ses_1',
    runs: [{ ...aRun({ status: 'completed', input: TEXT, lastSeq: events.length }), ordinal: 1 }],
    events: new Map([['run_1', events]]),
    messages: [
      aMessage({ message: { role: 'user', content: TEXT } }),
      aMessage({ position: 1, message: { role: 'assistant', content: null, tool_calls: [CALL] } }),
      aMessage({ position: 2, message: { role: 'tool', tool_call_id: 'call_1', content: 'counted' } }),
      aMessage({ position: 3, message: { role: 'assistant', content: 'Done.' } }),
    ],
    clarifications: [aQuestion({ status: 'answered', answer: 'left' })],
    executions: [aToolExecution({ status: 'success', args: '{"command":"echo a.1 >> counter.txt"}' })],
    pendingSteeringMessages: [],
  } satisfies SessionFacts;
  const record: ClientRecord = newRecord('page');
  record.sent.push({ text: TEXT, ack: { runId: 'run_1', sessionId: 'ses_1' } });
  record.answers.push({ requestId: 'question-1', answer: 'left' });
  for (const event of events) takeEvent(record, event);
  const evidence = { records: [record], sessions: [session], counted: ['a.1'], modelProblems: [], leftovers: [], unfinished: [] };
  return evidence satisfies Evidence as Omit<typeof evidence, 'sessions'> & { sessions: [typeof session] } & Evidence;
}

type Whole = ReturnType<typeof wholeEvidence>;
const runOf = ({ sessions }: Whole): RunRecord => sessions[0].runs[0]!;
const eventsOf = ({ sessions }: Whole): RunEvent[] => sessions[0].events.get('run_1')!;
const seenBy = ({ records }: Whole): RunEvent[] => viewOf(records[0]!, 'run_1').events;

it('finds nothing in correct evidence', () => {
  expect(check(wholeEvidence())).toEqual([]);
});

it.each<[string, ViolationKind, (whole: Whole) => unknown]>([
  ['an acknowledged message that is not stored', 'lost_ack', whole => whole.sessions[0].messages.splice(0, 1)],
  ['an acknowledged run that is not stored', 'lost_ack', whole => whole.sessions[0].runs.splice(0, 1)],
  [
    'an acknowledged answer that is not stored',
    'lost_ack',
    whole => whole.records[0]!.answers.push({ requestId: 'question-2', answer: 'x' }),
  ],
  [
    'another answer than the acknowledged one',
    'lost_ack',
    whole => Object.assign(whole.sessions[0].clarifications[0]!, { answer: 'right' }),
  ],
  [
    'a message that became two runs',
    'duplicate_run',
    whole => whole.sessions[0].messages.push(aMessage({ runId: 'run_2', runOrdinal: 2, message: { role: 'user', content: TEXT } })),
  ],
  ['an event missing in the store', 'gap', whole => eventsOf(whole).splice(1, 1)],
  ['an event twice in the store', 'double', whole => eventsOf(whole).splice(1, 0, eventsOf(whole)[0]!)],
  ['an event that a client did not get', 'gap', whole => seenBy(whole).pop()],
  ['an event that only a client has', 'double', whole => seenBy(whole).push(seenBy(whole)[0]!)],
  [
    'an event that differs',
    'differing_event',
    whole => seenBy(whole).splice(1, 1, { ...seenBy(whole)[1]!, ts: '2020-01-01T00:00:00.000Z' }),
  ],
  [
    'an end that was shown, replaced by a reset, and is not stored',
    'lost_event',
    whole => whole.records[0]!.shown.push({ ...eventsOf(whole)[3]!, ts: '2020-01-01T00:00:00.000Z' }),
  ],
  [
    'a result of a command that was shown and is not stored',
    'lost_event',
    whole =>
      whole.records[0]!.shown.push(
        ...numbered([{ type: 'tool_call_start', data: { toolCallId: 'c', name: 'bash', label: 'b', args: {} } }], 9),
      ),
  ],
  ['a counter line twice', 'double_effect', whole => whole.counted.push('a.1')],
  ['a call that reports an effect that is missing', 'missing_effect', whole => whole.counted.pop()],
  ['a run without run_end', 'no_terminal', whole => eventsOf(whole).pop()],
  ['a run that is still running', 'no_terminal', whole => Object.assign(runOf(whole), { status: 'running' })],
  ['a question that is still open', 'no_terminal', whole => Object.assign(whole.sessions[0].clarifications[0]!, { status: 'pending' })],
  ['a tool call that is still running', 'no_terminal', whole => Object.assign(whole.sessions[0].executions[0]!, { status: 'running' })],
  ['a client that never finished', 'no_terminal', whole => Object.assign(whole, { unfinished: ['page'] })],
  ['a run that failed', 'wrong_end', whole => Object.assign(runOf(whole), { status: 'failed' })],
  ['a run that was cancelled without a request', 'wrong_end', whole => Object.assign(runOf(whole), { status: 'cancelled' })],
  [
    'a cancel that was acknowledged with something else',
    'wrong_end',
    whole => whole.records[0]!.cancels.push({ runId: 'run_1', status: 'cancelled' }),
  ],
  ['a call without a result', 'history', whole => whole.sessions[0].messages.splice(2, 1)],
  ['a call with two results', 'history', whole => whole.sessions[0].messages.push(whole.sessions[0].messages[2]!)],
  ['a history that the model objected to', 'history', whole => Object.assign(whole, { modelProblems: ['odd'] })],
  ['a process that was left behind', 'leftover_process', whole => Object.assign(whole, { leftovers: ['sleep 1'] })],
  ['a message that was never acknowledged', 'bricked', whole => whole.records[0]!.sent.push({ text: 'lost' })],
])('finds %s', (_, kind, damage) => {
  const whole = wholeEvidence();
  damage(whole);
  expect(check(whole).map(violation => violation.kind)).toContain(kind);
});

describe('a client', () => {
  it('reports a gap and a duplicate as they arrive', () => {
    const record = newRecord('page');
    const [first, , third] = eventsOf(wholeEvidence());
    for (const event of [first, third, first]) takeEvent(record, event!);
    expect(record.complaints.map(complaint => complaint.kind)).toEqual(['gap', 'double']);
  });

  it('reports another event under a number that it has', () => {
    const record = newRecord('page');
    const [first, second] = eventsOf(wholeEvidence());
    for (const event of [first!, second!, { ...second!, ts: '2020-01-01T00:00:00.000Z' }]) takeEvent(record, event);
    expect(record.complaints.map(complaint => complaint.kind)).toEqual(['two_contents']);
  });

  it('replaces its events by the snapshot of a replay_reset', () => {
    const record = newRecord('page');
    const events = eventsOf(wholeEvidence());
    for (const event of events.slice(0, 3)) takeEvent(record, event);
    const snapshot = { events: events.slice(0, 1) };
    takeEvent(record, { type: 'replay_reset', runId: 'run_1', data: { runId: 'run_1', lastSeq: 1, snapshot } });
    for (const event of events.slice(1)) takeEvent(record, event);
    expect(record.complaints).toEqual([]);
    expect(viewOf(record, 'run_1').events).toEqual(events);
  });
});
