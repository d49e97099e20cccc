/** One call of an agent without a session: starts the run or goes on with it, and waits until it ends or asks the client's person. */
import { setTimeout } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { AppError } from '../../errors';
import type { RunRecord } from '../../port/store/runs';
import type { SessionAccess } from '../../service/access/session_access';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { EventSink } from '../../service/run_log/event_sink';
import type { RunResult, RunService } from '../../service/run_log/run_service';
import type { RunSubscription } from '../../service/run_log/run_subscription';
import { type AgentRequest, toStartRequest } from './agent_start';
import { askable, type PausedCall } from './input_requests';
import type { McpDoorService } from './mcp_door_service';
import { type PersonAnswerDeps, storeAnswer } from './person_answers';
import type { ProgressReporter } from './run_progress';

export interface StatelessCallDeps extends PersonAnswerDeps {
  agentExecutor: AgentExecutor;
  runService: RunService;
  sessionAccess: SessionAccess;
  mcpDoor: Pick<McpDoorService, 'findRunOfCaller'>;
}

/** The request that carries the call. */
export interface CallRequest {
  /** Aborts when the connection is over. */
  signal: AbortSignal;
  progress: ProgressReporter;
  /** Tells, once the signal has aborted, if the client has given the call up. */
  isGivenUp: () => boolean;
  /** The client takes a task for a run that goes on. */
  takesTasks: boolean;
}

/** running: the run has not ended at once, and its client takes a task. */
export type CallOutcome = { kind: 'ended'; result: RunResult } | { kind: 'running'; run: RunRecord } | ({ kind: 'paused' } & PausedCall);

/** A client that takes tasks waits this long for the answer of a call. */
const AT_ONCE_MS = 1_000;

const PersonAnswer = Type.Object({
  action: Type.Union([Type.Literal('accept'), Type.Literal('decline'), Type.Literal('cancel')]),
  content: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]))),
});
const CLOSED = { action: 'cancel' as const };
const RUNNING = 'running' as const;

export class StatelessCall {
  /** Resolves with the next question of the run. */
  private asked = Promise.withResolvers<void>();

  constructor(
    private readonly call: AgentRequest,
    private readonly request: CallRequest,
    private readonly deps: StatelessCallDeps,
  ) {}

  /** Starts a run. Rejects as AgentExecutor.start does. */
  async start(): Promise<CallOutcome> {
    const { agentExecutor, runService, serviceSettings } = this.deps;
    const start = toStartRequest(this.call, serviceSettings);
    runService.assertRoomForReader(start.sessionId);
    let subscription: RunSubscription | undefined;
    const { run } = await agentExecutor.start(start, started => {
      subscription = this.follow(started);
      return subscription.join();
    });
    this.request.progress.reportStart(run);
    const outcome = await this.waitForPause(run, subscription ?? this.follow(run), {
      patienceMs: this.request.takesTasks ? AT_ONCE_MS : undefined,
    });
    // The questions of a task are asked in its state.
    return outcome.kind === 'paused' && this.request.takesTasks ? { kind: 'running', run } : outcome;
  }

  /** Goes on with the run that an earlier request has started, perhaps at another gateway. `answers`: id of a question -> answer of the person. */
  async goOn(runId: string, answers: Record<string, unknown>): Promise<CallOutcome> {
    const { caller, agent } = this.call;
    const run = await this.deps.mcpDoor.findRunOfCaller(caller.principal, runId);
    if (run?.agent !== agent) throw noSuchRun();
    this.deps.runService.assertRoomForReader(run.sessionId);
    await storeAnswers(run, answers, this.call, this.deps);
    return this.waitForPause(run, this.follow(run, run.lastSeq), { answered: new Set(Object.keys(answers)) });
  }

  /** `answered`: questions that this request has answered. One that stays open, for a decision elsewhere, is not asked again. */
  private async waitForPause(
    run: RunRecord,
    subscription: RunSubscription,
    { answered, patienceMs }: { answered?: ReadonlySet<string>; patienceMs?: number | undefined },
  ): Promise<CallOutcome> {
    const { agentExecutor, runService, questionService } = this.deps;
    const { signal } = this.request;
    const isOver = new AbortController();
    const onAbort = () => this.leave(run);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const patience = patienceMs === undefined ? [] : [setTimeout(patienceMs, RUNNING, { signal: isOver.signal })];
    const ended = agentExecutor.waitForEnd(run.tenantId, run.id, AbortSignal.any([signal, isOver.signal]));
    try {
      // Ignored: the result comes even without these events.
      await subscription.start().catch(() => {});
      for (;;) {
        this.asked = Promise.withResolvers();
        const open = askable(await questionService.listOpenQuestions(run), this.call.caller).filter(({ id }) => !answered?.has(id));
        if (open.length > 0) return { kind: 'paused', run, questions: open };
        const end = await Promise.race([ended, this.asked.promise, ...patience]);
        signal.throwIfAborted();
        if (end === RUNNING) return { kind: 'running', run };
        if (end) return { kind: 'ended', result: await runService.getResult(end) };
      }
    } catch (thrown) {
      // The run goes on elsewhere, and so does the call when the client repeats it.
      if (thrown instanceof AppError && thrown.code === 'draining') return { kind: 'paused', run, questions: [] };
      throw thrown;
    } finally {
      signal.removeEventListener('abort', onAbort);
      isOver.abort();
      for (const wait of [ended, ...patience]) wait.catch(() => {});
      subscription.stop();
    }
  }

  private follow({ tenantId, sessionId, id: runId }: RunRecord, seq = 0): RunSubscription {
    const { runService, sessionAccess } = this.deps;
    const request = { tenantId, sessionId, after: { runId, seq }, onlyRun: true };
    const subscription = runService.subscribe(request, events => this.receive(events));
    void subscription.ended.then(sessionAccess.follow(this.call.caller.principal, sessionId, () => subscription.stop()));
    return subscription;
  }

  private receive(events: Parameters<EventSink>[0]): void {
    for (const event of events) {
      if (event.type === 'replay_reset') continue;
      this.request.progress.reportEvent(event);
      if (event.type === 'clarify_request' || event.type === 'approval_request') this.asked.resolve();
    }
  }

  private leave({ tenantId, id }: RunRecord): void {
    if (!this.request.isGivenUp()) return;
    this.deps.agentExecutor.cancel(tenantId, id, this.call.caller.principal).catch(thrown => {
      this.deps.serviceSettings.onError('a run that an MCP client gave up could not be cancelled', thrown, { runId: id });
    });
  }
}

/** Stores the answers of a person to questions of a run. Answers to other questions do nothing. */
export async function storeAnswers(
  { tenantId, sessionId }: RunRecord,
  answers: Record<string, unknown>,
  { caller }: Pick<AgentRequest, 'caller'>,
  deps: StatelessCallDeps,
): Promise<void> {
  const open = await deps.questionService.listOpenQuestions({ tenantId, sessionId });
  for (const { id } of open) {
    const answer = answers[id];
    if (answer !== undefined) await storeAnswer(id, Value.Check(PersonAnswer, answer) ? answer : CLOSED, caller, deps);
  }
}

const noSuchRun = (): AppError =>
  new AppError('not_found', {
    param: '/requestState',
    message: 'There is no such call of this client.',
    messageZh: '该客户端没有这个调用。',
  });
