/** Executes one claimed run: from its first attempt, or from where an interruption left it, to the stored end. */
import { AppError } from '../../errors';
import type { Usage } from '../../port/llm';
import type { LogError } from '../../port/logger';
import type { Observer, WorkEnded } from '../../port/observer';
import type { Redactor } from '../../port/redactor';
import { isTerminal } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { RunOutcome, RunRecord } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { StoreReader } from '../../port/store/store';
import type { UsageByModel } from '../../port/store/usage';
import { addUsage } from '../../runtime/add_usage';
import { type AgentOutcome, runAgent } from '../../runtime/agent';
import type { Slot } from '../../utils/slot';
import type { AssembledAgent } from '../agent/agent_directory';
import type { RunToolChoice } from '../agent/tool_choice';
import type { ModelCatalog } from '../model/model_catalog';
import type { ApprovalService } from '../question/approval_service';
import type { Clarifications } from '../question/clarifications';
import { toClarificationData } from '../question/question_events';
import type { QuestionService } from '../question/question_service';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { toObservedRun } from '../run_log/observed_run';
import type { RunHooks } from '../run_log/run_hooks';
import { RunWriter, type RunWriterDeps } from '../run_log/run_writer';
import type { HistoryCache } from '../session/history_cache';
import { agreeOnPrice, isPriceQuestion } from './agree_on_price';
import { type EarlyReading, readEarly } from './early_reading';
import { endingOf, finishRun, NO_USAGE, RunCancelled, type RunEnding } from './finish_run';
import { ObservedRuns } from './observed_runs';
import { questionCalls } from './question_calls';
import { FRESH } from './resume_point';
import type { RunAdmission } from './run_admission';
import type { RunAssembler } from './run_assembler';
import type { RunCapacity } from './run_capacity';
import type { RunCrew } from './run_crew';
import { isAbandoned } from './run_errors';
import type { RunFiles } from './run_files';
import type { RunHandle } from './run_handle';
import { logContextOf } from './run_log_lines';
import type { RunRecorder } from './run_recorder';
import { openNewTurn, openTurn, type RunTurn } from './run_turn';
import type { StartRequest } from './start_request';
import type { SteeringService } from './steering_service';
import type { StepScheduler } from './step_scheduler';

export interface RunExecutionDeps extends RunWriterDeps {
  assembler: RunAssembler;
  questionService: QuestionService;
  clarifications: Pick<Clarifications, 'newClarification'>;
  approvalService: ApprovalService;
  admission: Pick<RunAdmission, 'queueLateMessages'>;
  crew: Slot<RunCrew>;
  recorder: Slot<RunRecorder>;
  steering: Pick<SteeringService, 'unwatchRun'>;
  capacity: RunCapacity;
  histories: HistoryCache;
  models: ModelCatalog;
  toolChoice: Slot<RunToolChoice>;
  steps: StepScheduler;
  files: RunFiles;
  /** Applies to runs that set no time limit of their own. */
  runTimeoutMs: number;
  /** Milliseconds that a question asked as text stays open. */
  textQuestionTimeoutMs: number;
  hooks: RunHooks;
  onError: LogError;
  observer: Observer;
  redactor: Pick<Redactor, 'redact'>;
}

/**
 * The beginning of a run in the transaction that accepts it: the first model call is sent before the transaction is committed, so the model works
 * while the disk does. The model's answer counts only once the run is stored.
 */
export interface BegunRun {
  handle: RunHandle;
  turn: RunTurn;
  outcome: Promise<AgentOutcome>;
  /** Lets the answer of the model count. Call it once the run is stored. */
  accept(): void;
  /** Closes the connection to the model and removes every trace of the run. Call it when the run was not stored. */
  discard(): void;
}

/** Where a run begins. `read`: the transaction that accepts the run and has read the session. */
interface Beginning {
  handle: RunHandle;
  read: StoreReader;
  session: SessionRecord | undefined;
  early: EarlyReading | undefined;
  /** The messages with which the run begins. */
  first: readonly MessageRecord[] | undefined;
}

/** The most recoveries of a run after crashes; the next crash ends the run as `interrupted`. */
const MAX_RECOVERIES = 3;

export class RunExecution {
  private readonly observed: ObservedRuns;

  constructor(private readonly deps: RunExecutionDeps) {
    this.observed = new ObservedRuns(deps);
  }

  /** See early_reading.ts. */
  readEarly(request: StartRequest, read: StoreReader): EarlyReading {
    return readEarly(this.deps, request, read);
  }

