/** The chats that this device keeps: the newest ones that the person has opened, within limits. */
import type { SessionSummary } from '../api/rest_types';
import type { Turn } from '../state/view_types';
import { change, changeOf, type DeviceTransaction, type KeptChat, keysOf, type Person } from './device_database';

const MAX_CHATS = 50;
/** UTF-16 code units of all chats, and of one: its newest turns. */
const MAX_UNITS = 20_000_000;
const MAX_CHAT_UNITS = 1_000_000;
const MAX_AGE_MS = 30 * 86_400_000;

export interface ChatCopy {
  session: SessionSummary;
  turns: readonly Turn[];
  /** Milliseconds since 1970. */
  keptAt: number;
}

/** Ids of chats that were dropped in this page. A copy of such a chat may still wait to be kept. */
const dropped = new Set<string | undefined>();

/** Keeps the turns of a chat in the place of those from before, unless the chat was dropped. Never rejects. */
export async function keepChat(person: Person, { session, turns, keptAt }: ChatCopy): Promise<void> {
  if (dropped.has(session.id) || dropped.has(session.rootSessionId)) return;
  const text = toJson(turns);
  const key = { tenant: person.tenant, keyName: person.keyName, sessionId: session.id };
  await changeOf(person, async transaction => {
    await transaction.objectStore('chats').put({ ...key, session, keptAt, units: text.length });
    await transaction.objectStore('turns').put({ ...key, turns: text });
    await removeOldest(transaction, keptAt);
  });
}

/** Resolves with the copy of a chat of the last person that the gateway has named; undefined without one. Never rejects. */
export async function readChat(sessionId: string): Promise<ChatCopy | undefined> {
  return changeOf(undefined, async (transaction, { tenant, keyName }) => {
    const key = [tenant, keyName, sessionId];
    const [chat, kept] = await Promise.all([transaction.objectStore('chats').get(key), transaction.objectStore('turns').get(key)]);
    return chat && kept ? { session: chat.session, keptAt: chat.keptAt, turns: JSON.parse(kept.turns) as Turn[] } : undefined;
  });
}

/** Resolves with the last person that the gateway has named; undefined after a log-out. Never rejects. */
export async function readPerson(): Promise<Person | undefined> {
  return changeOf(undefined, async (_, owner) => owner);
}

/** Resolves with the chats of the last person that the gateway has named, the last used chat first. Never rejects. */
export async function listChats(): Promise<SessionSummary[]> {
  const chats = await changeOf(undefined, (transaction, owner) => transaction.objectStore('chats').getAll(keysOf(owner)));
  const sessions = (chats ?? []).map(({ session }) => session).filter(({ parentSessionId }) => parentSessionId === undefined);
  return sessions.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

/** Drops the chats that a person has deleted, with all branches and drafts. `ids`: of sessions, or of the first sessions of their chats. */
export async function dropChats(ids: readonly string[]): Promise<void> {
  for (const id of ids) dropped.add(id);
  await change(async transaction => {
    const chats = await transaction.objectStore('chats').getAll();
    const isDeleted = ({ sessionId, session }: KeptChat) => ids.includes(sessionId) || ids.includes(session.rootSessionId ?? '');
    await remove(transaction, chats.filter(isDeleted));
    const drafts = transaction.objectStore('drafts');
    for (const { tenant, keyName, sessionId, tab } of await drafts.getAll())
      if (ids.includes(sessionId)) await drafts.delete([tenant, keyName, sessionId, tab]);
  });
}

/** Drops all chats and leaves the drafts. Never rejects. */
export async function dropAllChats(): Promise<void> {
  await change(clearChats);
}

export async function clearChats(transaction: DeviceTransaction): Promise<void> {
  await Promise.all([transaction.objectStore('chats').clear(), transaction.objectStore('turns').clear()]);
}

async function removeOldest(transaction: DeviceTransaction, now: number): Promise<void> {
  const chats = (await transaction.objectStore('chats').getAll()).sort((a, b) => b.keptAt - a.keptAt);
  let units = 0;
  const isOver = ({ keptAt, units: own }: KeptChat, index: number) => {
    units += own;
    return index >= MAX_CHATS || units > MAX_UNITS || now - keptAt > MAX_AGE_MS;
  };
  await remove(transaction, chats.filter(isOver));
}

async function remove(transaction: DeviceTransaction, chats: readonly KeptChat[]): Promise<void> {
  for (const { tenant, keyName, sessionId } of chats) {
    const key = [tenant, keyName, sessionId];
    await Promise.all([transaction.objectStore('chats').delete(key), transaction.objectStore('turns').delete(key)]);
  }
}

/** The newest turns that fit. */
function toJson(turns: readonly Turn[]): string {
  const texts: string[] = [];
  let units = 0;
  for (const turn of turns.toReversed()) {
    const text = JSON.stringify(turn);
    units += text.length;
    if (units > MAX_CHAT_UNITS) break;
    texts.push(text);
  }
  return `[${texts.toReversed().join()}]`;
}
