import type { Budget } from './budget';
import { COUNT_LIMIT } from './exact';
import type { FileView } from './file_view';
import { nearestPlaces } from './hints';
import type { PatchRefusal, PatchRefusalCode, PatchStrategy } from './types';

const LISTED_LINES = 10;

export function refuse(code: PatchRefusalCode, error: string, hints: readonly string[] = []): PatchRefusal {
  return { ok: false, code, error, ...(hints.length > 0 ? { hints: [...hints] } : {}) };
}

/** States how many places match and on which lines they begin. */
export function refuseAmbiguous(view: FileView, strategy: PatchStrategy, places: readonly { start: number }[]): PatchRefusal {
  const count = places.length >= COUNT_LIMIT ? `at least ${COUNT_LIMIT}` : String(places.length);
  const lines = places.slice(0, LISTED_LINES).map(place => view.lineNumber(place.start));
  const listed = lines.join(', ') + (places.length > LISTED_LINES ? ', ...' : '');
  return refuse(
    'ambiguous',
    `old_string matches ${count} places (${strategy}), beginning on lines ${listed}. Add lines around the change until only one place fits, or set replace_all to change them all.`,
  );
}

export function refuseNoMatch(view: FileView, old: string, budget: Budget): PatchRefusal {
  const hints = nearestPlaces(view, old, budget);
  const next =
    hints.length > 0
      ? 'Compare with the nearest places and quote the file exactly.'
      : 'Read the file again and quote it exactly; it may be another file.';
  return refuse('no_match', `old_string was not found in the file. ${next}`, hints);
}
