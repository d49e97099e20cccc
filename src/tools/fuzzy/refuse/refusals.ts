import type { PatchRefusal, PatchRefusalCode, PatchStrategy } from '../../../port/patch_engine';
import type { Budget } from '../budget';
import type { FileView } from '../locate/file_view';
import { nearestPlaces } from './nearest_places';

const LISTED_LINES = 10;

/** Builds a refusal. `error` is a message for the model. */
export function refuse(code: PatchRefusalCode, error: string, hints: readonly string[] = []): PatchRefusal {
  return { ok: false, code, error, ...(hints.length > 0 ? { hints: [...hints] } : {}) };
}

/** Refuses with the number of matches (at least `limit` when the search stopped there) and their first line numbers. */
export function refuseAmbiguous(
  view: FileView,
  { strategy, limit }: { strategy: PatchStrategy; limit: number },
  places: readonly { start: number }[],
): PatchRefusal {
  const count = places.length >= limit ? `at least ${limit}` : String(places.length);
  const lines = places.slice(0, LISTED_LINES).map(place => view.lineNumber(place.start));
  const listed = lines.join(', ') + (places.length > LISTED_LINES ? ', ...' : '');
  return refuse(
    'ambiguous',
    `old_string matches ${count} places (${strategy}), beginning on lines ${listed}. Add lines around the change until only one place fits, or set replace_all to change them all.`,
  );
}

/** Refuses with hints about the most similar places, if there are any. */
export function refuseNoMatch(view: FileView, old: string, budget: Budget): PatchRefusal {
  const hints = nearestPlaces(view, old, budget);
  const next =
    hints.length > 0
      ? 'Compare with the nearest places and quote the file exactly.'
      : 'Read the file again and quote it exactly; it may be another file.';
  return refuse('no_match', `old_string was not found in the file. ${next}`, hints);
}
