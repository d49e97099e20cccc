import type { PatchStrategy } from '../../../port/patch_engine';
import type { Budget } from '../budget';
import type { Location } from '../location';
import { findExact, toExactLocations } from './exact';
import { type FileView, toLineFeeds } from './file_view';
import { findFolded, toFoldedSearch } from './folded_levels';
import { findSimilar } from './similar_levels';
import { FENCES, TRANSFORMATIONS, type Transformation } from './transformations';

/** The first level that has matches, and its matches in order; they may overlap. */
export interface Located {
  locations: Location[];
  /** How old_string was respelled to be found; new_string must be respelled alike. */
  transformation?: Transformation;
}

export interface LocateOptions {
  /** A transformation is tried only when this text can be respelled alike. */
  companion?: string;
  /** No more places than this are looked for; enough to know that there are too many. */
  limit?: number;
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
const SEARCH_LIMIT = 256 * 1024;

export function isTooLargeToFold(search: string): boolean {
  return search.length > SEARCH_LIMIT;
}

/** Levels 2 to 7: as given (2, 3, 4, 6, 7), then unescaped (5), then without a Markdown fence (6). */
export function locateFolded(view: FileView, search: string, budget: Budget, options: LocateOptions = {}): Located {
  return new Locator(view, budget, options).locate(search);
}

/** Levels 8 and 9. */
export function locateSimilar(view: FileView, search: string, budget: Budget): Location[] {
  if (view.content.length > SIMILARITY_FILE_LIMIT) return [];
  const text = toLineFeeds(search);
  if (text.split('\n').length > SIMILARITY_LINE_LIMIT) return [];
  return findSimilar(view, text, budget);
}

class Locator {
  private readonly limit: number;

  constructor(
    private readonly view: FileView,
    private readonly budget: Budget,
    private readonly options: LocateOptions,
  ) {
    this.limit = options.limit ?? Number.POSITIVE_INFINITY;
  }

  locate(search: string): Located {
    const raw = firstLevel(findFolded(this.view, toFoldedSearch(search), this.budget, this.limit));
    if (raw.length > 0) return { locations: raw };
    const respelled = this.locateTransformed(search);
    if (respelled.locations.length > 0) return respelled;
    const loose = this.locateWithoutEscapes(search);
    if (loose.length > 0) return { locations: loose };
    const unfenced = FENCES.undo(search);
    if (unfenced === undefined || unfenced === search) return NOTHING;
    return { locations: named('trimmed_boundary', this.locateText(unfenced)), transformation: FENCES };
  }

  private locateTransformed(search: string): Located {
    let ambiguous = NOTHING;
    const tried = new Set([search]);
    for (const transformation of TRANSFORMATIONS) {
      const spelled = transformation.undo(search);
      if (spelled === undefined || tried.has(spelled) || spelled.trim() === '') continue;
      if (transformation.undo(this.options.companion ?? '') === undefined) continue;
      tried.add(spelled);
      const found = { locations: named('escape_normalized', this.locateText(spelled)), transformation };
      if (found.locations.length === 1) return found;
      if (found.locations.length > 1 && ambiguous === NOTHING) ambiguous = found;
    }
    return ambiguous;
  }

  /** Escapes on either side count as white space: for text that was escaped in part, or unescaped too far. */
  private locateWithoutEscapes(search: string): Location[] {
    if (!search.includes('\\') && !this.view.content.includes('\\')) return [];
    return named('escape_normalized', findFolded(this.view, toFoldedSearch(search, true), this.budget, this.limit));
  }

  private locateText(spelled: string): Location[] {
    const exact = findExact(this.view, spelled, this.limit);
    if (exact.length > 0) return toExactLocations(this.view, spelled, exact, this.budget);
    return firstLevel(findFolded(this.view, toFoldedSearch(spelled), this.budget, this.limit));
  }
}

function named(strategy: PatchStrategy, locations: Location[]): Location[] {
  return locations.map(location => ({ ...location, strategy }));
}

/** Of matches of several levels those of the first level. */
function firstLevel(locations: Location[]): Location[] {
  const level = ORDER.find(strategy => locations.some(location => location.strategy === strategy));
  return locations.filter(location => location.strategy === level);
}
