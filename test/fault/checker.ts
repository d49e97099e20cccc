/** Compares the records of the clients with the store after all work has ended, and reports every broken promise. */
import { isDeepStrictEqual } from 'node:util';
import { isTerminal, type RunEvent } from '../../src/port/run_event';
import type { RunRecord } from '../../src/port/store/runs';
import { historyProblem, repairHistory } from '../../src/runtime/history';
import type { ClientRecord, SentMessage, Violation, ViolationKind } from './client_record';
import type { SessionFacts } from './store_facts';

export interface Evidence {
  records: readonly ClientRecord[];
  sessions: readonly SessionFacts[];
  /** Lines of the counter file, to which tools append. */
  counted: readonly string[];
  /** Invalid histories that the model server received. */
  modelProblems: readonly string[];
  /** Command lines of processes that tools left behind. */
  leftovers: readonly string[];
  /** Clients or runs that did not end in time. */
  unfinished: readonly string[];
}

type Report = (kind: ViolationKind, detail: string) => void;

/** Returns every violation; an empty list means that all promises were kept. */
export function check(evidence: Evidence): Violation[] {
  const violations: Violation[] = evidence.records.flatMap(record => record.complaints);
  const report: Report = (kind, detail) => violations.push({ kind, detail });
  for (const detail of evidence.unfinished) report('no_terminal', detail);
  for (const detail of evidence.modelProblems) report('history', `the model got: ${detail}`);
  for (const detail of evidence.leftovers) report('leftover_process', detail);
  for (const session of evidence.sessions) checkSession(session, evidence, report);
  for (const record of evidence.records) checkRecord(record, evidence.sessions, report);
  checkEffects(evidence, report);
  return violations;
}

function checkSession(session: SessionFacts, { records }: Evidence, report: Report): void {
  for (const run of session.runs) checkRun(run, session.events.get(run.id) ?? [], records, report);
  const history = repairHistory(session.messages.map(row => row.message));
  const problem = historyProblem(history);
  if (problem) report('history', `session ${session.sessionId}: ${problem}`);
  checkResults(session, report);
  for (const steer of session.pendingSteeringMessages) report('lost_ack', `"${steer.text}" still waits for run ${steer.runId}`);
  for (const row of session.clarifications) {
    if (row.status === 'pending' && row.mode === 'wait') report('no_terminal', `question ${row.id} of run ${row.runId} is still open`);
  }
  for (const row of session.executions) {
    if (row.status === 'running') report('no_terminal', `tool call ${row.toolCallId} of run ${row.runId} is still running`);
  }
}

/** Checks that a terminal run has exactly one result for every call. */
function checkResults({ runs, messages }: SessionFacts, report: Report): void {
  for (const run of runs) {
    const own = messages.filter(row => row.runId === run.id).map(row => row.message);
    const results = own.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []));
    const calls = own.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []).map(call => call.id) : []));
    for (const id of calls) {
      const count = results.filter(result => result === id).length;
      if (count !== 1) report('history', `call ${id} of run ${run.id} has ${count} results`);
    }
  }
}

function checkRun(run: RunRecord, events: readonly RunEvent[], records: readonly ClientRecord[], report: Report): void {
  const ends = events.filter(event => event.type === 'run_end');
  const last = events.at(-1);
  if (!isTerminal(run.status)) report('no_terminal', `run ${run.id} is ${run.status}`);
  else if (ends.length !== 1 || last?.type !== 'run_end')
    report('no_terminal', `run ${run.id} has ${ends.length} run_end, the last event is ${last?.type}`);
  else if (last.data.status !== run.status) report('wrong_end', `run ${run.id} is ${run.status}, its run_end says ${last.data.status}`);
  if (run.status === 'failed') report('wrong_end', `run ${run.id} failed: ${JSON.stringify(run.outcome?.error)}`);
  const isCancelRequested = records.some(record => record.cancels.some(cancel => cancel.runId === run.id));
  if (run.status === 'cancelled' && !isCancelRequested) report('wrong_end', `run ${run.id} was cancelled without a request`);
  if (run.lastSeq !== (last?.seq ?? 0)) report('gap', `run ${run.id} says lastSeq ${run.lastSeq}, its last event is ${last?.seq}`);
  events.forEach((event, i) => {
    if (event.seq !== i + 1)
      report(event.seq > i + 1 ? 'gap' : 'double', `stored event ${event.seq} of run ${run.id} stands at place ${i + 1}`);
  });
}

