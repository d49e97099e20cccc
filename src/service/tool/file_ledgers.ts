/** What each session knows of the files it works on, in memory, for the sessions used last. */
import type { FileLedger } from '../../tools/file_editing';
import { contentHash } from '../../utils/content_hash';

const MAX_SESSIONS = 500;
const MAX_FILES = 1_000;
const MAX_REFUSALS = 100;

export class FileLedgers {
  private readonly ledgers = new Map<string, SessionLedger>();

  /** The ledger of a session; the same one until 500 other sessions were used after it. */
  of(tenantId: string, sessionId: string): FileLedger {
    const key = JSON.stringify([tenantId, sessionId]);
    const ledger = this.ledgers.get(key) ?? new SessionLedger();
    putLast(this.ledgers, key, ledger, MAX_SESSIONS);
    return ledger;
  }
}

class SessionLedger implements FileLedger {
  /** path -> hash of what the session last saw there. */
  private readonly files = new Map<string, string>();
  private readonly refusals = new Map<string, true>();

  note(path: string, bytes: Uint8Array): void {
    putLast(this.files, path, contentHash(bytes), MAX_FILES);
  }

  isStale(path: string, bytes: Uint8Array): boolean {
    const seen = this.files.get(path);
    return seen !== undefined && seen !== contentHash(bytes);
  }

  noteRefusal(edit: string): boolean {
    const key = contentHash(edit);
    const isRepeated = this.refusals.has(key);
    putLast(this.refusals, key, true, MAX_REFUSALS);
    return isRepeated;
  }
}

/** Makes the entry the newest of the map; the oldest makes room. */
function putLast<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
