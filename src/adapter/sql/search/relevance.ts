/**
 * Scores matches by BM25 (Robertson and Zaragoza, 2009) from figures of one tenant: how many of its texts hold a term, how often the term stands in
 * the text, and how long the text is, compared with the other matches. Nothing here depends on the search engine, whose own scores count the
 * texts of all tenants.
 */
import type { SearchTerm } from '../../../utils/search_tokens';
import { countOf, hashOf } from './word_counts';

/** The usual values: K1 limits the gain of repeated words, B sets the influence of the length. */
const K1 = 1.2;
const B = 0.75;

export interface WeightedTerm {
  /** Hashes of the words of the term. */
  hashes: readonly number[];
  weight: number;
}

export interface Match {
  /** Bit i is set when the text holds term i. */
  terms: number;
  /** Length of the text; any unit, the same for all matches. */
  length: number;
  /** See `word_counts.ts`. Null: every word counts once. */
  counts: Uint8Array | null;
}

/** Terms of one search at most: their numbers are bits of a number. */
export const MAX_TERMS = 48;

/**
 * Weighs a term. `matches`: number of texts of the tenant that hold the term. `total`: number of all texts of the tenant. The words of the term stand
 * without the tenant's prefix.
 */
export function weighTerm(term: SearchTerm, { matches, total }: { matches: number; total: number }): WeightedTerm {
  const rest = Math.max(0, total - matches);
  return { hashes: term.tokens.map(hashOf), weight: Math.log(1 + (rest + 0.5) / (matches + 0.5)) };
}

/** Returns one score for each match, above 0. */
export function scoreMatches(matches: readonly Match[], terms: readonly WeightedTerm[]): number[] {
  const average = matches.reduce((sum, { length }) => sum + length, 0) / matches.length || 1;
  return matches.map(match => {
    const base = K1 * (1 - B + (B * match.length) / average);
    let score = 0;
    for (const [i, { hashes, weight }] of terms.entries()) {
      if (!hasTerm(match.terms, i)) continue;
      const count = occurrencesOf(hashes, match.counts);
      score += (weight * count * (K1 + 1)) / (count + base);
    }
    return score;
  });
}

/** Words that stand side by side occur at most as often as the rarest of them. */
function occurrencesOf(hashes: readonly number[], counts: Uint8Array | null): number {
  let least = Number.POSITIVE_INFINITY;
  for (const hash of hashes) least = Math.min(least, countOf(counts, hash));
  return least;
}

/** Returns true when bit i is set. Divides, because JavaScript's bit operators know 32 bits only. */
export const hasTerm = (terms: number, i: number): boolean => Math.floor(terms / 2 ** i) % 2 === 1;

/** Returns a number in which the bit of every term is set. */
export const allTerms = (terms: readonly unknown[]): number => 2 ** terms.length - 1;
