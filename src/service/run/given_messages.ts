/** The first messages of a run: the message of a person, or the messages that a program gives because it keeps the conversation itself. */
import { AppError } from '../../errors';
import type { CallerContext } from '../../port/caller';
import type { IdSource } from '../../port/clock';
import { type Attachments, toFileReference } from '../../port/image_input';
import type { ChatMessage, FileReference, ForeignText } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import { type MessageCaller, writerOf } from './message_writer';

/** Messages that stand in the history exactly as the program gave them. */
export interface GivenMessages {
  /** Messages before this turn; for a new session only. */
  earlier: readonly ChatMessage[];
  /** The new messages: messages of people and results of calls that the caller ran. At least one. */
  turn: readonly ChatMessage[];
  /** The run to which the calls of the results belong. */
  answersRun?: Pick<RunRecord, 'id' | 'ordinal' | 'sessionId'>;
}

/** Fields of a request of a program that brings messages or tools of its own. */
export interface CallerRequest {
  /**
   * Messages to store in place of the text of the request, which is '' when they hold only results of calls. Images of the request belong to these
   * messages.
   */
  given?: GivenMessages;
  caller?: CallerContext;
}

/**
 * `time`: when the person sent the message, in words. Messages that a program gives carry no time. `foreign`: the text came from outside.
 * `storedFiles`: files of the message whose bytes are stored already.
 */
export type FirstMessages = Pick<CallerRequest, 'given'> &
  Attachments & {
    storedFiles?: readonly FileReference[] | undefined;
    time?: string;
    foreign?: ForeignText;
  };

type FirstOfRun = Pick<RunRecord, 'tenantId' | 'sessionId' | 'id' | 'ordinal' | 'input' | 'images' | 'createdAt'> & MessageCaller;

/** Stores the messages with which a run begins, and `images` and `files`: those of its messages that are not stored yet. Resolves with the messages. */
export async function insertFirstMessages(
  tx: StoreTransaction,
  ids: IdSource,
  run: FirstOfRun,
  { images = [], files = [], storedFiles, given, time, foreign }: FirstMessages,
): Promise<MessageRecord[]> {
  const { tenantId, sessionId, id: runId, ordinal, input: content, images: references, createdAt } = run;
  for (const { id, mediaType, bytes } of [...images, ...files])
    await tx.images.insert({ tenantId, sessionId, id, mediaType, bytes, createdAt });
  const rowsOf = (messages: readonly ChatMessage[], runOrdinal: number): MessageRecord[] =>
    messages.map((message, position) => ({
      tenantId,
      id: ids.next('msg'),
      sessionId,
      runId,
      runOrdinal,
      position,
      message,
      createdAt,
    }));
  const fileReferences = files.length > 0 ? files.map(toFileReference) : storedFiles;
  const turn = given?.turn ?? [
    { role: 'user' as const, content, by: writerOf(run), time, foreign, images: references, files: fileReferences },
  ];
  // Ordinal 0 precedes the first run of a session.
  const rows = [...rowsOf(given?.earlier ?? [], 0), ...rowsOf(turn, ordinal)];
  await tx.messages.insert(rows);
  return rows;
}

/**
 * Rejects `invalid_request` with the reason `calls_closed` when a later run of the session has started: of two requests with results of the same
 * calls, the first one wins.
 */
export async function assertCallsOpen(read: StoreReader, tenantId: string, given: GivenMessages | undefined): Promise<void> {
  if (!given?.answersRun) return;
  const { sessionId, ordinal } = given.answersRun;
  const [later] = await read.runs.after(tenantId, sessionId, ordinal);
  if (later) throw callsClosed();
}

const callsClosed = (): AppError =>
  new AppError('invalid_request', {
    param: '/messages',
    message: '/messages: these tool calls were answered before, or the conversation went on without their results.',
    messageZh: '/messages：这些调用已经有过结果，或者对话没有等它们的结果就继续了。',
    details: { reason: 'calls_closed' },
  });

/** Returns true for the error that assertCallsOpen throws. */
export const areCallsClosed = (thrown: unknown): boolean => thrown instanceof AppError && thrown.details?.['reason'] === 'calls_closed';
