import type { PatchStrategy } from '../../../port/patch_engine';
import type { Budget } from '../budget';
import type { Location } from '../location';
import { findExact, toExactLocations } from './exact';
import { type FileView, toLineFeeds } from './file_view';
import { findFolded, toFoldedSearch } from './folded_levels';
import { findSimilar } from './similar_levels';
import { FENCES, TRANSFORMATIONS, type Transformation } from './transformations';

/** The matches of the first level that has any, in order; they may overlap. */
export interface Located {
  locations: Location[];
  /** The transformation that was undone in old_string; new_string needs the same treatment. */
  transformation?: Transformation;
}

export interface LocateOptions {
  /** new_string. A transformation is tried only when it can be undone here too. */
  newString?: string;
  /** The search stops at this many matches; enough to know that there are too many. */
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

/** Sizes above which levels 8 and 9 are skipped. */
const SIMILARITY_FILE_LIMIT = 16 * 1024 * 1024;
const SIMILARITY_LINE_LIMIT = 2000;
/** A longer search text must match exactly. */
const SEARCH_LIMIT = 256 * 1024;

/** Returns true when the text is too long for levels 2 to 9. */
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
    return { locations: withStrategy('trimmed_boundary', this.locateText(unfenced)), transformation: FENCES };
  }

  private locateTransformed(search: string): Located {
    let ambiguous = NOTHING;
    const tried = new Set([search]);
    for (const transformation of TRANSFORMATIONS) {
      const plain = transformation.undo(search);
      if (plain === undefined || tried.has(plain) || plain.trim() === '') continue;
      if (transformation.undo(this.options.newString ?? '') === undefined) continue;
      tried.add(plain);
      const found = { locations: withStrategy('escape_normalized', this.locateText(plain)), transformation };
      if (found.locations.length === 1) return found;
      if (found.locations.length > 1 && ambiguous === NOTHING) ambiguous = found;
    }
    return ambiguous;
  }

  /** Treats escapes in both texts as white space, for text that was escaped in part or unescaped once too often. */
  private locateWithoutEscapes(search: string): Location[] {
    if (!search.includes('\\') && !this.view.content.includes('\\')) return [];
    return withStrategy('escape_normalized', findFolded(this.view, toFoldedSearch(search, true), this.budget, this.limit));
  }

  private locateText(plain: string): Location[] {
    const exact = findExact(this.view, plain, this.limit);
    if (exact.length > 0) return toExactLocations(this.view, plain, exact, this.budget);
    return firstLevel(findFolded(this.view, toFoldedSearch(plain), this.budget, this.limit));
  }
}

function withStrategy(strategy: PatchStrategy, locations: Location[]): Location[] {
  return locations.map(location => ({ ...location, strategy }));
}

/** Keeps the matches of the first level that has any. */
function firstLevel(locations: Location[]): Location[] {
  const level = ORDER.find(strategy => locations.some(location => location.strategy === strategy));
  return locations.filter(location => location.strategy === level);
}
