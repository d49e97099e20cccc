/** Sessions that are being copied. Until its copy is complete, no read of `sessions` and no search finds such a session. */
import type { MessagePlace } from './messages';
import type { SessionRecord } from './sessions';

export interface SessionCopyStart {
  tenantId: string;
  /** The new session, which the same transaction has inserted. */
  sessionId: string;
  sourceId: string;
  /** Copies nothing of runs after this ordinal. Absent: the newest run. */
  through?: number;
  /** Copies nothing from this message on, and no plan that is newer than the message. */
  before?: MessagePlace & { createdAt: number };
  /** Milliseconds since 1970, as in CopyPart. */
  now: number;
}

export interface CopyPart {
  /** Messages of the part at most; messages and images that are large make it smaller. */
  size: number;
  now: number;
  /** Makes the id of a copied message. */
  nextId: () => string;
}

/** `source_lost`: messages of the source were deleted before they were copied, or the copy was given up. */
export type CopyProgress = 'more' | 'complete' | 'source_lost';

export interface SessionCopyReader {
  /** All tenants: copies whose last part is older than `before`, and copies that were given up; at most `limit`. */
  abandoned(before: number, limit: number): Promise<Pick<SessionRecord, 'tenantId' | 'id'>[]>;
}

export interface SessionCopyWriter {
  /**
   * Begins a copy: hides the new session, copies the summary and the plan, and remembers up to which run the source is complete now: the newest one, or the
   * one before the first that has not ended. Resolves false, and begins nothing, when a run that precedes `before` has not ended. Needs the lock of the
   * source.
   */
  begin(start: SessionCopyStart): Promise<boolean>;
  /**
   * Copies the next messages, then the next images. The copy is a run with the ordinal 0, because it precedes the first run of the new session. The part
   * that resolves `complete` shows the session. Resolves `complete` also for a session that is not being copied. Needs the lock of the new session.
   */
  copyPart(tenantId: string, sessionId: string, part: CopyPart): Promise<CopyProgress>;
  /** Gives up a copy whose last part is older than `before`. Resolves false when there is none, or another gateway continues it. Needs the lock of the new session. */
  giveUp(tenantId: string, sessionId: string, before: number): Promise<boolean>;
}
