/** Runs as tasks of A2A. A task has the id of its run; its context is the session. */
import type { Artifact, Message, Part, Task, TaskState, TaskStatus } from '@a2a-js/sdk';
import { isTerminal, type RunStatus } from '../../port/run_event';
import type { ApprovalSubject, QuestionRecord } from '../../port/store/questions';
import type { RunFilter, RunRecord } from '../../port/store/runs';
import { toIsoTime } from '../../utils/iso_time';
import { a2aSdk } from './a2a_sdk';

/** The only artifact of a task: the answer of the agent. */
const ANSWER = 'answer';

/** Says whether a caller may decide an approval. */
export type MayDecide = (approval: Pick<ApprovalSubject, 'review'>) => boolean;

/** A question for which a run waits. */
export type OpenQuestion = Pick<QuestionRecord, 'id' | 'question' | 'choices' | 'approval'>;

export interface TaskFacts {
  run: RunRecord;
  /** The question for which the run waits; absent while it waits for none. */
  question?: OpenQuestion | undefined;
  /** Says whether the caller may decide an approval. */
  mayDecide: MayDecide;
  /** The messages of the task so far, oldest first. */
  history: Message[];
  withArtifacts?: boolean;
}

export function toTask({ run, question, mayDecide, history, withArtifacts = true }: TaskFacts): Task {
  const text = run.outcome?.text ?? '';
  return {
    id: run.id,
    contextId: contextOf(run),
    status: statusOf(run, { question, mayDecide }),
    artifacts: withArtifacts && isTerminal(run.status) && text !== '' ? [answerArtifact(text)] : [],
    history,
    metadata: metadataOf(run),
  };
}

/** Returns the context as the client named it. */
export const contextOf = ({ sessionId, metadata }: Pick<RunRecord, 'sessionId' | 'metadata'>): string => {
  const named = metadata?.['a2aContextId'];
  return typeof named === 'string' ? named : sessionId;
};

export function statusOf(run: RunRecord, { question, mayDecide }: Pick<TaskFacts, 'question' | 'mayDecide'>): TaskStatus {
  const { TaskState: State } = a2aSdk();
  const timestamp = toIsoTime(run.endedAt ?? run.startedAt ?? run.createdAt);
  if (question && !isTerminal(run.status)) {
    const state = question.approval && !mayDecide(question.approval) ? State.TASK_STATE_AUTH_REQUIRED : State.TASK_STATE_INPUT_REQUIRED;
    return { state, timestamp, message: questionMessage(run, question) };
  }
  const { error } = run.outcome ?? {};
  return { state: stateOf(run.status), timestamp, message: error && agentMessage(run, `${run.id}-error`, error.message) };
}

function stateOf(status: RunStatus): TaskState {
  const { TaskState: State } = a2aSdk();
  const states: Record<RunStatus, TaskState> = {
    queued: State.TASK_STATE_SUBMITTED,
    running: State.TASK_STATE_WORKING,
    waiting: State.TASK_STATE_WORKING,
    completed: State.TASK_STATE_COMPLETED,
    // The answer was cut short; the metadata says why.
    incomplete: State.TASK_STATE_COMPLETED,
    failed: State.TASK_STATE_FAILED,
    cancelled: State.TASK_STATE_CANCELED,
  };
  return states[status];
}

/** Selects the runs whose tasks are in a state; undefined for a state that no task has. `canApprove`: the caller may decide approvals. */
export function selectState(state: TaskState, canApprove: boolean): Pick<RunFilter, 'status' | 'asks'> | undefined {
  const { TaskState: State } = a2aSdk();
  const waiting = (asks: RunFilter['asks']) => ({ status: 'waiting' as const, asks });
  switch (state) {
    case State.TASK_STATE_SUBMITTED:
      return { status: 'queued' };
    case State.TASK_STATE_WORKING:
      return { status: 'running' };
    case State.TASK_STATE_INPUT_REQUIRED:
      return waiting(canApprove ? undefined : 'clarification');
    case State.TASK_STATE_AUTH_REQUIRED:
      return canApprove ? undefined : waiting('approval');
    case State.TASK_STATE_COMPLETED:
      return { status: ['completed', 'incomplete'] };
    case State.TASK_STATE_FAILED:
      return { status: 'failed' };
    case State.TASK_STATE_CANCELED:
      return { status: 'cancelled' };
    default:
      return undefined;
  }
}

export const answerArtifact = (text: string): Artifact => ({
  artifactId: ANSWER,
  name: ANSWER,
  description: '',
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
});

export function questionMessage(run: RunRecord, { id, question, choices = [], approval }: OpenQuestion): Message {
  const asked = approval ? `${question}\n${approval.tool} ${JSON.stringify(approval.args)}\nAnswer allow or deny.` : question;
  const message = agentMessage(run, `${run.id}-${id}`, [asked, ...choices.map(choice => `- ${choice}`)].join('\n'));
  const kind = approval ? 'approval' : 'clarification';
  return { ...message, metadata: { requestId: id, kind, ...(choices.length > 0 && { choices }) } };
}

export const agentMessage = (run: RunRecord, messageId: string, text: string): Message => ({
  ...messageOf(run, messageId, text),
  role: a2aSdk().Role.ROLE_AGENT,
});

export const userMessage = (run: RunRecord, messageId: string, text: string): Message => ({
  ...messageOf(run, messageId, text),
  role: a2aSdk().Role.ROLE_USER,
});

/** The message that began the task. */
export function inputMessage(run: RunRecord): Message {
  const given = run.metadata?.['a2aMessageId'];
  return userMessage(run, typeof given === 'string' ? given : `${run.id}-input`, run.input);
}

const messageOf = (run: RunRecord, messageId: string, text: string): Omit<Message, 'role'> => ({
  messageId,
  contextId: contextOf(run),
  taskId: run.id,
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

/** Facts of the run that tasks have no field for. */
function metadataOf({ sessionId, status, agent, outcome }: RunRecord): Task['metadata'] {
  const { inputTokens, outputTokens } = outcome?.usage ?? {};
  return {
    sessionId,
    agent,
    status,
    ...(outcome?.reason !== undefined && { reason: outcome.reason }),
    ...(outcome && { usage: { inputTokens, outputTokens } }),
  };
}
