/** Carries one claimed run from its first attempt, or from where an interruption left it, to the stored end. */
import { AppError } from '../../errors';
import type { IdSource } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Failpoints } from '../../port/failpoints';
import type { LlmPort, Usage } from '../../port/llm';
import { isTerminal } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { FencedError } from '../../port/store/store_errors';
import { runAgent } from '../../runtime/agent';
import { repairHistory } from '../../runtime/history';
import { TodoStore } from '../../runtime/todo_store';
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import type { ResumedRun, ToolRunContext } from '../../runtime/tool_runner/tool_runner';
import type { AgentDirectory, AssembledAgent } from '../agent/agent_directory';
import type { ApprovalService } from '../question/approval_service';
import type { ClarificationService } from '../question/clarification_service';
import { toClarificationData } from '../question/question_events';
import type { QuestionService } from '../question/question_service';
import type { FileEditingService } from '../tool/file_editing_service';
import type { ResultFiles } from '../tool/result_files';
import type { TaintService } from '../tool/taint_service';
import type { TerminalService } from '../tool/terminal_service';
import { type ToolPorts, toolPorts } from '../tool/tool_ports';
import { endingOf, finishRun, RunCancelled, type RunEnding } from './finish_run';
import type { LateMessages } from './late_messages';
import { PausableDeadline } from './pausable_deadline';
import { FRESH, type ResumePoint, readResumePoint } from './resume_point';
import { retryWhileStoreUnavailable } from './retry_while_store_unavailable';
import type { RunCapacity } from './run_capacity';
import { RunWriter, WriterClosed } from './run_writer';
import type { SteeringService } from './steering_service';

export interface ExecutionPorts extends ToolPorts {
  store: Store;
  bus: EventBus;
  ids: IdSource;
  llm: LlmPort;
  failpoints: Failpoints;
}

export interface ExecutionSettings {
  maxToolIterations: number;
  maxContextMessages: number;
  contextTokens: number;
  runTimeoutMs: number;
  textQuestionTimeoutMs: number;
  onError: (message: string, error: unknown) => void;
}

/** What the process holds of a run that it executes. */
export class RunHandle {
  readonly controller = new AbortController();
  /** How to stop each tool call that runs now. */
  readonly calls = new Map<string, () => void>();
  /** A person is being waited for. */
  isWaiting = false;
  /** Resolves when the run is certainly still this process's; rejects when it is not. Set by who keeps the lease. */
  assureLease: () => Promise<void> = async () => {};
  writer?: RunWriter;

  /** Stops all work on the run without a word in its log: it goes on in another process. */
  abandon(): void {
    this.writer?.close();
    this.controller.abort(new WriterClosed());
  }
}

type Turn = Omit<ResumePoint, 'resumed'> & {
  handle: RunHandle;
  writer: RunWriter;
  deadline: PausableDeadline;
  rows: readonly MessageRecord[];
  usage: Usage;
  resumed?: ResumedRun;
};

/** Takeovers after a crash that a run gets; then it ends as interrupted. */
const MAX_RECOVERIES = 3;

export class RunExecution {
  constructor(
    private readonly ports: ExecutionPorts,
    private readonly settings: ExecutionSettings,
    private readonly services: {
      agents: AgentDirectory;
      questions: QuestionService;
      clarifications: ClarificationService;
      approvals: ApprovalService;
      taint: TaintService;
      steering: SteeringService;
      lateMessages: LateMessages;
      capacity: RunCapacity;
      cache: ResultCache;
      fileEditing: FileEditingService;
      terminals: TerminalService;
      results: ResultFiles;
    },
  ) {}

