/** The items of conversations: listed by page, added without a run, deleted one by one. */
import { AppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { Actor } from '../../../port/principal';
import type { MessageOrder, MessageRecord } from '../../../port/store/messages';
import type { SessionRecord } from '../../../port/store/sessions';
import type { Store, StoreReader } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { OncePerKey } from '../../../service/once_per_key';
import type { SessionWatch } from '../../../service/session/session_watch';
import { refusal } from '../../../wire/refusal';
import { runOfItem } from '../items/item_ids';
import { type ConversationItem, type ItemKey, itemsOfMessage, keyOfItem, withoutItem } from './conversation_items';
import { type AddedPlaces, assertIdle, insertMessages, messagesAt, type NewMessages } from './new_messages';

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

type Session = Pick<SessionRecord, 'tenantId' | 'id'>;

const PAGE_BYTES = 1024 * 1024;

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
   * Adds messages behind the last one, once per idempotency key. `readMessages` is not called for a request that repeats an earlier one. Resolves
   * with the stored messages. Rejects as insertMessages does, and with `idempotency_mismatch`.
   */
  async addMessages(session: Session, readMessages: () => Promise<NewMessages>, once: OncePerKey): Promise<MessageRecord[]> {
    const { store, clock, ids, sessionWatch } = this.deps;
    const { tenantId, id: sessionId } = session;
    const earlier = await once.findEarlier(store.read, tenantId);
    if (earlier !== undefined) return messagesAt(store.read, session, decodePlaces(earlier));
    const added = await readMessages();
    const now = clock.now();
    const records = await store.transaction({ session: { tenantId, sessionId }, ...once.lockOf(tenantId) }, async tx => {
      let places: AddedPlaces | undefined;
      await once.makeOnce(tx, { tenantId, now }, async () => {
        places = await insertMessages(tx, session, added, { ids, now });
        return encodePlaces(places);
      });
      return messagesAt(tx, session, places ?? decodePlaces(once.replayedId ?? ''));
    });
    sessionWatch.noteChange(tenantId);
    return records;
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

/** A key remembers the places of the messages, as `first-last`. */
const encodePlaces = ({ first, last }: AddedPlaces): string => `${first}-${last}`;

function decodePlaces(text: string): AddedPlaces {
  const [first = 0, last = -1] = text.split('-').map(Number);
  return { first, last };
}

const noItem = (): AppError =>
  new AppError('not_found', { param: '/item_id', message: 'The conversation has no such item.', messageZh: '对话中没有这个条目。' });
