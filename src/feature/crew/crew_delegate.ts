/**
 * Runs one task of a crew as a child run: a run of its own, in a session of its own. The link to the tool call is stored together with the child
 * run, so a call that is repeated after a crash finds its child instead of starting another one.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Usage } from '../../port/llm';
import type { RunOutcome, RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { RunBudget } from '../../runtime/run_spending';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { AgentProfile } from '../../service/agent/agent_profiles';
import { retryWhileStoreUnavailable } from '../../service/retry_while_store_unavailable';
import { NO_USAGE } from '../../service/run/finish_run';
import { countToolCalls } from '../../service/run/logged_spending';
import type { RunAdmission } from '../../service/run/run_admission';
import type { RunCapacity } from '../../service/run/run_capacity';
import type { RunTurn } from '../../service/run/run_turn';
import type { Claimed } from '../../service/run/start_request';
import { WriterClosed } from '../../service/run_log/run_owner';
import { formatQuestion } from '../../tools/builtin/clarify';
import { inLocale, type ToolLocale } from '../../tools/common';
import type { CrewReport, CrewTask } from '../../tools/crew_access';
import { clipText } from '../../utils/clip_text';
import { ApprovalRelay, type ApprovalRelayDeps } from './approval_relay';

/** The functions of the run executor that a crew calls. */
export interface ChildRuns {
  /** Executes a stored run whose slot is taken. */
  launch(claimed: Claimed): void;
  /** Resolves with the run once it is terminal. Rejects `not_found` when it was deleted, and `draining` when this process stops first. */
  waitForEnd(tenantId: string, runId: string): Promise<RunRecord>;
  /** Cancels every unfinished run of the session and resolves when they have ended. */
  cancelSession(tenantId: string, sessionId: string): Promise<void>;
}

export interface CrewDelegateDeps extends ApprovalRelayDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  agents: AgentDirectory;
  admission: RunAdmission;
  capacity: RunCapacity;
  children: ChildRuns;
}

/** One task of a call that delegates. */
export interface Assignment extends CrewTask {
  member: string;
  toolCallId: string;
  index: number;
  signal: AbortSignal;
  /** Number of child runs that share the rest of the parent's budget, this one included. */
  sharers: number;
}

/** Attempts with tools that a member gets, unless its profile says otherwise. */
const MEMBER_ITERATIONS = 15;
/** Characters of a report for the master. */
const MAX_REPORT = 8_000;
/** Characters of a task or a summary in an event. */
const MAX_SHOWN = 2_000;
/** The parent keeps this part of its time and its budget to answer after its children; of its time not more than MAX_RESERVE_MS. */
const RESERVED_SHARE = 0.1;
const MAX_RESERVE_MS = 30_000;

export class CrewDelegate {
  constructor(private readonly deps: CrewDelegateDeps) {}

  /**
   * Starts the child run, or finds the child run that the call started before, and resolves with its report once it has ended. Aborting the signal
   * cancels the child run. Rejects when this process no longer owns the parent; the child run then goes on.
   */
  async runTask(turn: RunTurn, assignment: Assignment): Promise<CrewReport> {
    const { tenantId, id: runId } = turn.run;
    const { toolCallId, index, member, signal, sharers } = assignment;
    const find = () => this.deps.store.read.runs.findChild(tenantId, { runId, toolCallId, index });
    const known = turn.resumed && (await this.retry(turn, find));
    const noReport = { member, text: '', usage: NO_USAGE, durationMs: 0 };
    if (!known && signal.aborted) return { ...noReport, status: 'cancelled' };
    const budget = known?.limits ?? turn.spending.shareForChild(sharers, RESERVED_SHARE);
    if (!budget) return { ...noReport, status: 'incomplete', reason: 'budget' };
    const release = turn.spending.reserve(budget);
    try {
      const child = known ?? (await this.startChild(turn, assignment, budget));
      const ended = await this.waitForEnd(turn, child, signal);
      const report = await this.toReport(turn, ended);
      await this.countChild(turn, ended);
      this.appendEnd(turn, ended);
      return report;
    } finally {
      release();
    }
  }