  /** Resolves when the run's end is stored and sent, or the run was abandoned. Rejects never: whatever goes wrong is the run's end. */
  async execute(run: RunRecord, agent: AssembledAgent, handle: RunHandle): Promise<void> {
    let usage: Usage = { inputTokens: 0, outputTokens: 0 };
    let ending: RunEnding;
    let turn: Turn | undefined;
    try {
      turn = await this.openTurn(run, handle);
      usage = turn.usage;
      if (run.cancelRequested) handle.controller.abort(new RunCancelled());
      else if (run.recoveries > MAX_RECOVERIES) handle.controller.abort(new AppError('interrupted'));
      ending = await this.runToEnding(run, agent, turn);
    } catch (thrown) {
      const reason = handle.controller.signal.aborted ? handle.controller.signal.reason : thrown;
      if (isAbandoned(reason) || isAbandoned(thrown)) return;
      ending = endingOf(reason, { usage, shown: handle.writer?.unfinishedText ?? '' });
      if (ending.outcome.error?.code === 'internal') this.settings.onError(`run ${run.id} failed`, thrown);
    } finally {
      turn?.deadline.stop();
    }
    await this.storeEnding(run, handle, ending);
  }

  private async openTurn(run: RunRecord, handle: RunHandle): Promise<Turn> {
    const { store, clock } = this.ports;
    const giveUp = () => handle.controller.signal.throwIfAborted();
    const rows = await retryWhileStoreUnavailable(clock, () => store.read.history(run.tenantId, run.sessionId), giveUp);
    const point: Omit<ResumePoint, 'resumed'> & { resumed?: ResumedRun } =
      run.epoch > 1 ? await retryWhileStoreUnavailable(clock, () => readResumePoint(store.read, run, rows, clock.now()), giveUp) : FRESH;
    const writer = new RunWriter(this.ports, run, point.sofar);
    handle.writer = writer;
    const elapsedMs = clock.now() - (run.startedAt ?? clock.now()) - point.waitedMs;
    const leftMs = Math.max(0, (run.limits.timeoutMs ?? this.settings.runTimeoutMs) - elapsedMs);
    const deadline = new PausableDeadline(clock, leftMs, () => handle.controller.abort(new AppError('run_timeout')));
    return { ...point, usage: { ...point.usage }, handle, writer, deadline, rows };
  }

  private async runToEnding(run: RunRecord, agent: AssembledAgent, turn: Turn): Promise<RunEnding> {
    const { store, clock, ids, llm } = this.ports;
    const { tenantId, sessionId, locale } = run;
    await this.dropOldQuestions(run, agent, turn);
    const [session, plan] = await Promise.all([store.read.getSession(tenantId, sessionId), store.read.getTodos(tenantId, sessionId)]);
    const todos = new TodoStore(plan?.todos ?? [], (items, summary) => {
      // A failed write also fails the next record of the loop, which ends the run.
      turn.writer.record({ type: 'todo_update', data: { todos: items, summary } }).catch(() => {});
    });
    const messages = turn.rows.filter(row => row.runOrdinal <= run.ordinal).map(row => row.message);
    const history = repairHistory(messages, { keepOpen: turn.resumed !== undefined });
    const { signal } = turn.handle.controller;
    const outcome = await runAgent({
      llm: this.observed(llm),
      ...(agent.profile.model !== undefined && { model: agent.profile.model }),
      thinkingLevel: session?.thinkingLevel ?? 'off',
      locale,
      systemPrompt: this.services.agents.systemPrompt(agent, locale, clock.now()),
      history,
      tools: agent.tools,
      toolContext: this.toolContext(run, todos, turn),
      limits: {
        maxToolIterations: run.limits.maxToolIterations ?? this.settings.maxToolIterations,
        maxContextMessages: this.settings.maxContextMessages,
        contextTokens: this.settings.contextTokens,
      },
      signal,
      journal: turn.writer,
      usage: turn.usage,
      clock,
      ids,
      cache: this.services.cache,
      spill: (toolCallId, text) => this.services.results.keep(sessionId, toolCallId, text),
      ...(turn.resumed && { resumed: turn.resumed }),
      onCallStart: (toolCallId, stop) => {
        turn.handle.calls.set(toolCallId, stop);
        return () => turn.handle.calls.delete(toolCallId);
      },
      approval: {
        policy: this.services.approvals.policy,
        ask: question =>
          whileWaiting(turn, () => this.services.approvals.ask(run, turn.writer, question, turn.approvals.get(question.toolCallId))),
        readTaint: () => this.services.taint.taintFor(run, agent, history, () => signal.throwIfAborted()),
        earlierNo: toolCallId => this.services.approvals.noOf(turn.approvals.get(toolCallId)),
      },
      mayRun: () => turn.handle.assureLease(),
      takeSteeringMessages: () => this.services.steering.takeMessages(run, turn.writer),
    });
    const { clarifications } = this.services;
    const question = outcome.question && clarifications.textQuestion(run, outcome.question, this.settings.textQuestionTimeoutMs);
    const clarification = question && toClarificationData(question);
    return {
      status: outcome.status,
      outcome: {
        text: outcome.text,
        usage: turn.usage,
        ...(outcome.reason && { reason: outcome.reason }),
        ...(clarification && { clarification }),
      },
      ...(question && { question }),
    };
  }

