/**
 * Keeps sent messages that the gateway has not stored yet in IndexedDB, so that they survive a reload and the end of the tab. Nothing here rejects:
 * where a browser forbids storage, a message lasts as long as its page.
 */
import { nameHere } from './root';

export interface KeptMessage {
  clientMessageId: string;
  /** Milliseconds since 1970; messages go out in this order. */
  at: number;
  text: string;
  /** data: addresses in base64. */
  images: readonly string[];
  /** Absent for the first messages of a new chat. */
  sessionId?: string;
  /** The agent of a new chat; absent: the default agent. */
  agent?: string;
  /** The same for all messages of one new chat. */
  conversationId: string;
  /** The tab that wrote the message: it shows the message of a new chat. */
  tab: string;
  /** The page that sends the message. Other pages leave the message alone until that page has closed. */
  page?: string;
  /** Tenant and name of the key of the person; absent when the message was written before the gateway had named them. */
  tenant?: string;
  keyName?: string;
  wasSent?: boolean;
  /** Absent: the message waits while a run is active. */
  onBusy?: 'enqueue' | 'steer' | 'interrupt';
}

const NAME = nameHere('neta');
const TABLE = 'outbox';

/** Writes and removes messages in one transaction. */
export async function changeMessages({ keep = [], drop = [] }: { keep?: readonly KeptMessage[]; drop?: readonly string[] }): Promise<void> {
  await change(async table => {
    for (const clientMessageId of drop) table.delete(clientMessageId);
    for (const message of keep) table.put(message);
  });
}

export async function dropAllMessages(): Promise<void> {
  await change(async table => void table.clear());
}

/** Resolves with the messages of every tab. */
export async function readMessages(): Promise<KeptMessage[]> {
  return (await change(readAll)) ?? [];
}

/** Hands the messages that `isTakeable` accepts to the page, in one transaction: of two pages, one gets a message. Resolves with them, oldest first. */
export async function takeMessages(page: string, isTakeable: (message: KeptMessage) => boolean): Promise<KeptMessage[]> {
  const taken = await change(async table => {
    const found = (await readAll(table)).filter(isTakeable).map(message => ({ ...message, page }));
    for (const message of found) table.put(message);
    return found;
  });
  return (taken ?? []).sort((a, b) => a.at - b.at);
}

const readAll = (table: IDBObjectStore) => settle(table.getAll() as IDBRequest<KeptMessage[]>);

/** A browser may leave the opening of a database pending, e.g. when its profile is damaged. */
const OPEN_LIMIT_MS = 2000;

interface Opening {
  database: Promise<IDBDatabase>;
  /** Rejects when the opening takes too long. Counts from the start of the opening, so that later calls do not wait again. */
  limit: Promise<never>;
}

let opening: Opening | undefined;

/** Resolves with undefined where the change was not possible. */
async function change<T>(act: (table: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    opening ??= openDatabase();
    const database = await Promise.race([opening.database, opening.limit]);
    try {
      return await runTransaction(database, act);
    } catch {
      // The browser may have closed the database.
      opening = undefined;
    }
  } catch {
    // The page goes on without the store.
  }
  return undefined;
}

function openDatabase(): Opening {
  const database = settle(createDatabase());
  database.catch(() => {
    opening = undefined;
  });
  const limit = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('The database did not open in time.')), OPEN_LIMIT_MS));
  return { database, limit };
}

function createDatabase(): IDBOpenDBRequest {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(TABLE, { keyPath: 'clientMessageId' });
  return request;
}

async function runTransaction<T>(database: IDBDatabase, act: (table: IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = database.transaction(TABLE, 'readwrite');
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  const [result] = await Promise.all([act(transaction.objectStore(TABLE)), ended]);
  return result;
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const TAB_KEY = nameHere('neta.tab');

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
