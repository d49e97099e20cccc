/** The items of conversations: listed by page, added without a run, deleted one by one. */
import { AppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { ImageInput } from '../../../port/image_input';
import type { ChatMessage } from '../../../port/llm';
import type { Actor } from '../../../port/principal';
import type { MessageOrder, MessageRecord } from '../../../port/store/messages';
import type { SessionRecord } from '../../../port/store/sessions';
import type { Store, StoreReader } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import { insertFirstMessages } from '../../../service/run/given_messages';
import { titleFrom } from '../../../service/session/session_title';
import type { SessionWatch } from '../../../service/session/session_watch';
import { refusal } from '../../../wire/refusal';
import { runOfItem } from '../items/item_ids';
import { noConversation } from './conversation_id';
import { type ConversationItem, type ItemKey, itemsOfMessage, keyOfItem, openCallsOf, withoutItem } from './conversation_items';
import { conversationIsBusy } from './conversation_service';

export interface ItemServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  auditLog: AuditRecorder;
  sessionWatch: Pick<SessionWatch, 'noteChange'>;
}

export interface ItemPage {
  /** Items with their messages. */
  data: { item: ConversationItem; record: MessageRecord }[];
  hasMore: boolean;
}

export interface NewMessages {
  messages: readonly ChatMessage[];
  /** The images to which the messages refer. */
  images?: readonly ImageInput[];
}

type Session = Pick<SessionRecord, 'tenantId' | 'id'>;

const PAGE_BYTES = 1024 * 1024;
const NEWEST = { limit: 50, maxBytes: PAGE_BYTES };

export class ItemService {
  constructor(private readonly deps: ItemServiceDeps) {}

  /** Lists items behind `after`, the id of an item. Rejects `invalid_request` when the conversation has no such item. */
  async listItems(session: Session, { limit, order, after }: { limit: number; order: MessageOrder; after?: string }): Promise<ItemPage> {
    const start = after === undefined ? undefined : await this.findItem(session, after);
    if (after !== undefined && !start)
      throw refusal('/after', 'must be the id of an item of the conversation', '必须是此对话中某个条目的 id');
    const data = start ? inOrder(start.record, order).slice(indexIn(start, order) + 1) : [];
    let last: MessageRecord | undefined = start?.record;
    for (let isMore = true; isMore && data.length <= limit; ) {
      const request = { limit: limit + 1, maxBytes: PAGE_BYTES, after: last };
      const page = await this.deps.store.lists.messages.list(session.tenantId, session.id, request, order);
      data.push(...page.data.flatMap(record => inOrder(record, order)));
      last = page.data.at(-1) ?? last;
      isMore = page.nextCursor !== undefined;
      // A page that was cut because it is large ends the list.
      if (isMore && data.length > 0) return { data: data.slice(0, limit), hasMore: true };
    }
    return { data: data.slice(0, limit), hasMore: data.length > limit };
  }

  /** Finds an item, also by the id that a response gave it. Rejects `not_found`. */
  async getItem(session: Session, itemId: string): Promise<ItemPage['data'][number]> {
    const found = await this.findItem(session, itemId);
    if (!found) throw noItem();
    return found;
  }

