/**
 * The database of this browser with the chats that the person has opened and the texts that they have not sent. It belongs to one person: the
 * last one that the gateway has named. Keys begin with the tenant and the name of the key of the person.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { SessionSummary } from '../api/rest_types';
import type { Draft } from '../platform/drafts';
import { DEVICE_DATABASE } from '../platform/forget_person';
import { withinLimit } from '../platform/time_limit';

export interface Person {
  tenant: string;
  keyName: string;
}

/** A chat on this device without its turns. */
export interface KeptChat extends Person {
  sessionId: string;
  session: SessionSummary;
  /** Milliseconds since 1970. */
  keptAt: number;
  /** UTF-16 code units of its turns. */
  units: number;
}

export interface KeptTurns extends Person {
  sessionId: string;
  /** A JSON list of turns. */
  turns: string;
}

export interface KeptDraft extends Person {
  /** NEW_CHAT: the draft of a new chat. */
  sessionId: string;
  /** The tab that the text was written in, and its page then. */
  tab: string;
  page: string;
  /** Milliseconds since 1970. */
  at: number;
  draft: Draft;
}

export const NEW_CHAT = 'new';

interface DeviceSchema extends DBSchema {
  person: { key: string; value: Person };
  chats: { key: string[]; value: KeptChat };
  turns: { key: string[]; value: KeptTurns };
  drafts: { key: string[]; value: KeptDraft };
}

const TABLES = ['person', 'chats', 'turns', 'drafts'] as const satisfies StoreNames<DeviceSchema>[];
/** The key of the one row of `person`. */
const LAST = 'last';
/** A browser may leave the opening of a database pending, e.g. when its profile is damaged. */
const OPEN_LIMIT_MS = 2000;

export type DeviceTransaction = IDBPTransaction<DeviceSchema, (typeof TABLES)[number][], 'readwrite'>;

let opening: Promise<IDBPDatabase<DeviceSchema>> | undefined;

/** Runs `act` in one transaction. Resolves with undefined where the browser has no storage or `act` fails; never rejects. */
export async function change<T>(act: (transaction: DeviceTransaction) => Promise<T>): Promise<T | undefined> {
  try {
    opening ??= openDatabase();
    const database = await withinLimit(opening, OPEN_LIMIT_MS);
    if (!database) return undefined;
    const transaction = database.transaction(TABLES, 'readwrite');
    const [result] = await Promise.all([act(transaction), transaction.done]);
    return result;
  } catch {
    // The browser has closed the database, or it is full.
    opening = undefined;
    return undefined;
  }
}

/** Like `change`, for the person of the database. Resolves with undefined when it belongs to another person than `person`, or to none. */
export async function changeOf<T>(
  person: Person | undefined,
  act: (transaction: DeviceTransaction, owner: Person) => Promise<T>,
): Promise<T | undefined> {
  return change(async transaction => {
    const owner = await transaction.objectStore('person').get(LAST);
    return owner && (!person || isSamePerson(owner, person)) ? act(transaction, owner) : undefined;
  });
}

/** Makes the database that of the person. `onOther` is called when it was that of another person. */
export async function confirmPerson(person: Person, onOther: (transaction: DeviceTransaction) => Promise<void>): Promise<void> {
  const { tenant, keyName } = person;
  await change(async transaction => {
    const people = transaction.objectStore('person');
    const owner = await people.get(LAST);
    if (owner && isSamePerson(owner, person)) return;
    if (owner) await onOther(transaction);
    await people.put({ tenant, keyName }, LAST);
  });
}

/** The keys of all rows of the person, or of one of their chats. */
export function keysOf({ tenant, keyName }: Person, sessionId?: string): IDBKeyRange {
  const start = sessionId === undefined ? [tenant, keyName] : [tenant, keyName, sessionId];
  // An array is greater than every string.
  return IDBKeyRange.bound(start, [...start, []]);
}

function openDatabase(): Promise<IDBPDatabase<DeviceSchema>> {
  const opened = openDB<DeviceSchema>(DEVICE_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('person');
      database.createObjectStore('chats', { keyPath: ['tenant', 'keyName', 'sessionId'] });
      database.createObjectStore('turns', { keyPath: ['tenant', 'keyName', 'sessionId'] });
      database.createObjectStore('drafts', { keyPath: ['tenant', 'keyName', 'sessionId', 'tab'] });
    },
    // Another tab deletes the database, at a log-out, or brings a newer version of it.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
    terminated: () => {
      opening = undefined;
    },
  });
  opened.catch(() => {
    opening = undefined;
  });
  return opened;
}

const isSamePerson = (one: Person, other: Person): boolean => one.tenant === other.tenant && one.keyName === other.keyName;
