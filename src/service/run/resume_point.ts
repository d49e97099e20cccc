/** Reads from the store where an interrupted run resumes. */
import type { CutReason } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { QuestionKind, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import type { ResumedRun } from '../../runtime/tool_runner/runner_params';
import type { ProjectionState } from '../run_log/run_projection';
import { type ChildEvents, ChildWaits, NO_CHILD_EVENTS } from './child_events';
import { LoggedSpending } from './logged_spending';

export interface ResumePoint {
  projection: ProjectionState;
  resumed: ResumedRun;
  spent: LoggedSpending;
  /** Clarification questions of the run, by tool call id. */
  questions: ReadonlyMap<string, QuestionRecord>;
  /** Approval questions of the run, by tool call id. */
  approvals: ReadonlyMap<string, QuestionRecord>;
  /** Questions whose end event is missing in the log. */
  open: readonly QuestionRecord[];
  /** Milliseconds that the run waited for people; they do not count against its time limit. */
  waitedMs: number;
  childEvents: ChildEvents;
  /** The model in the first event of the run. */
  startedWith?: string;
}

/** The resume point of a run that was never interrupted: it has its user message and its `run_start`. */
export const FRESH: Omit<ResumePoint, 'resumed' | 'spent'> = {
  projection: { nextPosition: 1, openExecutions: new Map() },
  questions: new Map(),
  approvals: new Map(),
  open: [],
  waitedMs: 0,
  childEvents: NO_CHILD_EVENTS,
};

const PAGE = { limit: 1_000, maxBytes: 1024 * 1024 };
const MAX_ROWS = 1_000;

/** Reads the resume point. `history`: the messages of the session as stored; `now`: milliseconds since 1970. Rejects `store_unavailable`. */
export async function readResumePoint(
  read: StoreReader,
  run: RunRecord,
  history: readonly MessageRecord[],
  now: number,
): Promise<ResumePoint> {
  const { tenantId, id: runId } = run;
  const [executions, questions, log] = await Promise.all([
    read.toolExecutions.list(tenantId, { runId, status: 'running' }, { limit: MAX_ROWS }),
    read.questions.list(tenantId, { runId }, { limit: MAX_ROWS }),
    readLog(read, run, now),
  ]);
  const own = history.filter(row => row.runOrdinal === run.ordinal);
  const openExecutions = new Map(executions.data.flatMap(row => (row.toolCallId === undefined ? [] : [[row.toolCallId, row.id]])));
  const attempts = own.filter(({ message }) => message.role === 'assistant' && message.tool_calls?.length).length;
  return {
    projection: { nextPosition: own.reduce((next, row) => Math.max(next, row.position + 1), 1), openExecutions },
    resumed: { attempts, interrupted: new Set(openExecutions.keys()), failed: log.failed, cut: log.cut },
    spent: log.spent,
    questions: byToolCall(questions.data, 'clarification'),
    approvals: byToolCall(questions.data, 'approval'),
    open: questions.data.filter(row => log.open.has(row.id)),
    waitedMs: log.childWaitMs + totalWait(questions.data, now),
    childEvents: log.childEvents,
    startedWith: log.model,
  };
}

/** Adds up how long the run waited for its own questions, which are given by age. Waits that overlap count once. */
function totalWait(rows: readonly QuestionRecord[], now: number): number {
  let sum = 0;
  let coveredUntil = 0;
  for (const { createdAt, expiresAt, closedAt } of rows) {
    const end = closedAt ?? Math.min(now, expiresAt);
    sum += Math.max(0, end - Math.max(createdAt, coveredUntil));
    coveredUntil = Math.max(coveredUntil, end);
  }
  return sum;
}

function byToolCall(rows: readonly QuestionRecord[], kind: QuestionKind): ReadonlyMap<string, QuestionRecord> {
  return new Map(rows.flatMap(row => (row.toolCallId === undefined || row.kind !== kind ? [] : [[row.toolCallId, row]])));
}

interface LogFacts {
  spent: LoggedSpending;
  cut: CutReason | undefined;
  open: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  childEvents: ChildEvents;
  model: string | undefined;
  /** Milliseconds during which child runs waited for people. */
  childWaitMs: number;
}

/**
 * Reads facts from the events that no table holds: tokens, whether the last answer was cut, questions without an end, and events about child runs.
 */
async function readLog(read: StoreReader, run: RunRecord, now: number): Promise<LogFacts> {
  const spent = new LoggedSpending();
  const open = new Set<string>();
  const failed = new Set<string>();
  const children = { started: new Set<string>(), ended: new Set<string>(), asked: new Set<string>(), decided: new Set<string>() };
  const waits = new ChildWaits();
  let cut: CutReason | undefined;
  let model: string | undefined;
  for (let after = 0; after < run.lastSeq; ) {
    const events = await read.events.list(run.tenantId, run.id, after, PAGE);
    for (const event of events) {
      const { type, data } = event;
      waits.addEvent(event);
      spent.addEvent(event);
      if (type === 'run_start') model = data.model;
      if (type === 'message_end') cut = data.truncated && (data.reason ?? 'output_limit');
      if (type === 'clarify_request' || type === 'approval_request') open.add(data.requestId);
      if (type === 'clarify_end' || type === 'approval_end') open.delete(data.requestId);
      if (type === 'delegate_start') children.started.add(data.childRunId);
      if (type === 'delegate_end') children.ended.add(data.childRunId);
      if (type === 'approval_request') children.asked.add(data.requestId);
      if (type === 'approval_end') children.decided.add(data.requestId);
      if (type === 'tool_call_end' && !data.ok) failed.add(data.toolCallId);
    }
    after = events.at(-1)?.seq ?? run.lastSeq;
  }
  return { spent, cut, model, open, failed, childEvents: children, childWaitMs: waits.totalMs(now) };
}
