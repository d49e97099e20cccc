/** Finds the memories that fit a query by their words and their meaning, mixed by reciprocal rank fusion. While the embedding model does not answer, the words alone count. */
import { invalidField } from '../../errors';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store } from '../../port/store/store';
import type { EmbeddingService } from '../../service/embedding/embedding_service';
import { fuseRankings, similarity } from '../../service/embedding/similarity';
import { createYielder } from '../../utils/yield_to_event_loop';
import type { MemoryQuery, MemoryRecord } from './store/memory_records';

/** Memories of each ranking that a recall mixes. */
const CANDIDATES = 50;
/** The most memories of a person, so that a list shows every memory with the words. */
const MAX_MEMORIES = 2_000;
const TEXTS_AT_ONCE = 200;
/** Nearest memories in a list. */
const MAX_NEAR = 20;
/**
 * A memory is near when its similarity to the query is at least LEAST, and at most DISTANCE below the similarity of the nearest memory. One number
 * alone would find everything or nothing, because models differ in the similarity of unrelated texts.
 */
const LEAST = 0.25;
const DISTANCE = 0.15;

export class MemoryRanking {
  constructor(private readonly deps: { store: Store; embeddings: EmbeddingService }) {}

  /** Finds the best matches, best first. One word in common is enough. */
  async findBest(tenantId: string, query: MemoryQuery, limit: number): Promise<MemoryRecord[]> {
    const [worded, near] = await Promise.all([
      this.deps.store.read.memories.rankIds(tenantId, query, 'any', CANDIDATES),
      this.nearest(tenantId, query, CANDIDATES),
    ]);
    return this.readInOrder(tenantId, fuseRankings(worded, near).slice(0, limit));
  }

  /** Resolves a page of the memories that have all words of the query or are near to it, best first. Rejects `invalid_request` for a wrong cursor. */
  async listMatches(tenantId: string, filter: MemoryQuery, page: PageRequest): Promise<Page<MemoryRecord>> {
    const first = page.cursor === undefined ? 0 : decodeCursor(page.cursor);
    const [worded, near] = await Promise.all([
      this.deps.store.read.memories.rankIds(tenantId, filter, 'all', MAX_MEMORIES),
      this.nearest(tenantId, filter, MAX_NEAR),
    ]);
    const ids = fuseRankings(worded, near);
    const records = await this.readInOrder(tenantId, ids.slice(first, first + page.limit));
    const data = fitting(records, page.maxBytes);
    // A memory that was deleted a moment ago has no record any more; it counts as shown.
    const end = data.length < records.length ? first + data.length : first + page.limit;
    return { data, nextCursor: end < ids.length ? String(end) : undefined };
  }

  private async nearest(tenantId: string, { query, kind, viewer }: MemoryQuery, limit: number): Promise<string[]> {
    const { embeddings } = this.deps;
    const [wanted, known] = await Promise.all([embeddings.queryVector(query, tenantId), this.vectors(tenantId, { kind, viewer })]);
    if (!wanted) return [];
    const yieldWhenDue = createYielder();
    const scored: { id: string; score: number }[] = [];
    for (const { id, vector } of known) {
      await yieldWhenDue();
      scored.push({ id, score: similarity(wanted, vector) });
    }
    scored.sort((a, b) => b.score - a.score);
    const least = Math.max(LEAST, (scored[0]?.score ?? 0) - DISTANCE);
    return scored
      .filter(({ score }) => score >= least)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  /** Reads the memories whose vector is known. */
  private async vectors(tenantId: string, filter: Pick<MemoryQuery, 'kind' | 'viewer'>): Promise<{ id: string; vector: Float32Array }[]> {
    const { store, embeddings } = this.deps;
    const found: { id: string; vector: Float32Array }[] = [];
    const yieldWhenDue = createYielder();
    for (let after = '', isMore = true; isMore; ) {
      const texts = await store.read.memories.listTexts(tenantId, filter, after, TEXTS_AT_ONCE);
      const known = await embeddings.vectorsFor(
        texts.map(({ text }) => text),
        tenantId,
      );
      for (const { id, text } of texts) {
        const vector = known.get(text);
        if (vector) found.push({ id, vector });
        after = id;
      }
      isMore = texts.length === TEXTS_AT_ONCE;
      await yieldWhenDue();
    }
    return found;
  }

  private async readInOrder(tenantId: string, ids: readonly string[]): Promise<MemoryRecord[]> {
    const byId = new Map((await this.deps.store.read.memories.readAll(tenantId, ids)).map(memory => [memory.id, memory]));
    return ids.flatMap(id => byId.get(id) ?? []);
  }
}

function decodeCursor(cursor: string): number {
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw invalidField('/cursor', 'must be the nextCursor of a page.', '必须是某一页的 nextCursor。');
}

/** Keeps the first records that fit as JSON; at least one. */
function fitting(records: MemoryRecord[], maxBytes = Number.POSITIVE_INFINITY): MemoryRecord[] {
  let sum = 0;
  const tooMany = records.findIndex(record => {
    sum += Buffer.byteLength(JSON.stringify(record));
    return sum > maxBytes;
  });
  return tooMany === -1 ? records : records.slice(0, Math.max(1, tooMany));
}
