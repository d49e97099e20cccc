/**
 * Ranks the memories of one tenant by the words of a text, in memory: a search of the store would cost the first turn of a session milliseconds.
 * It knows the first telling words of each memory. It may lag behind the store: the caller reads the texts there, so nothing deleted is shown.
 */
import { isCommonWord } from '../../utils/common_words';
import { searchTokens } from '../../utils/search_tokens';

/** UTF-16 units of a memory, and words of it, that count. */
const MEMORY_UNITS = 400;
const MEMORY_WORDS = 64;
/** Words of a query that count. */
const QUERY_WORDS = 48;
/** Memories from which on a word of more than half of them is left out. */
const MANY = 20;

export interface IndexedMemory {
  id: string;
  text: string;
  updatedAt: number;
}

interface Entry {
  id: string;
  units: number;
  updatedAt: number;
}

export class MemoryWordIndex {
  /** Entries by place; undefined after a removal. */
  private readonly entries: (Entry | undefined)[] = [];
  private readonly places = new Map<string, number>();
  /** Word -> places, ascending. */
  private readonly words = new Map<string, number[]>();

  private units = 0;
  private sorted: readonly Entry[] | undefined;

  /** Number of memories. */
  get size(): number {
    return this.places.size;
  }

  /** Returns true when it knows the memory in this version. */
  has({ id, updatedAt }: Pick<IndexedMemory, 'id' | 'updatedAt'>): boolean {
    const place = this.places.get(id);
    return place !== undefined && this.entries[place]?.updatedAt === updatedAt;
  }

  /** Adds a memory, in place of an older version of it. */
  add({ id, text, updatedAt }: IndexedMemory): void {
    if (this.has({ id, updatedAt })) return;
    this.remove(id);
    const place = this.entries.length;
    this.entries.push({ id, units: text.length, updatedAt });
    this.places.set(id, place);
    this.units += text.length;
    this.sorted = undefined;
    for (const word of tellingWords(text.slice(0, MEMORY_UNITS), MEMORY_WORDS)) {
      const places = this.words.get(word);
      if (places) places.push(place);
      else this.words.set(word, [place]);
    }
  }

  remove(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.units -= this.entries[place]?.units ?? 0;
    this.sorted = undefined;
    this.entries[place] = undefined;
    this.places.delete(id);
  }

  /** Returns the UTF-16 units of all texts, with `extra` for each. */
  unitsWith(extra: number): number {
    return this.units + this.size * extra;
  }

  /**
   * Returns the ids of the memories with the rarest words of the query, best first, at most `count`, then those of the newest ones: as many as fit
   * into `units`, with `extra` units for each.
   */
  chooseIds(query: string, { count, units, extra }: { count: number; units: number; extra: number }): string[] {
    const chosen = new Set<string>();
    let left = units;
    const take = (entry: Entry | undefined): void => {
      if (!entry || entry.units + extra > left || chosen.has(entry.id)) return;
      left -= entry.units + extra;
      chosen.add(entry.id);
    };
    for (const place of topPlaces(this.scoresFor(query), count)) take(this.entries[place]);
    for (const entry of this.newestFirst) {
      if (left <= extra) break;
      take(entry);
    }
    return [...chosen];
  }

  private scoresFor(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const word of tellingWords(query, QUERY_WORDS)) {
      const places = this.words.get(word) ?? [];
      // A word of most memories tells nothing and would cost the most.
      if (places.length * 2 > this.entries.length && this.entries.length > MANY) continue;
      const weight = Math.log(1 + this.entries.length / places.length);
      for (const place of places) if (this.entries[place]) scores.set(place, (scores.get(place) ?? 0) + weight);
    }
    return scores;
  }

  /** Sorted again only after a change. */
  private get newestFirst(): readonly Entry[] {
    this.sorted ??= this.entries.filter(entry => entry !== undefined).sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
    return this.sorted;
  }
}

/** Returns the places with the highest scores, of equal ones the later first. Most places are compared with the last of the best only. */
function topPlaces(scores: ReadonlyMap<number, number>, count: number): number[] {
  const best: { place: number; score: number }[] = [];
  for (const [place, score] of scores) {
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