  /** Adds what the child run used to the spending of its parent; the log of a resumed parent has done that for a child with `delegate_end`. */
  private async countChild(turn: RunTurn, child: RunRecord): Promise<void> {
    const { run, children, spending } = turn;
    if (children.ended.has(child.id)) return;
    const isCounted = run.limits.maxToolCalls !== undefined;
    const toolCalls = isCounted ? await this.retry(turn, () => countToolCalls(this.deps.store.read, child)) : 0;
    spending.addChild(endOf(child).outcome.usage, toolCalls);
  }

  /** Writes `delegate_end` to the log of the parent, once. A child that has not ended yet was cancelled by the end of its parent. */
  appendEnd({ children, writer, run }: RunTurn, child: RunRecord): void {
    if (children.isClosed || children.ended.has(child.id)) return;
    children.ended.add(child.id);
    const { status, outcome } = endOf(child);
    const summary = outcome.escalation ? formatQuestion(outcome.escalation.question, outcome.escalation.choices, run.locale) : outcome.text;
    writer.append({
      type: 'delegate_end',
      data: {
        childRunId: child.id,
        member: child.agent,
        toolCallId: child.parent?.toolCallId ?? '',
        status,
        reason: outcome.reason,
        summary: clipText(summary, MAX_SHOWN),
        usage: outcome.usage,
        durationMs: durationOf(child),
        escalation: outcome.escalation,
        error: outcome.error,
      },
    });
  }

  /** Stores the child run and `delegate_start` in one transaction, then executes it beside the limit of runs. */
  private async startChild(turn: RunTurn, assignment: Assignment, budget: RunBudget): Promise<RunRecord> {
    const { toolCallId, index, signal: _signal, sharers: _sharers, ...task } = assignment;
    const { admission, capacity, ids, children } = this.deps;
    const { tenantId, keyName, id, sessionId, locale, interaction, trace } = turn.run;
    const { tools } = turn.run.limits;
    const ofChild = { runId: ids.next('run'), sessionId: ids.next('ses') };
    const request = {
      tenantId,
      keyName,
      ...ofChild,
      parent: { runId: id, sessionId, toolCallId, index },
      agent: task.member,
      locale,
      text: messageOf(task, locale),
      // A member asks no person. Its approvals go to the people of the parent.
      interaction: { ...interaction, clarify: 'text' as const },
      limits: { ...this.limitsOf(turn, task.member), ...budget, tools },
      ...this.modelOf(turn, task.member),
      trace,
    };
    const { member, task: text } = task;
    const shown = { childRunId: ofChild.runId, childSessionId: ofChild.sessionId, member, task: clipText(text, MAX_SHOWN), toolCallId };
    // Added before it is stored, so that the end of the parent looks for it.
    turn.children.started.add(ofChild.runId);
    const reservation = capacity.reserveForChild();
    let claimed: Claimed | undefined;
    let isStored = false;
    try {
      await turn.writer.record({ type: 'delegate_start', data: shown }, undefined, async tx => {
        claimed = await admission.acceptChild(tx, request);
      });
      isStored = true;
    } finally {
      reservation.release(isStored ? { claimed } : undefined);
    }
    if (!claimed) throw new Error('A stored child run is unknown.');
    if (turn.handle.abandoned.aborted) {
      // Another process takes the parent over, finds the child run and continues it.
      capacity.freeSlot();
      throw new WriterClosed();
    }
    children.launch(claimed);
    return claimed.run;
  }

  private limitsOf({ run, deadline }: RunTurn, member: string): { maxToolIterations: number; timeoutMs: number } {
    const { maxToolIterations = MEMBER_ITERATIONS } = this.profileOf(run, member);
    const { leftMs } = deadline;
    const timeoutMs = Math.max(1, Math.round(leftMs - Math.min(leftMs * RESERVED_SHARE, MAX_RESERVE_MS)));
    return { maxToolIterations, timeoutMs };
  }

