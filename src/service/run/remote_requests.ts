/**
 * Brings requests of people at other gateways on the same store to the runs that execute here (cancels, answers to questions, steering messages), and to free slots
 * here (runs that wait there). Requests at this gateway reach their runs directly.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { NodeBus } from '../../port/node_bus';
import type { QuestionRecord } from '../../port/store/questions';
import type { QueuedSession } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import { SharedReading } from '../../utils/shared_reading';
import { givenAnswer } from '../question/question_events';
import type { QuestionResolvers } from '../question/question_resolvers';
import type { HistoryCache } from '../session/history_cache';
import type { RunCapacity } from './run_capacity';
import type { RunSupervisor } from './run_supervisor';
import type { SteeringService } from './steering_service';

interface RemoteRequestsDeps {
  store: ReadableStore<'runs' | 'questions'>;
  clock: Clock;
  identity: InstanceId;
  resolvers: QuestionResolvers;
  supervisor: Pick<RunSupervisor, 'cancelRun' | 'stopToolCall' | 'queueSession' | 'fillSlots'>;
  steering: Pick<SteeringService, 'noteMessage' | 'noteLoss'>;
  nodeBus: Pick<NodeBus, 'subscribe' | 'onLoss'>;
  capacity: Pick<RunCapacity, 'isInUse'>;
  histories: Pick<HistoryCache, 'hasSession'>;
  /** Other gateways can be on the store. */
  isShared: boolean;
}

/** A message of another gateway brings its request at once; this finds one whose message was lost. */
const POLL_MS = 2_000;
/** A gateway that has not executed the session leaves it to the others for this time. */
const CLAIM_WINDOW_MS = 500;

/** A tool call that another gateway was asked to stop. */
export interface ToolCallRequest {
  runId: string;
  toolCallId: string;
}

/** A session whose next run waits for a slot at another gateway. */
export interface QueueMessage extends QueuedSession {
  /** The session has had runs, so one gateway may have executed them. */
  hasHome: boolean;
}

export class RemoteRequests {
  private readonly reading = new SharedReading(() => this.readRequests());

  constructor(private readonly deps: RemoteRequestsDeps) {}

  /** Reads a shared store when another gateway says so, and at intervals until the process ends: runs can be cancelled while the gateway drains. */
  start(): void {
    const { isShared, nodeBus, steering, supervisor } = this.deps;
    if (!isShared) return;
    nodeBus.subscribe('requests', () => void this.read());
    nodeBus.onLoss(() => {
      steering.noteLoss();
      void this.read();
    });
    nodeBus.subscribe('steering', message => {
      const { runId } = message as { runId?: string };
      if (runId !== undefined) steering.noteMessage(runId);
    });
    nodeBus.subscribe('toolCalls', message => {
      const { runId, toolCallId } = message as Partial<ToolCallRequest>;
      if (runId !== undefined && toolCallId !== undefined) supervisor.stopToolCall(runId, toolCallId);
    });
    nodeBus.subscribe('queue', message => {
      this.queueSession(message as QueueMessage);
    });
    this.schedulePoll();
  }

  /** Leaves a session to the gateway that executed its last runs for a moment: its files and its history are there. */
  private queueSession({ hasHome, ...session }: QueueMessage): void {
    const { supervisor, histories, clock } = this.deps;
    const queue = () => {
      supervisor.queueSession(session);
      supervisor.fillSlots();
    };
    if (hasHome && !histories.hasSession(session.tenantId, session.sessionId)) clock.after(CLAIM_WINDOW_MS, queue);
    else queue();
  }

  private schedulePoll(): void {
    this.deps.clock.after(POLL_MS, () => void this.read().finally(() => this.schedulePoll()));
  }

  /** Never rejects: when the store is unavailable, the next poll tries again. */
  private read(): Promise<void> {
    return this.deps.capacity.isInUse ? this.reading.read().catch(() => {}) : Promise.resolve();
  }

  private async readRequests(): Promise<void> {
    const { store, identity, resolvers, supervisor } = this.deps;
    const [runs, questions] = await Promise.all([store.read.runs.cancelledOf(identity.self), store.read.questions.closedOf(identity.self)]);
    for (const question of questions) wake(resolvers, question);
    for (const { id, cancelledBy } of runs) supervisor.cancelRun(id, cancelledBy);
  }
}

/** Wakes the run that waits for the question; does nothing when no run here waits for it. */
function wake(resolvers: QuestionResolvers, question: QuestionRecord): void {
  if (question.status === 'answered') resolvers.resolve(question.id, question, givenAnswer(question));
  else resolvers.release(question.id);
}
