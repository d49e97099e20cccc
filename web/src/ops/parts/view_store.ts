/** Saved views of lists: filters and order under a name. They are stored in localStorage where that is allowed. */

export interface SavedView {
  name: string;
  /** Filters and order, as the address has them. */
  query: Readonly<Record<string, string>>;
}

const keyOf = (place: string): string => `neta.ops.views ${place}`;

/** Reads the views of a place: the person and the screen. */
export function readViews(place: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

export function keepViews(place: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(views));
  } catch {
    // Storage is forbidden or full: the views last as long as the screen.
  }
}

/** Another version of the page may have stored something else. */
function isView(value: unknown): value is SavedView {
  const { name, query } = (typeof value === 'object' && value !== null ? value : {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'object' && query !== null;
}

/** Returns true when two addresses have the same filters. */
export function isSameQuery(a: SavedView['query'], b: SavedView['query']): boolean {
  const textOf = (query: SavedView['query']) =>
    JSON.stringify(
      Object.entries(query)
        .filter(([, value]) => value !== '')
        .sort(),
    );
  return textOf(a) === textOf(b);
}
