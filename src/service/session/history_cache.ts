/**
 * Caches the messages of sessions, parsed, for the runs that this process executes. While a run executes, the messages of the runs before it
 * never change, in whatever process they ran: a cached history is never stale, and only the messages of later runs are read from the store.
 */
import { LRUCache } from 'lru-cache';
import type { MessageReader, MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import { estimateSize } from '../../utils/estimate_size';

/** Characters of all cached messages together. */
const CACHE_SIZE = 16 * 1024 * 1024;
/** Estimated memory of a record beside its message, in characters. */
const RECORD_SIZE = 200;

interface CachedHistory {
  /** The messages of the runs before this ordinal, all of them. */
  beforeOrdinal: number;
  messages: readonly MessageRecord[];
  size: number;
}

const EMPTY: CachedHistory = { beforeOrdinal: 0, messages: [], size: 1 };

export class HistoryCache {
  private readonly cached = new LRUCache<string, CachedHistory>({ maxSize: CACHE_SIZE, sizeCalculation: ({ size }) => size });

  constructor(private readonly store: ReadableStore<MessageReader>) {}

  /** Resolves with the history of the session of `run`, which must execute now. Later calls share the message objects. */
  async readHistory({ tenantId, sessionId, ordinal }: RunRecord): Promise<readonly MessageRecord[]> {
    const key = `${tenantId}/${sessionId}`;
    const known = this.cached.get(key);
    const before = known && known.beforeOrdinal <= ordinal ? known : EMPTY;
    const newer = await this.store.read.history(tenantId, sessionId, before.beforeOrdinal);
    const isFinal = ({ runOrdinal }: MessageRecord) => runOrdinal < ordinal;
    const size = newer.filter(isFinal).reduce((sum, { message }) => sum + RECORD_SIZE + estimateSize(message), before.size);
    const messages = [...before.messages, ...newer];
    this.cached.set(key, { beforeOrdinal: ordinal, messages: messages.filter(isFinal), size });
    return messages;
  }

  /** Frees the messages of a session that was deleted. */
  removeSession(tenantId: string, sessionId: string): void {
    this.cached.delete(`${tenantId}/${sessionId}`);
  }
}
