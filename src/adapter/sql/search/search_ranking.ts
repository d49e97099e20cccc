/** Ranks the matches of a window of messages by relevance and age. Nothing here depends on the search engine. */
import { type Match, scoreMatches, type WeightedTerm } from './relevance';

const MONTH_MS = 30 * 24 * 3_600_000;

export interface WindowMatch extends Match {
  id: number;
  createdAt: number;
}

export interface RankedMatch {
  id: number;
  score: number;
}

/** Sorts matches, best first; of equal matches the newer row comes first. Without terms only the age counts. */
export function rankWindow(matches: readonly WindowMatch[], terms: readonly WeightedTerm[] | undefined, now: number): RankedMatch[] {
  const relevances = terms && scoreMatches(matches, terms);
  const ranked = matches.map(({ id, createdAt }, i) => ({ id, score: (relevances?.[i] ?? 1) * ageFactor(now - createdAt) }));
  return ranked.sort((a, b) => b.score - a.score || b.id - a.id);
}

/** A new message counts up to twice as much as an old one; after 30 days one and a half times. */
const ageFactor = (age: number): number => 1 + 1 / (1 + Math.max(0, age) / MONTH_MS);
