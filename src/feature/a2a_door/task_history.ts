/** The history of a task: what its client and its agent have said, in order. The answer is the artifact of the task, and an open question its status. */
import type { Message } from '@a2a-js/sdk';
import type { MessageRecord } from '../../port/store/messages';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import { readDecision } from '../../service/question/question_events';
import { agentMessage, inputMessage, questionMessage, userMessage } from './a2a_task';

interface Said {
  at: number;
  message: Message;
}

const MAX_QUESTIONS = 100;

/** `most`: the newest messages that are read; undefined: all. A run that was copied or cancelled early has its input alone. */
export async function readTaskHistory(
  read: Pick<StoreReader, 'messages' | 'questions'>,
  run: RunRecord,
  most: number | undefined,
): Promise<Message[]> {
  if (most === 0) return [];
  const { tenantId, sessionId, id: runId, ordinal } = run;
  const [records, questions] = await Promise.all([
    read.messages.ofRun(tenantId, sessionId, ordinal),
    read.questions.list(tenantId, { runId }, { limit: MAX_QUESTIONS }),
  ]);
  const later = [...records.slice(1).flatMap(record => saidIn(record, run)), ...questions.data.flatMap(question => askedIn(question, run))];
  const history = [inputMessage(run), ...later.toSorted((a, b) => a.at - b.at).map(({ message }) => message)];
  return most === undefined ? history : history.slice(-most);
}

/** A text without a call is the answer, or what the gateway has rejected of it. */
function saidIn({ id, createdAt: at, message }: MessageRecord, run: RunRecord): Said[] {
  if (message.role === 'user' && !message.isByGateway) return [{ at, message: userMessage(run, id, message.content) }];
  const isOnTheWay = message.role === 'assistant' && message.content && message.tool_calls?.length;
  return isOnTheWay ? [{ at, message: agentMessage(run, id, message.content ?? '') }] : [];
}

/** A question that nobody has answered has no answer in the history. */
function askedIn(question: QuestionRecord, run: RunRecord): Said[] {
  const { id, createdAt, closedAt, status, answer, approval } = question;
  if (status === 'pending') return [];
  const asked = { at: createdAt, message: questionMessage(run, question) };
  if (status !== 'answered' || answer === undefined || closedAt === undefined) return [asked];
  return [asked, { at: closedAt, message: userMessage(run, `${run.id}-${id}-answer`, approval ? decisionIn(answer) : answer) }];
}

/** The store keeps a decision as JSON. */
const decisionIn = (answer: string): string => readDecision(answer).decision;
