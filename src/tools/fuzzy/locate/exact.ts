import type { Budget } from '../budget';
import { isMarkAt } from '../characters';
import type { Location } from '../location';
import { tokenize } from '../tokens';
import type { FileView } from './file_view';
import { findOccurrences } from './text_search';

/** The search stops at this many matches. */
export const COUNT_LIMIT = 10_000;
/** Fixed cost of tokenizing a match, in budget cells. */
const MATCH_COST = 1000;

/** A match whose tokens are not computed yet. */
export interface ExactMatch {
  /** [start, end) in the original content. */
  start: number;
  end: number;
}

/** Level 1: returns every place that contains `search`, including overlapping ones. CRLF and LF are equal. */
export function findExact(view: FileView, search: string, limit?: number): ExactMatch[] {
  const { text, hasReturns } = view.lineFeedText();
  const lines = view.lineFeedText();
  const found: ExactMatch[] = [];
  for (const at of findOccurrences(text, search, limit)) {
    const end = at + search.length;
    if (at < view.start || cutsCharacter(text, at) || cutsCharacter(text, end)) continue;
    found.push(hasReturns ? { start: lines.toOriginal(at), end: lines.toOriginal(end) } : { start: at, end });
  }
  return found;
}

/** Tokenizes matches for a three-way merge. */
export function toExactLocations(view: FileView, search: string, matches: readonly ExactMatch[], budget: Budget): Location[] {
  const old = tokenize(search);
  const oldToFile = Int32Array.from(old.tokens.keys());
  return matches.map(match => {
    budget.spend(MATCH_COST + old.tokens.length);
    const file = tokenize(view.content, match.start, match.end);
    return { strategy: 'exact', ...match, old, file, oldToFile, sameIndentation: true };
  });
}

/** Returns true inside a surrogate pair and between a base character and its combining mark. */
function cutsCharacter(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const after = text.charCodeAt(offset);
  if (after < 0x300) return false;
  const before = text.charCodeAt(offset - 1);
  if (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) return true;
  return isMarkAt(text, offset) && !/\s/.test(text.charAt(offset - 1));
}
