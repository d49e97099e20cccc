/** People with accounts, and the links by which accounts are made. Times are milliseconds since 1970. */
import type { Role } from '../../../port/roles';
import type { Locale } from '../../../port/store/sessions';

/** removed: name, e-mail and password are gone; the row keeps the handle from being given to somebody else. */
export type PersonState = 'active' | 'disabled' | 'removed';

export interface PersonRecord {
  tenantId: string;
  id: string;
  /** Names the person where keys have their name: in runs, decisions and the audit log. Begins with @, which names of keys cannot. */
  handle: string;
  name: string;
  /** In small letters; unique in the gateway. With a colon it is no address: see `emailOf`. */
  email: string;
  role: Role;
  locale: Locale;
  state: PersonState;
  /** Stands in logins of the person where those of keys have the hash of the key. */
  subject: string;
  /** In the PHC form; '' for a person who logs in at a provider. */
  passwordHash: string;
  /**
   * login: groups of a provider made the account, and a login without such a group is refused. open_invitation: the person wrote the address, and nothing
   * proves it.
   */
  madeBy: 'invitation' | 'open_invitation' | 'login' | 'scim';
  createdAt: number;
  updatedAt: number;
  lastLoginAt?: number;
}

/** A link that makes one account, or gives a person a new password. */
export interface InvitationRecord {
  tenantId: string;
  id: string;
  /** SHA-256 of the token in the link, in hexadecimal digits. */
  tokenHash: string;
  role: Role;
  /** Absent: whoever has the link writes an address. */
  email?: string;
  /** The person who gets a new password. Absent: the link makes an account. */
  personId?: string;
  /** The key or the handle of who made the link. */
  keyName: string;
  createdAt: number;
  expiresAt: number;
}

export interface PeopleReader {
  /** All tenants, without those who are removed. */
  listAll(): Promise<PersonRecord[]>;
  /** Oldest first, without those who are removed. */
  list(tenantId: string): Promise<PersonRecord[]>;
  get(tenantId: string, id: string): Promise<PersonRecord | undefined>;
  findByEmail(email: string): Promise<PersonRecord | undefined>;
  /** Handles of the tenant, those of removed people too. */
  listHandles(tenantId: string): Promise<string[]>;
  findInvitation(tokenHash: string): Promise<InvitationRecord | undefined>;
}

export interface PeopleWriter {
  /** Rejects with `internal` when the id, the e-mail or the handle is taken. */
  insert(person: PersonRecord): Promise<void>;
  /** Stores all fields but the key, the handle, and the times of creation and of the last login. Resolves false when the person does not exist. */
  update(person: PersonRecord): Promise<boolean>;
  markLogin(tenantId: string, id: string, at: number): Promise<void>;
  insertInvitation(invitation: InvitationRecord): Promise<void>;
  /** Resolves false when the link was used before. */
  deleteInvitation(tenantId: string, id: string): Promise<boolean>;
  /** Deletes the links with which the person could set a new password. */
  deletePasswordLinks(tenantId: string, personId: string): Promise<void>;
  /** Deletes the links that ended at or before `now`. */
  deleteExpiredInvitations(now: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly people: PeopleReader;
  }
  interface StoreWriters {
    people: PeopleWriter;
  }
}
