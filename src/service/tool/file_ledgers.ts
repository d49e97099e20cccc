/** Remembers in memory, for the most recently used sessions, which file versions each session has seen. */
import { LRUCache } from 'lru-cache';
import type { FileLedger } from '../../tools/file_editing';
import { contentHash } from '../../utils/content_hash';

const MAX_SESSIONS = 500;
const MAX_FILES = 1_000;
const MAX_REFUSALS = 100;

export class FileLedgers {
  private readonly ledgers = new LRUCache<string, SessionLedger>({ max: MAX_SESSIONS });

  /** Returns the ledger of a session: the same one until 500 other sessions were used after it. */
  ledgerFor(tenantId: string, sessionId: string): FileLedger {
    const key = JSON.stringify([tenantId, sessionId]);
    const known = this.ledgers.get(key);
    if (known) return known;
    const ledger = new SessionLedger();
    this.ledgers.set(key, ledger);
    return ledger;
  }
}

class SessionLedger implements FileLedger {
  /** path -> hash of the content that the session saw last. Bounded by maxSize, because `max` would allocate 1,000 slots for each session. */
  private readonly files = new LRUCache<string, string>({ maxSize: MAX_FILES, sizeCalculation: () => 1 });
  /** Refused edits of the session; created on demand, because most sessions have none. */
  private refusals: LRUCache<string, true> | undefined;

  note(path: string, bytes: Uint8Array): void {
    this.files.set(path, contentHash(bytes));
  }

  isStale(path: string, bytes: Uint8Array): boolean {
    const seen = this.files.get(path);
    return seen !== undefined && seen !== contentHash(bytes);
  }

  noteRefusal(edit: string): boolean {
    const key = contentHash(edit);
    this.refusals ??= new LRUCache<string, true>({ max: MAX_REFUSALS });
    const isRepeated = this.refusals.has(key);
    this.refusals.set(key, true);
    return isRepeated;
  }
}