function checkRecord(record: ClientRecord, sessions: readonly SessionFacts[], report: Report): void {
  for (const sent of record.sent) checkSent(record.client, sent, sessions, report);
  for (const [runId, view] of record.views) {
    const stored = sessions.find(session => session.events.has(runId))?.events.get(runId);
    if (!stored) report('lost_ack', `${record.client} saw run ${runId}, which is not stored`);
    else compareView({ client: record.client, runId }, view.events, stored, report);
  }
  for (const event of record.shown) checkShown(record.client, event, sessions, report);
  for (const { requestId, answer } of record.answers) {
    const question = sessions.flatMap(session => session.clarifications).find(row => row.id === requestId);
    if (question?.answer !== answer)
      report('lost_ack', `${record.client}: the answer to ${requestId} is "${question?.answer}", not "${answer}"`);
  }
  for (const { runId, status } of record.cancels) {
    const run = findRun(sessions, runId);
    if (run?.status !== status) report('wrong_end', `${record.client} was told ${status} of run ${runId}, it is ${run?.status}`);
  }
}

function checkSent(client: string, sent: SentMessage, sessions: readonly SessionFacts[], report: Report): void {
  const copies = sessions
    .flatMap(facts => facts.messages)
    .filter(({ message }) => message.role === 'user' && message.content === sent.text);
  if (copies.length > 1) report('duplicate_run', `${client}: "${sent.text}" is in the history ${copies.length} times`);
  if (!sent.ack) {
    if (!sent.isUnkeyed) report('bricked', `${client}: "${sent.text}" was never acknowledged`);
    return;
  }
  const { runId, sessionId } = sent.ack;
  const run = findRun(sessions, runId);
  if (!sent.isSteer && run?.input !== sent.text) report('lost_ack', `${client}: run ${runId} is not about "${sent.text}"`);
  // A run that was cancelled before it started has sent nothing to the model.
  if (run?.status === 'cancelled' && run.startedAt === undefined) return;
  if (copies.some(row => row.sessionId === sessionId)) return;
  report('lost_ack', `${client}: "${sent.text}" was acknowledged for run ${runId} and is not in its history`);
}

/** Checks that a client's view of an ended run equals the stored log, and that any other view is a prefix of it. */
function compareView(
  { client, runId }: { client: string; runId: string },
  seen: readonly RunEvent[],
  stored: readonly RunEvent[],
  report: Report,
): void {
  if (seen.length < stored.length) report('gap', `${client} has ${seen.length} of ${stored.length} events of run ${runId}`);
  if (seen.length > stored.length) report('double', `${client} has ${seen.length} events of run ${runId}, ${stored.length} are stored`);
  const different = seen.findIndex((event, i) => i < stored.length && !isDeepStrictEqual(event, stored[i]));
  if (different < 0) return;
  const shown = JSON.stringify([seen[different], stored[different]]).slice(0, 500);
  report('differing_event', `${client}: event ${different + 1} of run ${runId} is not what is stored: ${shown}`);
}

/** Checks that an event which a crash must not undo is stored as it was shown, even when a replay_reset has replaced it since. */
function checkShown(client: string, event: RunEvent, sessions: readonly SessionFacts[], report: Report): void {
  if (!mustLast(event)) return;
  const stored = sessions.flatMap(session => session.events.get(event.runId)?.[event.seq - 1] ?? []);
  if (stored.some(other => isDeepStrictEqual(other, event))) return;
  report(
    'lost_event',
    `${client} got ${event.type} ${event.seq} of run ${event.runId}, which is not stored: ${JSON.stringify([event, stored]).slice(0, 1500)}`,
  );
}

/** Tools of the plans that only read. */
const READING = ['read_file', 'list_dir'];

function mustLast(event: RunEvent): boolean {
  switch (event.type) {
    case 'run_start':
    case 'run_end':
    case 'clarify_request':
    case 'clarify_end':
      return true;
    case 'message_end':
      return event.data.role === 'user';
    case 'tool_call_start':
    case 'tool_call_end':
      return !READING.includes(event.data.name);
    default:
      return false;
  }
}

/** Checks that each call appears in the counter file at most once, and exactly once when its result reports success. */
function checkEffects({ sessions, counted }: Evidence, report: Report): void {
  const times = new Map<string, number>();
  for (const line of counted) times.set(line, (times.get(line) ?? 0) + 1);
  for (const [line, count] of times) if (count > 1) report('double_effect', `${line} was counted ${count} times`);
  for (const execution of sessions.flatMap(session => session.executions)) {
    const line = /echo (\S+) >>/.exec(execution.args)?.[1];
    if (line === undefined || execution.status !== 'success' || times.has(line)) continue;
    report('missing_effect', `the call that counts ${line} succeeded and counted nothing`);
  }
}

const findRun = (sessions: readonly SessionFacts[], runId: string): RunRecord | undefined =>
  sessions.flatMap(session => session.runs).find(run => run.id === runId);