  /** Begins a new run in the transaction that accepts it: reads through `read` and sends the first model call. Rejects `store_unavailable`. */
  async beginRun(run: RunRecord, agent: AssembledAgent, { handle, read, session, early, first }: Beginning): Promise<BegunRun> {
    const { promise: accepted, resolve: accept, reject } = Promise.withResolvers<void>();
    const plan = early?.plan ?? read.todos.get(run.tenantId, run.sessionId);
    const messages = first && early?.history && { ...early.history, first };
    const turn = await openNewTurn(this.deps, run, { agent, handle, read, session, messages });
    this.observed.begin(run);
    const params = await this.deps.assembler.assembleParams(turn, { read, session, plan }).catch(thrown => {
      turn.deadline.stop();
      this.endObservation(run, { status: 'discarded' });
      throw thrown;
    });
    params.accepted = accepted;
    accepted.then(
      () => delete params.accepted,
      () => {},
    );
    const outcome = runAgent(params);
    outcome.catch(() => {});
    const discard = () => {
      turn.deadline.stop();
      this.endObservation(run, { status: 'discarded' });
      handle.abandon();
      reject(handle.signal.reason);
      this.deps.histories.removeSession(run.tenantId, run.sessionId);
    };
    return { handle, turn, outcome, accept, discard };
  }

  /**
   * Executes a run. `begun`: the run, when its first model call was sent already. Resolves when the end of the run is stored and sent, or when the
   * run was abandoned, with false when its session has no queued run. Never rejects: a failure becomes the end of the run.
   */
  async executeRun(run: RunRecord, agent: AssembledAgent, handle: RunHandle, begun?: BegunRun): Promise<boolean> {
    if (!begun) this.observed.begin(run);
    try {
      return await this.executeToEnd(run, agent, handle, begun);
    } finally {
      // For a run that goes on elsewhere.
      const keeping = this.deps.files.keep(run, handle);
      if (keeping) await keeping;
      // For a run that ended here, the observers know the end already.
      this.endObservation(run, { status: 'abandoned' });
      for (const tell of this.deps.hooks.closed) tell(run);
    }
  }

  private endObservation(run: RunRecord, ended: WorkEnded['run']): void {
    this.deps.steering.unwatchRun(run.id);
    this.observed.end(run, ended);
  }

  /** Resolves with false when the session has no queued run. */
  private async executeToEnd(run: RunRecord, agent: AssembledAgent, handle: RunHandle, begun?: BegunRun): Promise<boolean> {
    let turn = begun?.turn;
    let ending: RunEnding;
    try {
      if (!begun) await this.deps.steps.nextStep();
      turn ??= await openTurn(this.deps, run, { agent, handle });
      for (const tell of this.deps.hooks.opened) tell(run, turn.spending);
      if (run.cancelRequested) handle.stop(new RunCancelled(run.cancelledBy));
      else if (run.recoveries > MAX_RECOVERIES) handle.stop(new AppError('interrupted'));
      ending = await this.runToEnding(turn, begun?.outcome);
    } catch (thrown) {
      const reason = handle.signal.aborted ? handle.signal.reason : thrown;
      if (isAbandoned(reason) || isAbandoned(thrown)) return true;
      const { usage = NO_USAGE, writer } = turn ?? {};
      ending = endingOf(reason, { usage, shown: writer?.unfinishedText ?? '', locale: run.locale });
      if (ending.outcome.error?.code === 'internal') this.deps.onError('a run failed', thrown, logContextOf(run));
    } finally {
      turn?.deadline.stop();
    }
    const keeping = this.deps.files.keep(run, handle, turn?.writer);
    if (keeping) await keeping;
    if (turn || run.epoch > 1) await this.deps.crew.current.endChildren(run, turn);
    if (turn) return this.storeEnding(turn, { ...ending, usageByModel: this.usageByModel(turn) });
    return this.storeEndingAnew(run, handle, ending);
  }

  /** The usage of the run, by the name under which each model is shown. */
  private usageByModel({ spending, model }: RunTurn): UsageByModel {
    const sums: Record<string, Usage> = {};
    const chosen = this.deps.models.shownName(model);
    for (const [answeredBy, usage] of Object.entries(spending.byModel)) {
      const name = answeredBy === '' ? chosen : answeredBy;
      sums[name] ??= { ...NO_USAGE };
      addUsage(sums[name], usage);
    }
    // A model that was chosen and never answered is named too, with no cost.
    return Object.keys(sums).length > 0 ? sums : { [chosen]: { ...NO_USAGE, costUsd: 0 } };
  }

  private async runToEnding(turn: RunTurn, begun: Promise<AgentOutcome> | undefined): Promise<RunEnding> {
    await this.dropOldQuestions(turn);
    if (turn.run.priceQuestion) await agreeOnPrice(this.deps, turn, turn.run.priceQuestion);
    return this.toEnding(turn, await (begun ?? runAgent(await this.deps.assembler.assembleParams(turn))));
  }

