/**
 * Packs the repeated words of a text into a few bytes, for the rank of a match: four bytes a word (24 bits of its hash, and how often it occurs, at
 * most 255), sorted by the hash. Words that occur once are left out.
 */
const ENTRY_BYTES = 4;
const MAX_COUNT = 255;
/** The most entries; the most frequent words are kept. */
const MAX_ENTRIES = 256;

/** Returns null when no word is repeated. */
export function packCounts(words: readonly string[]): Uint8Array | null {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1);
  if (repeated.length === 0) return null;
  if (repeated.length > MAX_ENTRIES) repeated.sort(([, a], [, b]) => b - a);
  const entries = repeated.slice(0, MAX_ENTRIES).map(([word, count]) => hashOf(word) * 256 + Math.min(count, MAX_COUNT));
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [i, entry] of entries.sort((a, b) => a - b).entries()) bytes.writeUInt32BE(entry, i * ENTRY_BYTES);
  return bytes;
}

/** Returns how often a word occurs in a text that holds the word at least once. `hash`: hash of the word from `hashOf`. */
export function countOf(counts: Uint8Array | null, hash: number): number {
  if (!counts) return 1;
  let low = 0;
  let high = counts.length / ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * ENTRY_BYTES;
    const found = ((counts[at] ?? 0) << 16) | ((counts[at + 1] ?? 0) << 8) | (counts[at + 2] ?? 0);
    if (found === hash) return counts[at + 3] ?? 1;
    if (found < hash) low = middle + 1;
    else high = middle;
  }
  return 1;
}

/** FNV-1a over the UTF-16 units, folded to 24 bits. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
