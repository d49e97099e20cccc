/**
 * Reads the messages of sessions for the runs that this process executes, and caches them, parsed. While a run executes, the messages of the
 * runs before it never change, in whatever process they ran: a cached history is never stale, and only the messages of later runs are read from
 * the store.
 */
import { LRUCache } from 'lru-cache';
import type { ChatMessage } from '../../port/llm';
import type { MessageReader, MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import { estimateSize } from '../../utils/estimate_size';
import { type HistoryWindow, sizesToRead, windowStart } from './history_window';

/** Characters of all cached messages together. */
const CACHE_SIZE = 16 * 1024 * 1024;
/** Estimated memory of a record beside its message, in characters. */
const RECORD_SIZE = 200;
/** A cached history that has grown to this multiple of the window is read again, from a later start. */
const MAX_WINDOWS = 2;

export interface SessionHistory {
  /** In order, from a message of a person on. */
  messages: readonly MessageRecord[];
  /** The first message of the session, when `messages` does not begin with it. */
  opening?: ChatMessage;
}

interface CachedHistory extends SessionHistory {
  /** `messages` holds the messages of the runs before this ordinal. */
  beforeOrdinal: number;
  size: number;
}

export class HistoryCache {
  private readonly cached = new LRUCache<string, CachedHistory>({ maxSize: CACHE_SIZE, sizeCalculation: ({ size }) => size });

  /** `window`: what a model can get at most; older messages are not read. */
  constructor(
    private readonly store: ReadableStore<MessageReader>,
    private readonly window: HistoryWindow,
  ) {}

  /**
   * Resolves with the newest part of the history of the session of `run`, which must execute now. Later calls share the message objects. `read`:
   * a transaction that has changed the session and may still fail; call removeSession when it does.
   */
  async readHistory(run: RunRecord, read: MessageReader = this.store.read): Promise<SessionHistory> {
    const { tenantId, sessionId, ordinal } = run;
    const key = `${tenantId}/${sessionId}`;
    const known = this.cached.get(key);
    const isUseful = known && known.beforeOrdinal <= ordinal && !this.isTooLong(known);
    const history = isUseful ? await readNewer(read, run, known) : await this.readWindow(read, run);
    const isFinal = ({ runOrdinal }: MessageRecord) => runOrdinal < ordinal;
    const earlier = history.messages.filter(isFinal);
    const added = earlier.slice(isUseful ? known.messages.length : 0);
    const size = added.reduce((sum, { message }) => sum + RECORD_SIZE + estimateSize(message), isUseful ? known.size : 1);
    this.cached.set(key, { ...history, messages: earlier, beforeOrdinal: ordinal, size });
    return history;
  }

  private isTooLong({ messages, size }: CachedHistory): boolean {
    return messages.length > MAX_WINDOWS * this.window.messages || size > MAX_WINDOWS * this.window.bytes;
  }

  /** Reads the messages in the window, and the run itself as a whole. */
  private async readWindow(read: MessageReader, { tenantId, sessionId, ordinal }: RunRecord): Promise<SessionHistory> {
    const start = windowStart(await read.messageSizes(tenantId, sessionId, ordinal, sizesToRead(this.window)), this.window);
    if (!start) return { messages: await read.history(tenantId, sessionId) };
    const isInRun = start.runOrdinal === ordinal;
    const messages = await read.history(tenantId, sessionId, isInRun ? { ...start, position: 0 } : start);
    const [opening] = (await read.listMessages(tenantId, sessionId, { limit: 1 })).data;
    const first = messages.findIndex(({ message }) => message.role === 'user');
    const newest = messages.slice(Math.max(0, first));
    return { messages: newest, ...(opening && opening.id !== newest[0]?.id && { opening: opening.message }) };
  }

  /** Frees the messages of a session that was deleted. */
  removeSession(tenantId: string, sessionId: string): void {
    this.cached.delete(`${tenantId}/${sessionId}`);
  }
}

/** Adds the messages of the runs that are not cached. */
async function readNewer(read: MessageReader, { tenantId, sessionId }: RunRecord, known: CachedHistory): Promise<SessionHistory> {
  const newer = await read.history(tenantId, sessionId, { runOrdinal: known.beforeOrdinal, position: 0 });
  return { messages: [...known.messages, ...newer], ...(known.opening && { opening: known.opening }) };
}
