/** Stores a chat of another program as a session. Its messages precede the first run of the session, as the earlier messages that a program gives. */
import type { Clock, IdSource } from '../../port/clock';
import type { ChatMessage } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import { accessOfNew } from '../access/session_access';
import type { OncePerKey } from '../once_per_key';
import { titleFrom } from './session_title';

export interface ImportedMessage {
  role: 'user' | 'assistant';
  content: string;
  /** Milliseconds since 1970. Absent: the time of the message before. */
  createdAt?: number;
}

export interface ImportedChat {
  title?: string;
  locale?: Locale;
  archived?: boolean;
  /** The key or the person that imports it. */
  by?: string | undefined;
  /** At least one. */
  messages: readonly ImportedMessage[];
}

interface ImportDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  defaultLocale: Locale;
  /** Days that chats are kept after their last use; 0: for ever. */
  keptDays: number;
  /** The same for chats of one owner. */
  keptDaysOf: (tenantId: string, owner: string) => Promise<number>;
}

/**
 * Stores the chat and resolves with its session. Each message of a person begins a run id of its own, so that a branch can begin there;
 * `imp` at its beginning says that there is no such run.
 */
export async function importSession(deps: ImportDeps, tenantId: string, chat: ImportedChat, once: OncePerKey): Promise<SessionRecord> {
  const { store, clock, ids, defaultLocale } = deps;
  const { locale = defaultLocale, archived, messages, by } = chat;
  const now = clock.now();
  const id = ids.next('ses');
  const title = chat.title?.trim() || titleFrom(messages.find(({ role }) => role === 'user')?.content ?? '');
  const rows = toRows(deps, { tenantId, sessionId: id, now }, messages);
  const access = accessOfNew(by, id);
  const keptDays = access.owner === undefined ? deps.keptDays : await deps.keptDaysOf(tenantId, access.owner);
  // A chat that is not kept for ever counts as used now, so that it is not deleted within the hour.
  const updatedAt = keptDays === 0 ? rows.at(-1)?.createdAt : undefined;
  const times = { createdAt: rows[0]?.createdAt ?? now, updatedAt: updatedAt ?? now };
  const session: SessionRecord = {
    tenantId,
    id,
    title,
    agent: 'default',
    locale,
    thinkingLevel: 'off',
    ...times,
    archived,
    ...access,
  };
  await store.transaction(once.lockOf(tenantId), tx =>
    once.makeOnce(tx, { tenantId, now }, async () => {
      await tx.sessions.insert(session);
      await tx.messages.insert(rows);
      return id;
    }),
  );
  return session;
}

function toRows(
  { ids }: Pick<ImportDeps, 'ids'>,
  { tenantId, sessionId, now }: { tenantId: string; sessionId: string; now: number },
  messages: readonly ImportedMessage[],
): MessageRecord[] {
  let runId = ids.next('imp');
  let createdAt = Math.min(messages.find(message => message.createdAt !== undefined)?.createdAt ?? now, now);
  return messages.map((message, position) => {
    if (message.role === 'user' && position > 0) runId = ids.next('imp');
    createdAt = Math.min(Math.max(createdAt, message.createdAt ?? createdAt), now);
    return { tenantId, id: ids.next('msg'), sessionId, runId, runOrdinal: 0, position, message: toChatMessage(message), createdAt };
  });
}

const toChatMessage = ({ role, content }: ImportedMessage): ChatMessage => ({ role, content });