  /** Returns the model of a member: the master's when the member's profile names none. */
  private modelOf({ run, model }: RunTurn, member: string): Pick<RunRecord, 'model' | 'parameters'> {
    const isInherited = this.profileOf(run, member).model === undefined && model !== undefined;
    return { model: isInherited ? model : undefined, parameters: run.parameters };
  }

  private profileOf({ tenantId, locale }: RunRecord, member: string): AgentProfile {
    return this.deps.agents.agentFor({ tenantId, agent: member, locale }).profile;
  }

  /** Waits for a child run. Resolves with the child run once it has ended, or as it was when a person deleted it. */
  private async waitForEnd(turn: RunTurn, child: RunRecord, signal: AbortSignal): Promise<RunRecord> {
    const { children } = this.deps;
    const { tenantId, id, sessionId } = child;
    const { abandoned } = turn.handle;
    const cancel = () => {
      // The process that takes the parent over also continues the child.
      if (!abandoned.aborted) void children.cancelSession(tenantId, sessionId).catch(() => {});
    };
    const gone = Promise.withResolvers<never>();
    gone.promise.catch(() => {});
    const leave = () => gone.reject(new WriterClosed());
    signal.addEventListener('abort', cancel, { once: true });
    abandoned.addEventListener('abort', leave, { once: true });
    if (abandoned.aborted) leave();
    else if (signal.aborted) cancel();
    const relay = new ApprovalRelay(this.deps, turn, child);
    try {
      await relay.start();
      const ended = this.retry(turn, () => children.waitForEnd(tenantId, id));
      ended.catch(() => {});
      return await Promise.race([ended, gone.promise]);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'not_found') return child;
      throw thrown;
    } finally {
      signal.removeEventListener('abort', cancel);
      abandoned.removeEventListener('abort', leave);
      await relay.stop();
    }
  }

  private async toReport(turn: RunTurn, child: RunRecord): Promise<CrewReport> {
    const { status, outcome } = endOf(child);
    const text = outcome.text === '' ? await this.retry(turn, () => this.lastAnswer(child)) : outcome.text;
    return {
      member: child.agent,
      status,
      reason: outcome.reason,
      text: clipText(text, MAX_REPORT),
      escalation: outcome.escalation,
      error: outcome.error?.message,
      usage: outcome.usage,
      durationMs: durationOf(child),
      childRunId: child.id,
      childSessionId: child.sessionId,
    };
  }

  /** Returns the last text of a child run that failed or was cancelled. */
  private async lastAnswer({ tenantId, sessionId, id }: RunRecord): Promise<string> {
    const rows = await this.deps.store.read.messages.history(tenantId, sessionId);
    const last = rows.findLast(({ runId, message }) => runId === id && message.role === 'assistant' && message.content);
    return typeof last?.message.content === 'string' ? last.message.content : '';
  }

  private retry<T>({ handle }: RunTurn, read: () => Promise<T>): Promise<T> {
    return retryWhileStoreUnavailable(this.deps.clock, read, () => handle.abandoned.throwIfAborted());
  }
}

/** Returns the end of a child run. A child run that was deleted, or whose cancel takes its time, counts as cancelled. */
function endOf({ status, outcome }: RunRecord): { status: CrewReport['status']; outcome: RunOutcome & { usage: Usage } } {
  const isEnded = status === 'completed' || status === 'incomplete' || status === 'failed' || status === 'cancelled';
  return { status: isEnded ? status : 'cancelled', outcome: outcome ?? { text: '', usage: NO_USAGE } };
}

const durationOf = ({ startedAt, endedAt }: RunRecord): number => Math.max(0, (endedAt ?? startedAt ?? 0) - (startedAt ?? 0));

/** The message that starts the child run. */
function messageOf({ task, context, expected_output: output }: CrewTask, locale: ToolLocale): string {
  const parts = [
    task,
    context?.trim() ? `${inLocale({ locale }, 'Context:', '背景：')}\n${context}` : '',
    output?.trim() ? `${inLocale({ locale }, 'What to report:', '报告要求：')}\n${output}` : '',
  ];
  return parts.filter(part => part !== '').join('\n\n');
}
