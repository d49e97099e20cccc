/** Views of lists that operators save under a name, as the store keeps them. */

export interface SavedViewRecord {
  tenantId: string;
  /** The screen of the operator pages, such as runs. */
  screen: string;
  /** A screen has at most one view of a name in each tenant. */
  name: string;
  /** Filters, order, columns and span, as the address of the page has them. */
  query: Record<string, string>;
  /** Name of the key of the person who saved it. */
  savedBy: string;
  /** Milliseconds since 1970. */
  savedAt: number;
}

export interface SavedViewReader {
  /** Lists the views of a tenant by screen and name; of one screen when named. */
  list(tenantId: string, screen?: string): Promise<SavedViewRecord[]>;
}

export interface SavedViewWriter {
  /** Stores the view in the place of an earlier one of the same name and screen. */
  put(view: SavedViewRecord): Promise<void>;
  /** Resolves false when there is none. */
  delete(tenantId: string, screen: string, name: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly savedViews: SavedViewReader;
  }
  interface StoreWriters {
    savedViews: SavedViewWriter;
  }
}
