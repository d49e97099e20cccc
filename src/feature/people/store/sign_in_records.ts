/** The sign-ins of people. Times are milliseconds since 1970. */

export interface SignInRecord {
  tenantId: string;
  id: string;
  personId: string;
  at: number;
  /** password, invitation, passkey, or provider:<id>. */
  way: string;
  /** IP address. */
  address: string;
  /** The range of the address. */
  network: string;
  /** Browser and system, without versions. */
  client: string;
  /** unusual: from a network or a browser that the person had not used before. */
  kind: 'usual' | 'unusual';
}

export interface SignInReader {
  /** Newest first. */
  listOfPerson(tenantId: string, personId: string): Promise<SignInRecord[]>;
}

export interface SignInWriter {
  insert(signIn: SignInRecord): Promise<void>;
  delete(tenantId: string, id: string): Promise<void>;
  deleteOfPerson(tenantId: string, personId: string): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly signIns: SignInReader;
  }
  interface StoreWriters {
    signIns: SignInWriter;
  }
}
