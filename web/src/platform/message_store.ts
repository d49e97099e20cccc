/**
 * Keeps sent messages that the gateway has not stored yet in IndexedDB, so that they survive a reload and the end of the tab. Nothing here rejects:
 * where a browser forbids storage, a message lasts as long as its page.
 */

export interface KeptMessage {
  clientMessageId: string;
  /** Milliseconds since 1970; messages go out in this order. */
  at: number;
  text: string;
  /** data: addresses in base64. */
  images: readonly string[];
  /** Absent for the first messages of a new chat. */
  sessionId?: string;
  /** The same for all messages of one new chat. */
  conversationId: string;
  /** The tab that wrote the message: it shows the message of a new chat. */
  tab: string;
  /** Tenant of the person; absent where no login is needed. */
  tenant?: string;
  wasSent?: boolean;
}

const NAME = 'neta';
const TABLE = 'outbox';

export async function keepMessage(message: KeptMessage): Promise<void> {
  await change(table => table.put(message));
}

export async function dropMessage(clientMessageId: string): Promise<void> {
  await change(table => table.delete(clientMessageId));
}

export async function dropAllMessages(): Promise<void> {
  await change(table => table.clear());
}

/** Resolves with the messages of every tab, oldest first. */
export async function readMessages(): Promise<KeptMessage[]> {
  const all = await change(table => table.getAll());
  return ((all ?? []) as KeptMessage[]).sort((a, b) => a.at - b.at);
}

let opening: Promise<IDBDatabase> | undefined;

async function change(act: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    opening ??= settle(createDatabase());
    const database = await opening;
    return await settle(act(database.transaction(TABLE, 'readwrite').objectStore(TABLE)));
  } catch {
    opening = undefined;
    return undefined;
  }
}

function createDatabase(): IDBOpenDBRequest {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(TABLE, { keyPath: 'clientMessageId' });
  return request;
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const TAB_KEY = 'neta.tab';

/** The id of this tab; it survives a reload. `create` makes one. */
export function readTabId(create: () => string): string {
  try {
    const known = sessionStorage.getItem(TAB_KEY) ?? create();
    sessionStorage.setItem(TAB_KEY, known);
    return known;
  } catch {
    return create();
  }
}
