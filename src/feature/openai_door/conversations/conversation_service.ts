/** Conversations: sessions that a program creates, continues with responses, and reads and changes item by item. */
import type { IdSource } from '../../../port/clock';
import type { Actor } from '../../../port/principal';
import { isTerminal } from '../../../port/run_event';
import type { RunRecord } from '../../../port/store/runs';
import type { SessionRecord } from '../../../port/store/sessions';
import type { Store } from '../../../port/store/store';
import type { OncePerKey } from '../../../service/once_per_key';
import type { SessionService } from '../../../service/session/session_service';
import { noConversation, sessionOfConversation } from './conversation_id';
import { openCallsOf } from './conversation_items';
import { conversationIsBusy, insertMessages, type NewMessages } from './new_messages';

export interface ConversationServiceDeps {
  store: Store;
  ids: IdSource;
  sessions: SessionService;
}

/** The conversation that a response continues. */
export interface ConversationState {
  session: SessionRecord;
  /** The newest run. Absent: the conversation has none. */
  lastRun?: RunRecord;
  /** Ids of calls that wait for a result. */
  openCalls: ReadonlySet<string>;
}

/** Calls wait for results near the end of a conversation. */
const NEWEST = { limit: 50, maxBytes: 1024 * 1024 };

export class ConversationService {
  constructor(private readonly deps: ConversationServiceDeps) {}

  /**
   * Creates a conversation together with its first messages. `readMessages` is not called for a request that repeats an earlier one. Rejects as
   * insertMessages does, and with `idempotency_mismatch`.
   */
  async createConversation(
    { tenantId, keyName: by }: Actor,
    { metadata, readMessages }: { metadata?: Record<string, string>; readMessages?: () => Promise<NewMessages> },
    once: OncePerKey,
  ): Promise<SessionRecord> {
    const { store, ids, sessions } = this.deps;
    const isRepeat = (await once.findEarlier(store.read, tenantId)) !== undefined;
    const added = isRepeat ? undefined : await readMessages?.();
    return sessions.createSession(tenantId, { metadata, by }, once, async (tx, session) => {
      if (added) await insertMessages(tx, session, added, { ids, now: session.createdAt });
    });
  }

  /** Finds a conversation. Rejects `not_found`, also for another tenant's. */
  async getConversation(tenantId: string, conversationId: string, param?: string): Promise<SessionRecord> {
    const session = await this.deps.store.read.sessions.get(tenantId, sessionOfConversation(conversationId, param));
    if (!session) throw noConversation(param);
    return session;
  }

  /** Replaces the metadata. Rejects `not_found`. */
  async replaceMetadata(
    { tenantId, keyName: by }: Actor,
    conversationId: string,
    metadata: Record<string, string>,
  ): Promise<SessionRecord> {
    const { id } = await this.getConversation(tenantId, conversationId);
    return this.deps.sessions.updateSession(tenantId, id, { metadata, by });
  }

  /** Cancels the runs of a conversation, and deletes it with its items and responses. Rejects `not_found`. */
  async deleteConversation(actor: Actor, conversationId: string): Promise<void> {
    const { id } = await this.getConversation(actor.tenantId, conversationId);
    await this.deps.sessions.deleteSession(actor, id);
  }

  /** Reads what a new response continues. Rejects `not_found`, and `session_busy` while a run of the conversation is in progress. */
  async readState(tenantId: string, conversationId: string): Promise<ConversationState> {
    const session = await this.getConversation(tenantId, conversationId, '/conversation');
    const { read } = this.deps.store;
    const [runs, newest] = await Promise.all([
      read.runs.list(tenantId, { sessionId: session.id }, { limit: 1 }),
      read.messages.list(tenantId, session.id, NEWEST, 'desc'),
    ]);
    const [lastRun] = runs.data;
    if (lastRun && !isTerminal(lastRun.status)) throw conversationIsBusy('/conversation');
    return { session, lastRun, openCalls: openCallsOf(newest.data.map(({ message }) => message)) };
  }
}
