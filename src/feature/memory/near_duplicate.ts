/** Compares memories by their words. */

import { searchTokens } from '../../utils/search_tokens';
import type { MemoryRecord } from './store/memory_records';

const NEAR = 0.8;

/** Returns the memory whose words are most like those of the text, when at least 0.8 of all their words are common to both (Jaccard). */
export function nearestDuplicate(text: string, memories: readonly MemoryRecord[]): MemoryRecord | undefined {
  const words = wordsOf(text);
  let nearest: MemoryRecord | undefined;
  let highest = NEAR;
  for (const memory of memories) {
    const similarity = jaccard(words, wordsOf(memory.text));
    // Of memories with equal similarity, the first is the best match of the search.
    if (similarity < highest || (nearest && similarity === highest)) continue;
    nearest = memory;
    highest = similarity;
  }
  return nearest;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(searchTokens(text).map(token => token.text));

/** 0 to 1; 0 for two texts without words. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
