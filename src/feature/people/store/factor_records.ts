/** What people prove themselves with beside a password: authenticator apps, recovery codes and passkeys. Times are milliseconds since 1970. */

export interface FactorRecord {
  tenantId: string;
  id: string;
  personId: string;
  kind: 'totp' | 'recovery' | 'passkey';
  name: string;
  /** Unique in the gateway. totp: names the person. recovery: the hash of the code. passkey: the id of the credential. */
  credential: string;
  /** totp: the secret, sealed. passkey: the public key. recovery: ''. */
  secret: string;
  /** pending: the app has not shown a code yet. */
  state: 'pending' | 'active';
  /** totp: the time step of the last code. passkey: its counter. */
  counter: number;
  /** Wrong codes since the last right one. */
  failures: number;
  createdAt: number;
  lastUsedAt?: number;
}

export interface FactorReader {
  /** Those of all people of the tenant. */
  list(tenantId: string): Promise<FactorRecord[]>;
  /** Oldest first. */
  listOfPerson(tenantId: string, personId: string): Promise<FactorRecord[]>;
  /** Of all tenants: a passkey says who the person is. */
  findByCredential(credential: string): Promise<FactorRecord | undefined>;
}

export interface FactorWriter {
  /** Rejects with `internal` when the credential is taken. */
  insert(factor: FactorRecord): Promise<void>;
  activate(tenantId: string, id: string): Promise<void>;
  /** Marks a use. Resolves false when the counter was used before; 0 is no counter. */
  use(tenantId: string, id: string, used: { counter: number; at: number }): Promise<boolean>;
  /** Marks a use that changes no counter. */
  useWithoutCounter(tenantId: string, id: string, at: number): Promise<void>;
  /** Counts a try as a failure until a use marks it as right. Resolves false at `limit` failures, and counts nothing then. */
  addTry(tenantId: string, id: string, limit: number): Promise<boolean>;
  /** Resolves false when the person has no such factor. */
  delete(tenantId: string, personId: string, id: string): Promise<boolean>;
  deleteOfPerson(tenantId: string, personId: string): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly personFactors: FactorReader;
  }
  interface StoreWriters {
    personFactors: FactorWriter;
  }
}
