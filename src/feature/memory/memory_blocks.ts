/**
 * The memory block of a session: the memories in its prompt. It is chosen when the first run of the session starts and stored with the session,
 * so that later prompts begin with the same text and prompt caches hold. The store keeps ids, so a deleted memory leaves the block at once, and so do memories
 * of the person who asks when others begin to see the chat.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { RunRecord } from '../../port/store/runs';
import type { Viewer } from '../../port/store/session_access';
import type { Store } from '../../port/store/store';
import type { MemoryBlock } from '../../runtime/prompt_builder';
import { isSeen, type OwnedThings, type RunOfSession } from '../../service/access/owned_things';
import type { BlockChoice, RunMemory, StoreLater } from '../../service/run/run_memory';
import { clipStart } from '../../utils/clip_text';
import { MemoryWords } from './memory_words';
import type { MemoryQuery, MemoryRecord } from './store/memory_records';

/** Characters of all lines of a block. */
export const MAX_BLOCK_UNITS = 6_000;

export interface MemoryBlocksDeps {
  store: Store;
  clock: Clock;
  ownedThings: Pick<OwnedThings, 'userOf' | 'userOfRun' | 'viewerOfRun'>;
  onError: LogError;
}

type BlockMemory = Pick<MemoryRecord, 'id' | 'text'>;

const MAX_SESSIONS = 1_000;
/** Numbers of newest memories to read, one after the other: when the memories are short, more of them are needed to fill a block. */
const READS = [100, 400, 2_000];
/** The most memories that a search for the first message brings. */
const MAX_RELEVANT = 60;
/** UTF-16 units of the first message that are searched for. */
const MAX_QUERY_UNITS = 600;
/** The list mark and the line feed of a memory. */
const LINE_UNITS = 3;

export class MemoryBlocks implements RunMemory {
  /** 'none': the session has no block and gets none any more. */
  private readonly cache = new LRUCache<string, MemoryBlock | 'none'>({ max: MAX_SESSIONS });

  /** Absent until the first tenant whose memories do not fit into a block. */
  private words: MemoryWords | undefined;

  constructor(private readonly deps: MemoryBlocksDeps) {}

  async blockFor(
    run: RunRecord,
    { agentText, isFirst }: { agentText: string; isFirst: boolean },
    storeLater: StoreLater,
  ): Promise<MemoryBlock | undefined> {
    const key = `${run.tenantId}\n${run.sessionId}`;
    const known = this.cache.get(key);
    if (known === 'none' && !isFirst) return undefined;
    const isKnown = known !== undefined;
    const memories = isFirst ? await this.firstBlock(run, agentText, { isKnown, storeLater }) : await this.read(run);
    const block = memories.length === 0 ? undefined : sameOrNew(known, memories);
    // A block that lost its last memory counts as known, too: reading it again costs one statement.
    if (block || known === undefined) this.cache.set(key, block ?? 'none');
    return block;
  }

  async previewBlock({ sessionId, ...run }: BlockChoice & { sessionId?: string }, agentText: string): Promise<MemoryBlock | undefined> {
    const { store, ownedThings } = this.deps;
    const { read } = store;
    const runs = sessionId === undefined ? [] : await read.runs.after(run.tenantId, sessionId, 0);
    const isNew = runs.every(({ startedAt }) => startedAt === undefined);
    const known = sessionId === undefined ? undefined : { ...run, sessionId };
    const { viewer } = known ? await ownedThings.userOfRun(known) : ownedThings.userOf(run);
    const memories = known && !isNew ? await this.readFor(known, viewer) : await this.choose(run, viewer, agentText);
    return memories.length === 0 ? undefined : sameOrNew(undefined, memories);
  }

  async textsInPrompt(tenantId: string, sessionId: string): Promise<string[]> {
    return (await this.deps.store.read.memoryBlocks.ofSession(tenantId, sessionId)).map(({ text }) => text);
  }

  async textOf(run: RunOfSession, memoryId: string): Promise<string | undefined> {
    const { store, ownedThings } = this.deps;
    const memory = await store.read.memories.get(run.tenantId, memoryId);
    const { viewer } = await ownedThings.userOfRun(run);
    return memory && isSeen(viewer, memory) ? memory.text : undefined;
  }

