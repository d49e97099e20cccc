/** Inbound webhooks, by which other services start runs. Times are milliseconds since 1970. */
import type { Locale } from '../../../port/store/sessions';

export interface HookRecord {
  tenantId: string;
  /** Unguessable; part of the hook's address. */
  id: string;
  name: string;
  agent: string;
  /** The message of each run; `{{body.field}}` stands for a value of the request. */
  template: string;
  locale: Locale;
  /** new: each run has a session of its own. same: the runs go on in one session. */
  session: 'new' | 'same';
  /** The session in which the runs go on. Absent: no run has made it yet. */
  sessionId?: string;
  /** `whsec_` and 32 bytes in base64. A signature can be checked only with the secret itself, so it is stored as it is. */
  secret: string;
  enabled: boolean;
  /** The key that made the hook; its runs count for it. */
  keyName: string;
  createdAt: number;
  updatedAt: number;
}

export interface HookReader {
  /** All tenants: finds the hook of an address. */
  find(id: string): Promise<HookRecord | undefined>;
  get(tenantId: string, id: string): Promise<HookRecord | undefined>;
  /** Lists the oldest first. A tenant has at most 50. */
  list(tenantId: string): Promise<HookRecord[]>;
}

export interface HookWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(hook: HookRecord): Promise<void>;
  /** Stores the fields that a caller may change. Resolves false when the hook does not exist. */
  update(hook: HookRecord): Promise<boolean>;
  /** Stores the session in which the runs go on. Resolves false when the hook is gone or has another session than `from`. */
  keepSession(tenantId: string, id: string, session: { from: string | undefined; to: string }): Promise<boolean>;
  /** Resolves false when the hook does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly hooks: HookReader;
  }
  interface StoreWriters {
    hooks: HookWriter;
  }
}
