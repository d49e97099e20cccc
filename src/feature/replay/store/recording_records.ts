/** Recordings of runs, and the prompt parts that they name, as the store keeps them. */
import type { RunRecording } from '../../../port/run_recording';

/** Owner of the prompt parts that many sessions share, such as the stable part of the prompt of an agent. */
export const SHARED_PART = '*';

/** A long text that recordings name by its hash. */
export interface PromptPartRecord {
  tenantId: string;
  /** The id of the session whose texts the part holds, or SHARED_PART. */
  owner: string;
  hash: string;
  /** Deleted with this session. Absent for a shared part. */
  sessionId?: string;
  text: string;
  /** The start of the day (UTC) on which a run last used it, milliseconds since 1970. */
  usedAt: number;
}

/** A run that has ended and can be replayed. */
export interface RecordedRunId {
  tenantId: string;
  id: string;
  createdAt: number;
}

export interface RecordingReader {
  /** Undefined for a run that has none: no model answered it, it has not ended, or an older gateway ran it. */
  get(tenantId: string, runId: string): Promise<RunRecording | undefined>;
  /** The parts of a session and the shared ones, of the hashes; parts that are gone are left out. */
  parts(tenantId: string, sessionId: string, hashes: readonly string[]): Promise<PromptPartRecord[]>;
  /** The tenants that have recordings, in the order of their names. */
  tenants(): Promise<string[]>;
  /** The tenant of a run; undefined when there is no such run. */
  tenantOf(runId: string): Promise<string | undefined>;
  /** The newest runs of the tenant that can be replayed, newest first; child runs are left out. */
  newest(tenantId: string, limit: number): Promise<RecordedRunId[]>;
}

export interface RecordingWriter {
  /** Stores a part in the place of the same one. Rejects with `internal` when its session does not exist. */
  putPart(part: PromptPartRecord): Promise<void>;
  /** All tenants: deletes shared parts that were last used before `before` and before the day of the oldest recorded run of their tenant. */
  deleteUnusedParts(before: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly recordings: RecordingReader;
  }
  interface StoreWriters {
    recordings: RecordingWriter;
  }
}