  /**
   * Adds messages behind the last one. Each message of a person begins a place of its own, as in an imported chat. Resolves with the stored messages.
   * Rejects `not_found`, `session_busy`, and `invalid_request` for a result whose call does not wait for one.
   */
  async addMessages({ tenantId, id: sessionId }: Session, { messages, images = [] }: NewMessages): Promise<MessageRecord[]> {
    const { store, clock, ids, sessionWatch } = this.deps;
    const now = clock.now();
    const added = await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      const touched = await tx.sessions.touch(tenantId, sessionId, now);
      if (!touched) throw noConversation();
      await assertIdle(tx, { tenantId, id: sessionId }, '/conversation_id');
      await assertAnswersCalls(tx, { tenantId, id: sessionId }, messages);
      const title = titleFrom(messages.find(({ role }) => role === 'user')?.content ?? '');
      if (touched.session.title === '' && title !== '') await tx.sessions.update(tenantId, sessionId, { title });
      const records: MessageRecord[] = [];
      for (const [i, turn] of splitByPerson(messages).entries()) {
        const place = { tenantId, sessionId, id: ids.next('imp'), ordinal: touched.lastOrdinal + 1 + i, input: '', createdAt: now };
        records.push(...(await insertFirstMessages(tx, ids, place, { given: { earlier: [], turn }, images: imagesOf(turn, images) })));
      }
      return records;
    });
    sessionWatch.noteChange(tenantId);
    return added;
  }

  /** Deletes an item from the history, so that no later run reads it. Rejects `not_found`, and `session_busy` while a run is in progress. */
  async deleteItem(actor: Actor, session: Session, itemId: string): Promise<void> {
    const { store, auditLog } = this.deps;
    const { tenantId, id: sessionId } = session;
    await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      await assertIdle(tx, session, '/conversation_id');
      const found = await this.findItem(session, itemId, tx);
      if (!found) throw noItem();
      await tx.messages.change(tenantId, found.record.id, withoutItem(found.record.message, found.key));
      await auditLog.record({ ...byActor(actor), action: 'message.delete', target: found.item.id, details: { sessionId } }, tx);
    });
  }

  private async findItem(session: Session, itemId: string, read: Pick<StoreReader, 'messages' | 'runs'> = this.deps.store.read) {
    const key = keyOfItem(itemId) ?? (await this.keyOfResponseItem(session, itemId, read));
    const record = key && (await read.messages.get(session.tenantId, key.messageId));
    if (!record || record.sessionId !== session.id) return undefined;
    const item = itemsOfMessage(record).find(({ id }) => isNamed(id, key));
    return item && { item, record, key };
  }

  /** Responses count the answers and the calls of their run. */
  private async keyOfResponseItem(
    { tenantId, id: sessionId }: Session,
    itemId: string,
    read: Pick<StoreReader, 'messages' | 'runs'>,
  ): Promise<ItemKey | undefined> {
    const runId = runOfItem(itemId);
    const run = runId === undefined ? undefined : await read.runs.get(tenantId, runId);
    if (run?.sessionId !== sessionId) return undefined;
    const answers = (await read.messages.ofRun(tenantId, sessionId, run.ordinal)).filter(({ message }) => message.role === 'assistant');
    const index = Number(itemId.slice(itemId.lastIndexOf('_') + 1));
    if (itemId.startsWith('msg_')) return keyOfItem(answers[index]?.id ?? '');
    const callId = run.outcome?.callerCalls?.[index]?.toolCallId;
    const items = answers.flatMap(record => itemsOfMessage(record));
    return keyOfItem(items.find(({ type, call_id }) => type === 'function_call' && call_id === callId)?.id ?? '');
  }
}

function inOrder(record: MessageRecord, order: MessageOrder): ItemPage['data'] {
  const items = itemsOfMessage(record).map(item => ({ item, record }));
  return order === 'asc' ? items : items.reverse();
}

const indexIn = ({ item, record }: ItemPage['data'][number], order: MessageOrder): number =>
  inOrder(record, order).findIndex(other => other.item.id === item.id);

function isNamed(itemId: string, key: ItemKey): boolean {
  const named = keyOfItem(itemId);
  return named?.messageId === key.messageId && named.call === key.call;
}

async function assertIdle(tx: Pick<StoreReader, 'runs'>, { tenantId, id }: Session, param: string): Promise<void> {
  if ((await tx.runs.unfinishedOf(tenantId, id)).length > 0) throw conversationIsBusy(param);
}

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

function imagesOf(messages: readonly ChatMessage[], images: readonly ImageInput[]): ImageInput[] {
  const ids = new Set(messages.flatMap(message => (message.role === 'user' ? (message.images ?? []).map(({ id }) => id) : [])));
  return images.filter(({ id }) => ids.has(id));
}

const noItem = (): AppError =>
  new AppError('not_found', { param: '/item_id', message: 'The conversation has no such item.', messageZh: '对话中没有这个条目。' });
