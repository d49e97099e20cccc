/** Responses of /v1/responses: the contents of a request, beside the run that answers it. */

export interface ResponseRecord {
  tenantId: string;
  /** The run that makes the response. */
  runId: string;
  sessionId: string;
  /** Settings of the request, as the response repeats them. */
  settings: Record<string, unknown>;
  /** The input items of the request, in order. */
  input: readonly Record<string, unknown>[];
  /** False: the response is hidden, and deleted with its session some minutes after its end. */
  isKept: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface ResponseReader {
  get(tenantId: string, runId: string): Promise<ResponseRecord | undefined>;
  count(tenantId: string, sessionId: string): Promise<number>;
  /** All tenants: responses that are not kept and were created before `before`, oldest first, at most `limit`. */
  unkept(before: number, limit: number): Promise<Pick<ResponseRecord, 'tenantId' | 'runId' | 'sessionId'>[]>;
}

export interface ResponseWriter {
  /** Rejects with `internal` when the run does not exist or has a response. */
  insert(response: ResponseRecord): Promise<void>;
  /** Deletes a response. Resolves false when it does not exist. */
  delete(tenantId: string, runId: string): Promise<boolean>;
}

declare module '../../../../port/store/store' {
  interface StoreReader {
    readonly responses: ResponseReader;
  }
  interface StoreWriters {
    responses: ResponseWriter;
  }
}