  private async read(run: RunOfSession): Promise<BlockMemory[]> {
    return this.readFor(run, (await this.deps.ownedThings.userOfRun(run)).viewer);
  }

  private readFor({ tenantId, sessionId }: RunOfSession, viewer: Viewer): Promise<BlockMemory[]> {
    return this.deps.store.read.memoryBlocks.ofSession(tenantId, sessionId, viewer);
  }

  private async firstBlock(
    run: RunRecord,
    agentText: string,
    { isKnown, storeLater }: { isKnown: boolean; storeLater: StoreLater },
  ): Promise<readonly BlockMemory[]> {
    // Reads first: another process may have started this run before it crashed, and a first run that could not be stored may have chosen a block.
    const seer = this.deps.ownedThings.viewerOfRun(run);
    const viewer = seer instanceof Promise ? await seer : seer;
    const stored = run.epoch > 1 || run.ordinal > 1 || isKnown ? await this.readFor(run, viewer) : [];
    if (stored.length > 0) return stored;
    const chosen = await this.choose(run, viewer, agentText);
    if (chosen.length === 0) return chosen;
    const { tenantId, sessionId } = run;
    const block = { tenantId, sessionId, memoryIds: chosen.map(({ id }) => id), createdAt: this.deps.clock.now() };
    const logContext = { runId: run.id, sessionId };
    storeLater(
      tx => tx.memoryBlocks.insert(block),
      thrown => this.deps.onError('the memory block of a session cannot be stored', thrown, logContext),
    );
    return chosen;
  }

  /** Takes everything that fits; otherwise the most relevant to message and agent, then the newest. */
  private async choose({ tenantId, input }: BlockChoice, viewer: Viewer, agentText: string): Promise<readonly BlockMemory[]> {
    const query = { message: clipStart(input, MAX_QUERY_UNITS), agentText };
    const index = await this.words?.currentIndex(tenantId, viewer);
    if (index && index.unitsWith(LINE_UNITS) > MAX_BLOCK_UNITS)
      return index.choose(query, { count: MAX_RELEVANT, units: MAX_BLOCK_UNITS, extra: LINE_UNITS });
    return this.chooseInStore(tenantId, { query: `${query.message}\n${agentText}`, viewer });
  }

  /** Used for tenants whose memories fit, and for the first session after the start. */
  private async chooseInStore(tenantId: string, query: MemoryQuery): Promise<readonly BlockMemory[]> {
    const newest = await this.readNewest(tenantId, query.viewer);
    if (!newest.isMore && sum(newest.memories) <= MAX_BLOCK_UNITS) return newest.memories;
    this.words ??= new MemoryWords({ store: this.deps.store });
    this.words.buildIndex(tenantId, query.viewer);
    const relevant = await this.deps.store.read.memories.rank(tenantId, query, MAX_RELEVANT);
    return fitting([...new Map([...relevant, ...newest.memories].map(memory => [memory.id, memory])).values()]);
  }

  /** Reads the newest memories until they fill a block. */
  private async readNewest(tenantId: string, viewer: Viewer): Promise<{ memories: readonly BlockMemory[]; isMore: boolean }> {
    for (const limit of READS) {
      const { data: memories, nextCursor } = await this.deps.store.read.memories.list(tenantId, { viewer }, { limit });
      if (nextCursor === undefined) return { memories, isMore: false };
      if (sum(memories) > MAX_BLOCK_UNITS) return { memories, isMore: true };
    }
    return { memories: [], isMore: false };
  }
}

function sameOrNew(known: MemoryBlock | 'none' | undefined, memories: readonly BlockMemory[]): MemoryBlock {
  if (typeof known !== 'object' || known.memories.length !== memories.length) return { memories };
  return known.memories.every(({ text }, i) => text === memories[i]?.text) ? known : { memories };
}

const sum = (memories: readonly BlockMemory[]): number => memories.reduce((units, { text }) => units + text.length + LINE_UNITS, 0);

/** Keeps the order and leaves out memories that do not fit any more. */
function fitting(memories: readonly BlockMemory[]): BlockMemory[] {
  let left = MAX_BLOCK_UNITS;
  return memories.filter(({ text }) => {
    const units = text.length + LINE_UNITS;
    if (units > left) return false;
    left -= units;
    return true;
  });
}
