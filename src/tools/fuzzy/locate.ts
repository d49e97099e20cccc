import type { Budget } from './budget';
import { FENCES, RESPELLINGS, type Respelling } from './escapes';
import { findExact, toExactLocation } from './exact';
import { type FileView, toLineFeeds } from './file_view';
import { findFolded, toFoldedSearch } from './folded_levels';
import type { Location } from './location';
import { findSimilar } from './similar_levels';
import type { PatchStrategy } from './types';

/** The first level that has matches, and its matches in order; they may overlap. */
export interface Located {
  locations: Location[];
  /** How old_string was respelled to be found; new_string must be respelled alike. */
  respelling?: Respelling;
}

const ORDER: readonly PatchStrategy[] = [
  'line_trimmed',
  'whitespace_normalized',
  'indent_flexible',
  'trimmed_boundary',
  'unicode_normalized',
];

const NOTHING: Located = { locations: [] };

/** Above these sizes only the levels that are linear run. */
const SIMILARITY_FILE_LIMIT = 16 * 1024 * 1024;
const SIMILARITY_LINE_LIMIT = 2000;
/** Longer search text is matched exactly or not at all. */
const SEARCH_LIMIT = 1024 * 1024;

export function isTooLargeToFold(search: string): boolean {
  return search.length > SEARCH_LIMIT;
}

/** Levels 2 to 4, then 5, then 6 and 7. */
export function locateFolded(view: FileView, search: string, budget: Budget): Located {
  const raw = firstLevel(findFolded(view, toFoldedSearch(search), budget));
  if (raw.length > 0) return { locations: raw };
  const respelled = locateRespelled(view, search, budget);
  if (respelled.locations.length > 0) return respelled;
  const loose = findFolded(view, toFoldedSearch(search, true), budget);
  if (loose.length > 0) return { locations: loose.map(location => ({ ...location, strategy: 'escape_normalized' })) };
  const unfenced = FENCES.undo(search);
  if (unfenced === search) return NOTHING;
  const inner = locateSpelling(view, unfenced, budget);
  return { locations: inner.map(location => ({ ...location, strategy: 'trimmed_boundary' })), respelling: FENCES };
}

/** Levels 8 and 9. */
export function locateSimilar(view: FileView, search: string, budget: Budget): Location[] {
  if (view.content.length > SIMILARITY_FILE_LIMIT) return [];
  const text = toLineFeeds(search);
  if (text.split('\n').length > SIMILARITY_LINE_LIMIT) return [];
  return findSimilar(view, text, budget);
}

function locateRespelled(view: FileView, search: string, budget: Budget): Located {
  let ambiguous = NOTHING;
  const tried = new Set([search]);
  for (const respelling of RESPELLINGS) {
    const spelled = respelling.undo(search);
    if (tried.has(spelled) || spelled.trim() === '') continue;
    tried.add(spelled);
    const locations = locateSpelling(view, spelled, budget);
    if (locations.length === 1) return { locations: asEscaped(locations), respelling };
    if (locations.length > 1 && ambiguous === NOTHING) ambiguous = { locations: asEscaped(locations), respelling };
  }
  return ambiguous;
}

function asEscaped(locations: Location[]): Location[] {
  return locations.map(location => ({ ...location, strategy: 'escape_normalized' }));
}

function locateSpelling(view: FileView, spelled: string, budget: Budget): Location[] {
  const exact = findExact(view, spelled);
  if (exact.length > 0) return exact.map(match => toExactLocation(view, spelled, match));
  return firstLevel(findFolded(view, toFoldedSearch(spelled), budget));
}

/** Of matches of several levels those of the first level. */
function firstLevel(locations: Location[]): Location[] {
  const level = ORDER.find(strategy => locations.some(location => location.strategy === strategy));
  return locations.filter(location => location.strategy === level);
}
