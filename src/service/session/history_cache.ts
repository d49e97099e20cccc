/**
 * Reads the messages of sessions for the runs that this process executes, and caches them, parsed. While a run executes, the messages of the
 * runs before it never change, in whatever process they ran. Between runs they can change, which raises the history version of the session: a cached
 * history of that version is never stale, and only the messages of later runs are read from the store. Messages that the summary of the session covers
 * are left out.
 */
import { LRUCache } from 'lru-cache';
import type { ChatMessage } from '../../port/llm';
import type { MessagePlace, MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { ReadableStore, StoreReader } from '../../port/store/store';
import { isSummarised, type SummaryRecord } from '../../port/store/summaries';
import { estimateSize } from '../../utils/estimate_size';
import { type HistoryWindow, sizesToRead, windowStart } from './history_window';

/** Characters of all cached messages together. */
const CACHE_SIZE = 16 * 1024 * 1024;
/** Estimated memory of a record beside its message, in characters. */
const RECORD_SIZE = 200;
/** A cached history that has grown to this multiple of the window is read again, from a later start. */
const MAX_WINDOWS = 2;

type Owner = 'messages' | 'summaries';

export interface SessionHistory {
  /** In order, from a message of a person or from the end of the summary on; all messages of the run, summarised or not. */
  messages: readonly MessageRecord[];
  /** The first message of the session, when messages between it and `messages` were not read and no summary covers them. */
  opening?: ChatMessage;
  summary?: SummaryRecord;
}

export interface CachedHistory extends SessionHistory {
  /** `messages` holds the messages of the runs before this ordinal. */
  beforeOrdinal: number;
  /** The history version of the session. */
  version: number | undefined;
  size: number;
}

/** The messages of a session, asked for before the run that needs them is stored. */
export interface EarlyHistory {
  known: CachedHistory | undefined;
  /** The messages behind those of `known`. */
  newer: Promise<readonly MessageRecord[]>;
}

/** `first`: the messages with which the run begins. */
export type EarlyMessages = EarlyHistory & { first: readonly MessageRecord[] };

export class HistoryCache {
  private readonly cached = new LRUCache<string, CachedHistory>({ maxSize: CACHE_SIZE, sizeCalculation: ({ size }) => size });

  /** `window`: what a model can get at most; older messages are not read. */
  constructor(
    private readonly store: ReadableStore<Owner>,
    private readonly window: HistoryWindow,
  ) {}

  /**
   * Asks for the messages of a session in the transaction that is about to insert a run; without `sessionId` the session is new. Returns undefined when
   * they cannot be asked for before the run has its number.
   */
  readEarly({ tenantId, sessionId }: { tenantId: string; sessionId?: string }, read: Pick<StoreReader, Owner>): EarlyHistory | undefined {
    if (sessionId === undefined) return { known: undefined, newer: Promise.resolve([]) };
    const known = this.cached.get(`${tenantId}/${sessionId}`);
    if (!known || this.isTooLong(known)) return undefined;
    const newer = read.messages.history(tenantId, sessionId, { runOrdinal: known.beforeOrdinal, position: 0 });
    newer.catch(() => {});
    return { known, newer };
  }

  /**
   * Resolves with the newest part of the history of the session of `run`, which must execute now. Later calls share the message objects. `session`: as
   * it is stored; undefined when it was deleted. `read`: a transaction that has changed the session and may still fail; call removeSession when the
   * transaction fails.
   */
  async readHistory(
    run: RunRecord,
    session: Pick<SessionRecord, 'historyVersion'> | undefined,
    read: Pick<StoreReader, Owner> = this.store.read,
    early?: EarlyMessages,
  ): Promise<SessionHistory> {
    const { tenantId, sessionId, ordinal } = run;
    const key = `${tenantId}/${sessionId}`;
    const version = session?.historyVersion;
    const cached = this.cached.get(key);
    const known = cached?.version === version ? cached : undefined;
    const isUseful = known && known.beforeOrdinal <= ordinal && !this.isTooLong(known);
    // Another run of the session may have changed the cache since the messages were asked for.
    const asked = early && early.known === known && (isUseful || !known) ? [...(await early.newer), ...early.first] : undefined;
    const history = isUseful ? await withNewer(read, run, known, asked) : asked ? { messages: asked } : await this.readWindow(read, run);
    // The list is in order, so the messages of this run and of later runs come last.
    const earlier = history.messages.slice(0, history.messages.findLastIndex(({ runOrdinal }) => runOrdinal < ordinal) + 1);
    const added = earlier.slice(isUseful ? known.messages.length : 0);
    this.cached.set(key, {
      ...history,
      messages: earlier,
      beforeOrdinal: ordinal,
      version,
      size: sizeOf(added, isUseful ? known.size : 1),
    });
    return history;
  }

  /**
   * Adds the messages of a run to the cache. Call it when the end of a run is stored that this process has executed from its beginning. `messages`:
   * all messages of the run, in order. Later runs share these objects, with their known bytes and sizes, and do not read them again.
   */
  addRun({ tenantId, sessionId, ordinal }: RunRecord, messages: readonly MessageRecord[]): void {
    const key = `${tenantId}/${sessionId}`;
    const known = this.cached.get(key);
    // Not added when a later run has read these messages already, or when the session was deleted.
    if (known?.beforeOrdinal !== ordinal) return;
    const added = messages.filter(row => !known.summary || !isSummarised(row, known.summary));
    const size = sizeOf(added, known.size);
    this.cached.set(key, { ...known, messages: [...known.messages, ...added], beforeOrdinal: ordinal + 1, size });
  }

  /** Notes a stored summary: later runs read only the messages after it. */
  addSummary(summary: SummaryRecord): void {
    const key = `${summary.tenantId}/${summary.sessionId}`;
    const known = this.cached.get(key);
    if (!known) return;
    const { opening: _covered, ...kept } = known;
    const messages = known.messages.filter(row => !isSummarised(row, summary));
    this.cached.set(key, { ...kept, messages, summary, size: sizeOf(messages, 1) });
  }

  /** Returns true when this process has executed a run of the session lately. */
  hasSession(tenantId: string, sessionId: string): boolean {
    return this.cached.has(`${tenantId}/${sessionId}`);
  }

  private isTooLong({ messages, size }: CachedHistory): boolean {
    return messages.length > MAX_WINDOWS * this.window.messages || size > MAX_WINDOWS * this.window.bytes;
  }

  /** Reads the messages in the window, and the run itself as a whole. */
  private async readWindow(read: Pick<StoreReader, Owner>, { tenantId, sessionId, ordinal }: RunRecord): Promise<SessionHistory> {
    const sizes = await read.messages.sizes(tenantId, sessionId, ordinal, sizesToRead(this.window));
    const covered = sizes.findIndex(size => size.isSummarised);
    const start = windowStart(covered === -1 ? sizes : sizes.slice(0, covered), this.window);
    if (!start && covered === -1) return { messages: await read.messages.history(tenantId, sessionId) };
    const summary = await read.summaries.get(tenantId, sessionId);
    const from = start ?? (summary && placeAfter(summary));
    const isInRun = from?.runOrdinal === ordinal;
    const messages = await read.messages.history(tenantId, sessionId, isInRun ? { ...from, position: 0 } : from);
    if (!start) return { messages, summary };
    const [opening] = (await read.messages.list(tenantId, sessionId, { limit: 1 })).data;
    const first = messages.findIndex(({ message }) => message.role === 'user');
    const newest = messages.slice(Math.max(0, first));
    return {
      messages: newest,
      opening: opening && opening.id !== newest[0]?.id ? opening.message : undefined,
      summary,
    };
  }

  /** Frees the messages of a session that was deleted. */
  removeSession(tenantId: string, sessionId: string): void {
    this.cached.delete(`${tenantId}/${sessionId}`);
  }
}

/** Adds the messages of the runs that are not cached, `asked` when they were read before. */
async function withNewer(
  read: Pick<StoreReader, 'messages'>,
  { tenantId, sessionId, ordinal }: RunRecord,
  { messages, beforeOrdinal, opening, summary }: CachedHistory,
  asked: readonly MessageRecord[] | undefined,
): Promise<SessionHistory> {
  const newer = asked ?? (await read.messages.history(tenantId, sessionId, { runOrdinal: beforeOrdinal, position: 0 }));
  const visible = summary ? newer.filter(row => row.runOrdinal === ordinal || !isSummarised(row, summary)) : newer;
  return { messages: [...messages, ...visible], opening, summary };
}

const placeAfter = ({ runOrdinal, position }: MessagePlace): MessagePlace => ({ runOrdinal, position: position + 1 });

const sizeOf = (rows: readonly MessageRecord[], start: number): number =>
  rows.reduce((sum, { message }) => sum + RECORD_SIZE + estimateSize(message), start);
