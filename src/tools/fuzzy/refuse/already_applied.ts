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

/** Confidence that the edit was made before. */
export type Applied = 'no' | 'likely' | 'certain';

/** Returns true when the file contains a new_string of several lines verbatim, although it contains old_string only inexactly. */
export function isAppliedVerbatim(view: FileView, { old, next }: { old: string; next: string }): boolean {
  const [foldedOld, foldedNext] = [foldText(old).text, foldText(next).text];
  if (foldedOld.includes(foldedNext) || foldedNext.length < CERTAIN_CHARACTERS || countNonBlankLines(next) < CERTAIN_LINES) return false;
  return findExact(view, next, 1).length > 0;
}

/** Returns true when new_string already stands at every place where old_string was found. */
export function isAppliedAt(view: FileView, { old, next }: { old: string; next: string }, places: readonly Place[]): boolean {
  if (!addsWords(old, next) && !differsOnlyInSpace(old, next)) return false;
  const present = findExact(view, next);
  return places.every(place => covers(present, place));
}

/** Looks for new_string in a file that lacks old_string. Only a new_string that is too long to occur by chance is certain. */
export function findApplied(view: FileView, { old, next }: { old: string; next: string }): Applied {
  const folded = foldText(next).text;
  if (folded.length < LIKELY_CHARACTERS || !HAS_WORD.test(folded)) return 'no';
  if (findOccurrences(view.folded().text, folded, 1).length === 0) return 'no';
  // An edit that only removes lines matches the file before the edit as well as after it.
  if (foldText(old).text.includes(folded)) return 'likely';
  return countNonBlankLines(next) >= CERTAIN_LINES || folded.length >= CERTAIN_CHARACTERS ? 'certain' : 'likely';
}

function countNonBlankLines(text: string): number {
  return text.split('\n').filter(line => line.trim() !== '').length;
}

/** Returns true when new_string is old_string with words added before, after or around it. */
function addsWords(old: string, next: string): boolean {
  const at = next.indexOf(old);
  return at !== -1 && HAS_WORD.test(next.slice(0, at) + next.slice(at + old.length));
}

function differsOnlyInSpace(old: string, next: string): boolean {
  return old !== next && old.replace(/\s+/g, '') === next.replace(/\s+/g, '');
}

/** Returns true when one of the matches contains the place. The matches are ordered and equally long. */
function covers(matches: readonly Place[], place: Place): boolean {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches[middle]!.start <= place.start) low = middle + 1;
    else high = middle;
  }
  const nearest = matches[low - 1];
  return nearest !== undefined && nearest.end >= place.end;
}