  private toEnding(turn: RunTurn, { status, text, reason, question, callerCalls }: AgentOutcome): RunEnding {
    const { run, usage } = turn;
    const delivery = { mode: 'text' as const, timeoutMs: this.deps.textQuestionTimeoutMs };
    if (question && run.parent) this.deps.observer.note({ type: 'escalation', run: toObservedRun(run) });
    if (question && run.parent)
      return { status, outcome: { text, usage, escalation: { question: question.question, choices: question.choices } } };
    const row = question && this.deps.clarifications.newClarification(run, question, delivery);
    const clarification = row && toClarificationData(row);
    const calls = question ? questionCalls(turn, question) : callerCalls;
    return {
      status,
      outcome: { text, usage, reason, clarification, callerCalls: calls },
      question: row,
    };
  }

  /** Closes open questions that the rules and tools of today would not ask; rules and tools may have changed since. */
  private async dropOldQuestions({ run, agent, open, writer, handle }: RunTurn): Promise<void> {
    if (run.status !== 'waiting' || handle.signal.aborted) return;
    const { approvalService, questionService } = this.deps;
    const tools = agent.tools.byName;
    const canAsk = [...tools.values()].some(tool => tool.asksPerson);
    const dropped = open.filter(row =>
      row.approval ? !approvalService.requiresApproval(row.tenantId, row.approval, tools) : !canAsk && !isPriceQuestion(row),
    );
    await questionService.dropQuestions(run, writer, { questions: dropped, isLast: dropped.length === open.length });
  }

  private async storeEnding({ run, handle, writer, messages }: RunTurn, ending: RunEnding): Promise<boolean> {
    let hasQueued: boolean;
    try {
      if (run.epoch > 1) await this.deps.questionService.withdrawQuestions(run, writer);
      hasQueued = await this.finish(writer, run, ending);
    } catch (thrown) {
      if (isAbandoned(thrown)) return true;
      this.deps.onError('the end of a run is written anew', thrown, logContextOf(run));
      const isAnswered = ending.status === 'completed' || ending.status === 'incomplete';
      // The answer was part of the failed write, so the run must not end as completed.
      return this.storeEndingAnew(
        run,
        handle,
        isAnswered ? { ...ending, ...endingOf(thrown, { usage: ending.outcome.usage, shown: '', locale: run.locale }) } : ending,
      );
    }
    const first = messages.filter(row => row.runOrdinal === run.ordinal);
    if (run.epoch === 1) this.deps.histories.addRun(run, [...first, ...writer.messages]);
    return hasQueued;
  }

  /** Writes the end with a new writer after the first one failed: a run without an end would block its session. */
  private async storeEndingAnew(run: RunRecord, handle: RunHandle, ending: RunEnding): Promise<boolean> {
    const { store, clock, onError } = this.deps;
    const giveUp = () => handle.abandoned.throwIfAborted();
    try {
      const stored = await retryWhileStoreUnavailable(clock, () => store.read.runs.get(run.tenantId, run.id), giveUp);
      if (!stored || stored.epoch !== run.epoch) return true;
      // The failed write has stored the end after all.
      if (isTerminal(stored.status)) this.tellEnd(run, { status: stored.status, outcome: stored.outcome ?? ending.outcome });
      if (isTerminal(stored.status)) return true;
      // The end may get the number of an event that was shown and lost, as after a recovery.
      const recovered = { ...stored, recoveredAtSeq: stored.recoveredAtSeq ?? stored.lastSeq };
      return await this.finish(new RunWriter(this.deps, recovered, FRESH.projection, handle), recovered, ending);
    } catch (thrown) {
      if (!isAbandoned(thrown)) onError('the end of a run cannot be stored', thrown, logContextOf(run));
      return true;
    }
  }

  private async finish(writer: RunWriter, run: RunRecord, ending: RunEnding): Promise<boolean> {
    const { clock, admission, capacity, hooks, observer, recorder } = this.deps;
    const clean = { ...ending, outcome: this.withoutSecrets(ending.outcome), recording: recorder.current.recordingOf(run) };
    const { lateRuns, hasQueued } = await finishRun(writer, run, clean, { now: clock.now(), admission, hooks });
    capacity.joinQueue(run, lateRuns);
    if (ending.question) observer.note({ type: 'question_as_text', run: toObservedRun(run) });
    this.tellEnd(run, ending);
    return hasQueued;
  }

  /** The text of an error may repeat a secret that was sent to a server. */
  private withoutSecrets(outcome: RunOutcome): RunOutcome {
    const { redactor } = this.deps;
    const { error } = outcome;
    return error ? { ...outcome, error: { ...error, message: redactor.redact(error.message) } } : outcome;
  }

  private tellEnd(run: RunRecord, { status, outcome: { reason, error, usage } }: RunEnding): void {
    this.endObservation(run, { status, usage, reason, error: error?.code });
    for (const tell of this.deps.hooks.ended) tell();
  }
}
