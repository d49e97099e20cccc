import { findExact } from '../locate/exact';
import type { FileView } from '../locate/file_view';
import { foldText } from '../locate/fold';
import { findOccurrences } from '../locate/text_search';

interface Place {
  start: number;
  end: number;
}

const CERTAIN_LINES = 3;
const CERTAIN_CHARACTERS = 24;
const LIKELY_CHARACTERS = 4;
const HAS_WORD = /[\p{L}\p{N}]/u;

export type Applied = 'no' | 'likely' | 'certain';

/** The file has new_string just as it is, several lines of it, although it has old_string only in another spelling. */
export function isAppliedVerbatim(view: FileView, { old, next }: { old: string; next: string }): boolean {
  const [foldedOld, foldedNext] = [foldText(old).text, foldText(next).text];
  if (foldedOld.includes(foldedNext) || foldedNext.length < CERTAIN_CHARACTERS || countWritten(next) < CERTAIN_LINES) return false;
  return findExact(view, next, 1).length > 0;
}

/** Returns true when new_string already stands at every one of the places where old_string was found. */
export function isAppliedAt(view: FileView, { old, next }: { old: string; next: string }, places: readonly Place[]): boolean {
  if (!addsWords(old, next) && !differsInSpaceOnly(old, next)) return false;
  const present = findExact(view, next);
  return places.every(place => covers(present, place));
}

/** Whether the file holds new_string anywhere, for an old_string that it does not hold. Certain only when new_string is too long to occur by chance. */
export function findApplied(view: FileView, { old, next }: { old: string; next: string }): Applied {
  const folded = foldText(next).text;
  if (folded.length < LIKELY_CHARACTERS || !HAS_WORD.test(folded)) return 'no';
  if (findOccurrences(view.folded().text, folded, 1).length === 0) return 'no';
  // An edit that only removes lines matches the file before it as well as after it.
  if (foldText(old).text.includes(folded)) return 'likely';
  return countWritten(next) >= CERTAIN_LINES || folded.length >= CERTAIN_CHARACTERS ? 'certain' : 'likely';
}

function countWritten(text: string): number {
  return text.split('\n').filter(line => line.trim() !== '').length;
}

/** New is old with words put before, after or around it. */
function addsWords(old: string, next: string): boolean {
  const at = next.indexOf(old);
  return at !== -1 && HAS_WORD.test(next.slice(0, at) + next.slice(at + old.length));
}

function differsInSpaceOnly(old: string, next: string): boolean {
  return old !== next && old.replace(/\s+/g, '') === next.replace(/\s+/g, '');
}

/** Whether one of the rising hits, all of the same text, holds the place. */
function covers(hits: readonly Place[], place: Place): boolean {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hits[middle]!.start <= place.start) low = middle + 1;
    else high = middle;
  }
  const nearest = hits[low - 1];
  return nearest !== undefined && nearest.end >= place.end;
}