  /** Rules, tools and checks may be others since the run was taken over while it waited. */
  private async dropOldQuestions(run: RunRecord, { tools }: AssembledAgent, { open, writer, handle }: Turn): Promise<void> {
    if (run.status !== 'waiting' || handle.controller.signal.aborted) return;
    const { approvals, questions } = this.services;
    const canAsk = [...tools.byName.values()].some(tool => tool.asksPerson);
    const rows = open.filter(row => (row.approval ? !approvals.isAsked(row.approval, tools.byName) : !canAsk));
    await questions.drop(run, writer, { rows, isLast: rows.length === open.length });
  }

  /** The same model with a failpoint at each call. */
  private observed(llm: LlmPort): LlmPort {
    const { failpoints } = this.ports;
    return {
      info: llm.info,
      async stream(request, sink) {
        await failpoints.reach('model_called');
        return llm.stream(request, sink);
      },
    };
  }

  private toolContext(run: RunRecord, todos: TodoStore, turn: Turn): ToolRunContext {
    const { tenantId, sessionId, id: runId, locale } = run;
    const shared = {
      tenantId,
      sessionId,
      runId,
      locale,
      ...toolPorts(this.ports),
      todos,
      terminal: this.services.terminals.of(tenantId, sessionId),
      ...this.services.fileEditing.contextOf({ tenantId, sessionId, runId }),
    };
    if (run.interaction.clarify !== 'wait') return shared;
    return {
      ...shared,
      askPerson: question =>
        whileWaiting(turn, () => this.services.clarifications.ask(run, turn.writer, question, turn.questions.get(question.toolCallId))),
    };
  }

  /** A run without an end would block its session: when the writer failed, the end is written by a new one. */
  private async storeEnding(run: RunRecord, handle: RunHandle, ending: RunEnding): Promise<void> {
    const { lateMessages, capacity } = this.services;
    const how = { now: this.ports.clock.now(), lateMessages };
    try {
      if (!handle.writer) throw new Error('the run has no writer yet');
      if (run.epoch > 1) await this.services.questions.withdraw(run, handle.writer);
      capacity.joinQueue(await finishRun(handle.writer, run, ending, how));
    } catch (thrown) {
      if (isAbandoned(thrown)) return;
      this.settings.onError(`the end of run ${run.id} is written anew`, thrown);
      const stored = await retryWhileStoreUnavailable(this.ports.clock, () => this.ports.store.read.getRun(run.tenantId, run.id));
      if (!stored || stored.epoch !== run.epoch || isTerminal(stored.status)) return;
      const writer = new RunWriter(this.ports, stored, FRESH.sofar);
      try {
        capacity.joinQueue(await finishRun(writer, stored, ending, how));
      } catch (again) {
        this.settings.onError(`the end of run ${run.id} cannot be stored`, again);
      }
    }
  }
}

/** A person is waited for: the time of the run stands still. */
async function whileWaiting<T>({ deadline, handle }: Turn, wait: () => Promise<T>): Promise<T> {
  deadline.pause();
  handle.isWaiting = true;
  try {
    return await wait();
  } finally {
    handle.isWaiting = false;
    deadline.resume();
  }
}

/** Another process has the run, or will have it: nothing more is to be said here. */
const isAbandoned = (thrown: unknown): boolean => thrown instanceof WriterClosed || thrown instanceof FencedError;
