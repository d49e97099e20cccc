/** Decides who does what in a crew: a master's tasks go to its members as child runs, and no child run outlives its parent. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import { isTerminal } from '../../port/run_event';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { retryWhileStoreUnavailable } from '../../service/retry_while_store_unavailable';
import type { RunTurn } from '../../service/run/run_turn';
import type { CrewAccess, CrewReport, CrewTask } from '../../tools/crew_access';
import { mapLimited } from '../../utils/map_limited';
import type { ChildRuns, CrewDelegate } from './crew_delegate';

export interface CrewOrchestratorDeps {
  store: Store;
  clock: Clock;
  delegate: CrewDelegate;
  children: ChildRuns;
  onError: LogError;
}

/** Child runs of one call that execute at the same time. */
const MAX_AT_ONCE = 4;
/** Milliseconds that the end of a parent waits for its cancelled child runs. A slower one ends by itself, because its cancel is stored. */
const END_LIMIT_MS = 2_000;

export class CrewOrchestrator {
  constructor(private readonly deps: CrewOrchestratorDeps) {}

  /** Returns what the crew tools of this run can do; undefined for an agent without a crew. */
  accessFor(turn: RunTurn): CrewAccess | undefined {
    const { crewRole, profile } = turn.agent;
    if (crewRole === undefined) return undefined;
    if (crewRole === 'member') return { role: 'member' };
    return { role: 'master', members: profile.members, delegateTasks: (call, tasks) => this.delegateTasks(turn, call, tasks) };
  }

  /**
   * Cancels the child runs that are left when their parent ends, and completes the parent's log. `turn` is absent when the parent could not be
   * opened. Never rejects.
   */
  async endChildren(run: RunRecord, turn: RunTurn | undefined): Promise<void> {
    if (turn?.children.started.size === 0) return;
    try {
      const children = await retryWhileStoreUnavailable(this.deps.clock, () => this.deps.store.read.runs.children(run.tenantId, run.id));
      await this.cancelWithinLimit(children.filter(child => !isTerminal(child.status)));
      if (turn) await this.completeLog(turn, children);
    } catch (thrown) {
      const isAbandoned = turn?.handle.abandoned.aborted === true;
      if (!isAbandoned)
        this.deps.onError('the child runs of a run could not be ended', thrown, { runId: run.id, sessionId: run.sessionId });
    } finally {
      if (turn) turn.children.isClosed = true;
    }
  }

  private async delegateTasks(
    turn: RunTurn,
    { toolCallId, signal }: { toolCallId: string; signal: AbortSignal },
    tasks: readonly CrewTask[],
  ): Promise<CrewReport[]> {
    const [first = ''] = turn.agent.profile.members;
    let waiting = tasks.length;
    let running = 0;
    return mapLimited(tasks, MAX_AT_ONCE, async (task, index) => {
      const sharers = Math.min(MAX_AT_ONCE - running, waiting);
      waiting -= 1;
      running += 1;
      try {
        return await this.deps.delegate.runTask(turn, { ...task, member: task.member ?? first, toolCallId, index, signal, sharers });
      } finally {
        running -= 1;
      }
    });
  }

  private async cancelWithinLimit(open: readonly RunState[]): Promise<void> {
    if (open.length === 0) return;
    const { clock, children } = this.deps;
    const { promise: limit, resolve } = Promise.withResolvers<void>();
    const stopTimer = clock.after(END_LIMIT_MS, resolve);
    const cancels = open.map(child =>
      children.cancelSession(child.tenantId, child.sessionId).catch(thrown => this.reportCancel(child, thrown)),
    );
    await Promise.race([Promise.all(cancels), limit]);
    stopTimer();
  }

  private reportCancel(child: RunState, thrown: unknown): void {
    // The process stops, or a person deleted the child run: in both cases the task ends.
    if (thrown instanceof AppError && (thrown.code === 'draining' || thrown.code === 'not_found')) return;
    this.deps.onError('a child run could not be cancelled', thrown, { runId: child.id, sessionId: child.sessionId });
  }

  /** Writes the ends that the calls did not write because they were stopped. */
  private async completeLog(turn: RunTurn, children: readonly RunState[]): Promise<void> {
    for (const { tenantId, id } of children.filter(child => !turn.children.ended.has(child.id))) {
      const child = await retryWhileStoreUnavailable(this.deps.clock, () => this.deps.store.read.runs.get(tenantId, id));
      if (child) this.deps.delegate.appendEnd(turn, child);
    }
  }
}
