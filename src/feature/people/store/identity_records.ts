/** How people are known at login providers, and which logins came from there. Times are milliseconds since 1970. */

/** A person at a provider. Issuer and subject name the person there for ever; an e-mail address does not. */
export interface IdentityRecord {
  tenantId: string;
  issuer: string;
  subject: string;
  personId: string;
  createdAt: number;
  /** The groups that the last login named. */
  groupNames?: readonly string[];
}

/** A person with the names of groups. */
interface PersonGroups {
  tenantId: string;
  personId: string;
  groupNames: readonly string[];
}

/** A login that began at a provider, which may end it. */
export interface ProviderSessionRecord {
  /** That of the login. */
  tokenHash: string;
  tenantId: string;
  /** The id of the provider in login.yaml. */
  provider: string;
  issuer: string;
  subject: string;
  /** Names the session at the provider. */
  sessionId?: string;
  expiresAt: number;
}

/** What a logout token names. */
export interface EndedSession {
  tenantId: string;
  provider: string;
  issuer: string;
  subject?: string | undefined;
  sessionId?: string | undefined;
}

export interface IdentityReader {
  find(tenantId: string, issuer: string, subject: string): Promise<IdentityRecord | undefined>;
  /** Those of all people of the tenant. */
  list(tenantId: string): Promise<IdentityRecord[]>;
  listOfPerson(tenantId: string, personId: string): Promise<IdentityRecord[]>;
  /** All tenants: the groups that the last login of each identity named. */
  listAllGroups(): Promise<PersonGroups[]>;
  listSessions(ended: EndedSession): Promise<ProviderSessionRecord[]>;
}

export interface IdentityWriter {
  /** Rejects with `internal` when the identity has a person. */
  insert(identity: IdentityRecord): Promise<void>;
  delete(tenantId: string, issuer: string, subject: string): Promise<void>;
  setGroups(identity: Pick<IdentityRecord, 'tenantId' | 'issuer' | 'subject'>, groupNames: readonly string[]): Promise<void>;
  deleteOfPerson(tenantId: string, personId: string): Promise<void>;
  insertSession(session: ProviderSessionRecord): Promise<void>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Remembers that a token was used. Resolves false when it was used before. */
  spend(id: string, expiresAt: number): Promise<boolean>;
  /** Deletes sessions and used tokens that ended at or before `now`. */
  deleteExpired(now: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly personIdentities: IdentityReader;
  }
  interface StoreWriters {
    personIdentities: IdentityWriter;
  }
}
