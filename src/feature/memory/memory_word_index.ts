/**
 * Ranks the memories of one tenant by the words of a text, in memory: searching the store would cost the first turn of a session milliseconds. The
 * index knows the text and the first distinctive words of each memory, as they were when the store had counted `changes` changes.
 */
import { LRUCache } from 'lru-cache';
import { isCommonWord } from '../../utils/common_words';
import { searchTokens } from '../../utils/search_tokens';

/** UTF-16 units of a memory, and words of it, that count. */
const MEMORY_UNITS = 400;
const MEMORY_WORDS = 64;
/** Words of a query that count. */
const QUERY_WORDS = 48;
/** Texts of agents whose words are kept. */
const MAX_AGENTS = 32;
/** From this many memories on, a word that stands in more than half of them is ignored. */
const MANY = 20;

export interface IndexedMemory {
  id: string;
  text: string;
  updatedAt: number;
}

/** `message`: the first message of a session; `agentText`: what its agent is for, the same for many sessions. */
export interface MemoryQuery {
  message: string;
  agentText: string;
}

export class MemoryWordIndex {
  /** Entries by place; undefined after a removal. */
  private readonly entries: (IndexedMemory | undefined)[] = [];
  private readonly places = new Map<string, number>();
  /** Word -> places, ascending. */
  private readonly words = new Map<string, number[]>();

  /** The words of agents, by their text. */
  private readonly agentWords = new LRUCache<string, ReadonlySet<string>>({ max: MAX_AGENTS });
  /** Scores of the memories by their place, for the present query. */
  private scores = new Float64Array(0);

  private units = 0;
  private sorted: readonly IndexedMemory[] | undefined;
  /** UTF-16 units of the shortest memory in `sorted`. */
  private shortest = 0;

  /** `changes`: number of changes that the store had counted before the first memory was read. */
  constructor(public changes: number) {}

  /** Number of memories. */
  get size(): number {
    return this.places.size;
  }

  /**
   * Removes memories that are no longer stored, and returns the ids of memories whose text may have changed. Memories with the newest time are among
   * these: a second change in the same millisecond has the same time.
   */
  compareWith(stored: readonly Pick<IndexedMemory, 'id' | 'updatedAt'>[]): string[] {
    const times = new Map(stored.map(({ id, updatedAt }) => [id, updatedAt]));
    for (const id of [...this.places.keys()]) if (!times.has(id)) this.remove(id);
    const newest = this.newestFirst[0]?.updatedAt ?? 0;
    return stored.filter(({ id, updatedAt }) => updatedAt >= newest || this.timeOf(id) !== updatedAt).map(({ id }) => id);
  }

  private timeOf(id: string): number | undefined {
    const place = this.places.get(id);
    return place === undefined ? undefined : this.entries[place]?.updatedAt;
  }

  /** Adds a memory, in place of an older version of it. */
  add({ id, text, updatedAt }: IndexedMemory): void {
    const known = this.entries[this.places.get(id) ?? -1];
    if (known?.text === text && known.updatedAt === updatedAt) return;
    this.remove(id);
    const place = this.entries.length;
    this.entries.push({ id, text, updatedAt });
    this.places.set(id, place);
    this.units += text.length;
    this.sorted = undefined;
    for (const word of tellingWords(text.slice(0, MEMORY_UNITS), MEMORY_WORDS)) {
      const places = this.words.get(word);
      if (places) places.push(place);
      else this.words.set(word, [place]);
    }
  }

  private remove(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.units -= this.entries[place]?.text.length ?? 0;
    this.sorted = undefined;
    this.entries[place] = undefined;
    this.places.delete(id);
  }

  /** Returns the UTF-16 units of all texts, with `extra` for each. */
  unitsWith(extra: number): number {
    return this.units + this.size * extra;
  }

  /**
   * Returns at most `count` memories with the rarest words of the query, best first, then the newest memories: as many as fit into `units`, with
   * `extra` units for each.
   */
  choose(query: MemoryQuery, { count, units, extra }: { count: number; units: number; extra: number }): IndexedMemory[] {
    const chosen = new Set<IndexedMemory>();
    let left = units;
    const take = (entry: IndexedMemory | undefined): void => {
      if (!entry || entry.text.length + extra > left || chosen.has(entry)) return;
      left -= entry.text.length + extra;
      chosen.add(entry);
    };
    for (const place of topPlaces(this.scoresFor(query), count)) take(this.entries[place]);
    for (const entry of this.newestFirst) {
      // Nothing fits any more: the other memories need no look.
      if (left < this.shortest + extra) break;
      take(entry);
    }
    return [...chosen];
  }

  private scoresFor(query: MemoryQuery): Float64Array {
    if (this.scores.length !== this.entries.length) this.scores = new Float64Array(this.entries.length);
    const scores = this.scores.fill(0);
    for (const word of this.wordsOf(query)) {
      const places = this.words.get(word) ?? [];
      // A word of most memories tells nothing and would cost the most.
      if (places.length * 2 > this.entries.length && this.entries.length > MANY) continue;
      const weight = Math.log(1 + this.entries.length / places.length);
      for (const place of places) if (this.entries[place]) scores[place] = (scores[place] ?? 0) + weight;
    }
    return scores;
  }

  /** Returns the words of the message, then those of the agent. */
  private wordsOf({ message, agentText }: MemoryQuery): readonly string[] {
    const known = this.agentWords.get(agentText) ?? tellingWords(agentText, QUERY_WORDS);
    this.agentWords.set(agentText, known);
    return [...new Set([...tellingWords(message, QUERY_WORDS), ...known])].slice(0, QUERY_WORDS);
  }

  /** Sorted again only after a change. */
  private get newestFirst(): readonly IndexedMemory[] {
    if (this.sorted) return this.sorted;
    const entries = this.entries.filter(entry => entry !== undefined);
    this.shortest = entries.reduce((shortest, { text }) => Math.min(shortest, text.length), Number.POSITIVE_INFINITY);
    this.sorted = entries.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
    return this.sorted;
  }
}

/**
 * Returns the `count` places with the highest scores, best first; of equal scores the later place comes first. Most places cost one comparison, with
 * the lowest score that was kept so far.
 */
function topPlaces(scores: Float64Array, count: number): number[] {
  const best: { place: number; score: number }[] = [];
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score === 0) continue;
    const last = best.at(-1);
    if (best.length === count && last && (score < last.score || (score === last.score && place < last.place))) continue;
    let at = best.length;
    for (let other = best[at - 1]; other && (other.score < score || (other.score === score && other.place < place)); other = best[at - 1])
      at -= 1;
    best.splice(at, 0, { place, score });
    if (best.length > count) best.pop();
  }
  return best.map(({ place }) => place);
}

/** Returns the first distinct words that have a subject; of Chinese text, pairs of characters. */
function tellingWords(text: string, count: number): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text: word } of searchTokens(text)) {
    if (words.size >= count) break;
    if (word.length > 1 && !isCommonWord(word)) words.add(word);
  }
  return words;
}
