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

export const CALL_OUTCOMES = ['accepted', 'duplicate', 'refused', 'limited'] as const;

/** One request to a hook, and how it ended. */
export interface HookCallRecord {
  tenantId: string;
  id: string;
  hookId: string;
  /** Address of the sender. */
  address: string;
  /** duplicate: an earlier request with the same id has started the run. */
  outcome: (typeof CALL_OUTCOMES)[number];
  /** Code of the error with which the request was refused. */
  code?: string;
  runId?: string;
  /** The header webhook-id of a request that was accepted. */
  messageId?: string;
  createdAt: number;
}

export interface HookReader {
  /** All tenants: finds the hook of an address. */
  find(id: string): Promise<HookRecord | undefined>;
  get(tenantId: string, id: string): Promise<HookRecord | undefined>;
  /** Lists the oldest first. A tenant has at most 50. */
  list(tenantId: string): Promise<HookRecord[]>;
  /** Lists the newest first. */
  listCalls(tenantId: string, hookId: string): Promise<HookCallRecord[]>;
}

export interface HookWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(hook: HookRecord): Promise<void>;
  /** Stores the fields that a caller may change, and the author; another author has no session yet. Resolves false when the hook does not exist. */
  update(hook: HookRecord): Promise<boolean>;
  /** Stores the session in which the runs go on. Resolves false when the hook is gone or has another session than `from`. */
  keepSession(tenantId: string, id: string, session: { from: string | undefined; to: string }): Promise<boolean>;
  /** Deletes its requests too. Resolves false when the hook does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** Rejects with `internal` when the hook does not exist. */
  insertCall(call: HookCallRecord): Promise<void>;
  /** Deletes all requests to the hook except the newest `kept`. */
  deleteOldCalls(tenantId: string, hookId: string, kept: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly hooks: HookReader;
  }
  interface StoreWriters {
    hooks: HookWriter;
  }
}
