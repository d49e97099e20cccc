/** Adds messages to a conversation, behind its last one and without a run. */
import { AppError } from '../../../errors';
import type { IdSource } from '../../../port/clock';
import type { FileInput, ImageInput } from '../../../port/image_input';
import type { ChatMessage } from '../../../port/llm';
import type { MessageRecord } from '../../../port/store/messages';
import type { SessionRecord } from '../../../port/store/sessions';
import type { StoreReader, StoreTransaction } from '../../../port/store/store';
import { insertFirstMessages } from '../../../service/run/given_messages';
import { titleFrom } from '../../../service/session/session_title';
import { refusal } from '../../../wire/refusal';
import { noConversation } from './conversation_id';
import { openCallsOf } from './conversation_items';

export interface NewMessages {
  messages: readonly ChatMessage[];
  /** The images to which the messages refer. */
  images?: readonly ImageInput[];
  /** The files to which the messages refer. */
  files?: readonly FileInput[];
}

type Session = Pick<SessionRecord, 'tenantId' | 'id'>;

/** The places that added messages have in a conversation: a range of the ordinals of runs. */
export interface AddedPlaces {
  first: number;
  last: number;
}

const NEWEST = { limit: 50, maxBytes: 1024 * 1024 };

/**
 * Stores the messages. Each message of a person begins a place of its own, as in an imported chat. Rejects `not_found`, `session_busy`, and
 * `invalid_request` for a result whose call does not wait for one. The transaction has the lock of the session, or has created the session.
 */
export async function insertMessages(
  tx: StoreTransaction,
  { tenantId, id: sessionId }: Session,
  { messages, images = [], files = [] }: NewMessages,
  { ids, now }: { ids: IdSource; now: number },
): Promise<AddedPlaces> {
  const touched = await tx.sessions.touch(tenantId, sessionId, now);
  if (!touched) throw noConversation();
  await assertIdle(tx, { tenantId, id: sessionId }, '/conversation_id');
  await assertAnswersCalls(tx, { tenantId, id: sessionId }, messages);
  const title = titleFrom(messages.find(({ role }) => role === 'user')?.content ?? '');
  if (touched.session.title === '' && title !== '') await tx.sessions.update(tenantId, sessionId, { title });
  const first = touched.lastOrdinal + 1;
  const turns = splitByPerson(messages);
  for (const [i, turn] of turns.entries()) {
    const place = { tenantId, sessionId, id: ids.next('imp'), ordinal: first + i, input: '', createdAt: now };
    await insertFirstMessages(tx, ids, place, { given: { earlier: [], turn }, images: ownOf(turn, images), files: ownOf(turn, files) });
  }
  return { first, last: touched.lastOrdinal + turns.length };
}

/** Reads the messages of a range of places, in order; those that were deleted are left out. */
export async function messagesAt(
  read: Pick<StoreReader, 'messages'>,
  { tenantId, id }: Session,
  { first, last }: AddedPlaces,
): Promise<MessageRecord[]> {
  const records: MessageRecord[] = [];
  for (let ordinal = first; ordinal <= last; ordinal += 1) records.push(...(await read.messages.ofRun(tenantId, id, ordinal)));
  return records;
}

/** Rejects `session_busy` while a run of the conversation is in progress. */
export async function assertIdle(tx: Pick<StoreReader, 'runs'>, { tenantId, id }: Session, param: string): Promise<void> {
  if ((await tx.runs.unfinishedOf(tenantId, id)).length > 0) throw conversationIsBusy(param);
}

/** Creates the error for a conversation in which a run is in progress. */
export const conversationIsBusy = (param: string): AppError =>
  new AppError('session_busy', {
    param,
    message: 'A response of the conversation has not ended.',
    messageZh: '对话中有一个响应还没有结束。',
    retryAfterMs: 1_000,
  });

/** `messages`: each result must follow its call, in the request or near the end of the conversation. */
async function assertAnswersCalls(
  tx: Pick<StoreReader, 'messages'>,
  { tenantId, id }: Session,
  messages: readonly ChatMessage[],
): Promise<void> {
  if (!messages.some(({ role }) => role === 'tool')) return;
  const newest = await tx.messages.list(tenantId, id, NEWEST, 'desc');
  const open = openCallsOf(newest.data.map(({ message }) => message));
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) open.add(call.id);
    if (message.role === 'tool' && !open.delete(message.tool_call_id))
      throw refusal(
        '/items',
        `has an output for the call ${message.tool_call_id}, which waits for none`,
        `含有调用 ${message.tool_call_id} 的输出，但没有这个等待结果的调用`,
      );
  }
}

/** Splits the messages in front of each message of a person. */
function splitByPerson(messages: readonly ChatMessage[]): ChatMessage[][] {
  const parts: ChatMessage[][] = [];
  for (const message of messages) {
    const part = parts.at(-1);
    if (part && message.role !== 'user') part.push(message);
    else parts.push([message]);
  }
  return parts;
}

/** Returns those of the images or files to which the messages refer. */
function ownOf<T extends { id: string }>(messages: readonly ChatMessage[], inputs: readonly T[]): T[] {
  const references = messages.flatMap(message => (message.role === 'user' ? [...(message.images ?? []), ...(message.files ?? [])] : []));
  const ids = new Set(references.map(({ id }) => id));
  return inputs.filter(({ id }) => ids.has(id));
}
