/** Carries one claimed run from its first attempt to the stored end. */
import { AppError, ERRORS, toAppError } from '../errors';
import type { Clock, IdSource } from '../port/clock';
import type { EventBus } from '../port/event_bus';
import type { LlmPort, Usage } from '../port/llm';
import type { TerminalStatus } from '../port/run_event';
import type { Shell } from '../port/shell';
import type { Store } from '../port/store';
import type { ClarificationRecord, RunOutcome, RunRecord, SessionRecord } from '../port/store_records';
import type { Workspace } from '../port/workspace';
import { runAgent } from '../runtime/agent';
import { repairHistory } from '../runtime/history';
import { appendRuntimeContext } from '../runtime/prompt_builder';
import { TodoStore } from '../runtime/todo_store';
import type { ToolRunContext } from '../runtime/tool_runner';
import type { AssembledAgent } from './agent_assembly';
import { type ClarificationService, toClarificationData } from './clarification_service';
import { PausableDeadline } from './pausable_deadline';
import { RunWriter } from './run_log';

export interface ExecutionPorts {
  store: Store;
  bus: EventBus;
  clock: Clock;
  ids: IdSource;
  llm: LlmPort;
  workspace: Workspace;
  shell: Shell;
}

export interface ExecutionSettings {
  maxToolIterations: number;
  maxContextMessages: number;
  runTimeoutMs: number;
  textQuestionTimeoutMs: number;
  timeZone: string;
  onError: (message: string, error: unknown) => void;
}

/** Reason of an abort by a person or program. */
export class RunCancelled extends Error {
  constructor() {
    super('The run was cancelled.');
    this.name = 'RunCancelled';
  }
}

interface RunEnding {
  status: TerminalStatus;
  outcome: RunOutcome;
  /** A question that was handed over as text. */
  question?: ClarificationRecord;
}

const END_RETRY_MS = 1_000;

export class RunExecution {
  constructor(
    private readonly ports: ExecutionPorts,
    private readonly settings: ExecutionSettings,
    private readonly clarifications: ClarificationService,
  ) {}

  /** Resolves when the run's end is stored and sent. Rejects never: whatever goes wrong is the run's end. */
  async execute(run: RunRecord, agent: AssembledAgent, controller: AbortController): Promise<void> {
    const writer = new RunWriter(this.ports, run, 1);
    const usage: Usage = { inputTokens: 0, outputTokens: 0 };
    const timeoutMs = run.limits.timeoutMs ?? this.settings.runTimeoutMs;
    const deadline = new PausableDeadline(this.ports.clock, timeoutMs, () => controller.abort(new AppError('run_timeout')));
    let ending: RunEnding;
    try {
      ending = await this.runToEnding(run, agent, { writer, usage, deadline, signal: controller.signal });
    } catch (thrown) {
      ending = this.endingOfFailure(run, thrown, controller.signal, usage);
    } finally {
      deadline.stop();
    }
    await this.storeEnding(run, writer, ending);
  }

  private async runToEnding(
    run: RunRecord,
    agent: AssembledAgent,
    turn: { writer: RunWriter; usage: Usage; deadline: PausableDeadline; signal: AbortSignal },
  ): Promise<RunEnding> {
    const { store, clock, ids, llm } = this.ports;
    const { tenantId, sessionId, locale } = run;
    const [session, rows, plan] = await Promise.all([
      store.read.getSession(tenantId, sessionId),
      store.read.history(tenantId, sessionId),
      store.read.getTodos(tenantId, sessionId),
    ]);
    const messages = rows.filter(row => row.runOrdinal <= run.ordinal).map(row => row.message);
    const todos = new TodoStore(plan?.todos ?? [], (items, summary) => {
      // A failed write also fails the next record of the loop, which ends the run.
      turn.writer.record({ type: 'todo_update', data: { todos: items, summary } }).catch(() => {});
    });
    const outcome = await runAgent({
      llm,
      ...(agent.profile.model !== undefined && { model: agent.profile.model }),
      thinkingLevel: (session as SessionRecord | undefined)?.thinkingLevel ?? 'off',
      locale,
      systemPrompt: appendRuntimeContext(agent.stablePrompt, { now: clock.now(), timeZone: this.settings.timeZone, locale }),
      history: repairHistory(messages),
      tools: agent.tools,
      toolContext: this.toolContext(run, todos, turn),
      limits: {
        maxToolIterations: run.limits.maxToolIterations ?? this.settings.maxToolIterations,
        maxContextMessages: this.settings.maxContextMessages,
      },
      signal: turn.signal,
      journal: turn.writer,
      usage: turn.usage,
      clock,
      ids,
    });
    const question = outcome.question && this.clarifications.textQuestion(run, outcome.question, this.settings.textQuestionTimeoutMs);
    const clarification = question && toClarificationData(question);
    return {
      status: outcome.status,
      outcome: { text: outcome.text, usage: turn.usage, ...(clarification && { clarification }) },
      ...(question && { question }),
    };
  }

  private toolContext(run: RunRecord, todos: TodoStore, turn: { writer: RunWriter; deadline: PausableDeadline }): ToolRunContext {
    const { workspace, shell } = this.ports;
    const { tenantId, sessionId, id: runId, locale } = run;
    const shared = { tenantId, sessionId, runId, locale, workspace, shell, todos };
    if (run.interaction.clarify !== 'wait') return shared;
    return {
      ...shared,
      askPerson: async ({ signal, ...question }) => {
        turn.deadline.pause();
        try {
          return await this.clarifications.ask(run, turn.writer, question, signal);
        } finally {
          turn.deadline.resume();
        }
      },
    };
  }

  private endingOfFailure(run: RunRecord, thrown: unknown, signal: AbortSignal, usage: Usage): RunEnding {
    const reason = signal.aborted ? signal.reason : thrown;
    if (reason instanceof RunCancelled) return { status: 'cancelled', outcome: { text: '', usage } };
    const error = toAppError(reason);
    if (error.code === 'internal') this.settings.onError(`run ${run.id} failed`, thrown);
    return { status: 'failed', outcome: { text: '', usage, error: toRunError(error) } };
  }

  /** Tries until the end is stored: a run without an end would block its session. */
  private async storeEnding(run: RunRecord, writer: RunWriter, ending: RunEnding): Promise<void> {
    let current = writer;
    for (let isStored = false; !isStored; ) {
      try {
        await recordEnding(current, run, ending, this.ports.clock.now());
        isStored = true;
      } catch (thrown) {
        this.settings.onError(`the end of run ${run.id} cannot be stored yet`, thrown);
        await new Promise<void>(resolve => this.ports.clock.after(END_RETRY_MS, resolve));
        const stored = await this.ports.store.read.getRun(run.tenantId, run.id).catch(() => undefined);
        if (stored) current = new RunWriter(this.ports, stored, Number.MAX_SAFE_INTEGER);
      }
    }
  }
}

export function toRunError({ code, message }: AppError): NonNullable<RunOutcome['error']> {
  return { code, message, retryable: ERRORS[code].retryable };
}

/** Stores the run_end with everything that goes with it, in one transaction. */
export function recordEnding(writer: RunWriter, run: RunRecord, ending: RunEnding, now: number): Promise<void> {
  const { status, outcome, question } = ending;
  return writer.record({ type: 'run_end', data: { status, ...outcome } }, undefined, async tx => {
    await tx.updateRun(run.tenantId, run.id, { from: ['queued', 'running', 'waiting'] }, { status, outcome, endedAt: now });
    await tx.updateSession(run.tenantId, run.sessionId, { updatedAt: now });
    if (question) await tx.insertClarification(question);
  });
}
