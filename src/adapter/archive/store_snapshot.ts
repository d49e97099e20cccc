/** A store at one moment, as archives hold it. */
import type { TableLayout } from './archive_form';

export type Row = Record<string, unknown>;

export interface StoreSnapshot {
  /** The applied migrations, in the order of their names. */
  readonly migrations: readonly string[];
  /** The tables that archives hold, each behind the tables to which its rows refer. */
  readonly tables: readonly TableLayout[];
  /** Yields the rows of a table in the order of its key, a few MiB at once. */
  readRows(table: TableLayout): AsyncIterable<Row[]>;
  /** May be called more than once. */
  close(): Promise<void>;
}

/** Tables that archives leave out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Migrations are in the header.
  'schema_migrations',
  'schema_migrations_lock',
  // Indexes and caches: the gateway makes them again.
  'search_documents',
  'search_progress',
  'search_queue',
  'search_tenants',
  'text_vectors',
  // Rows that belong to running gateways.
  'node_leases',
  'ops_nodes',
  'file_locks',
  // The note of a load: see placed_load.ts.
  'restore_progress',
  // Archives on a disk of one machine.
  'backups',
  'backup_schedule',
]);

/** Keys of the table `settings` that belong to one database: the channel between its gateways, the state of its search index. */
const LEFT_OUT_SETTINGS: ReadonlySet<unknown> = new Set(['node_channel', 'search_upgrade']);

export const isArchived = (table: string): boolean => !LEFT_OUT.has(table);

/** Returns false for a row that archives leave out. */
export const isArchivedRow = (table: string, row: Row): boolean => table !== 'settings' || !LEFT_OUT_SETTINGS.has(row['key']);

/** A table with the tables to which its rows refer. */
export interface FoundTable extends TableLayout {
  parents: readonly string[];
}

/** Sorts tables by name, and each behind its parents. */
export function inOrderOfReferences(found: readonly FoundTable[]): TableLayout[] {
  const byName = new Map(found.map(table => [table.name, table]));
  const ordered = new Map<string, TableLayout>();
  const add = ({ parents, ...table }: FoundTable) => {
    for (const name of [...parents].sort()) {
      const parent = byName.get(name);
      if (parent && parent.name !== table.name && !ordered.has(name)) add(parent);
    }
    ordered.set(table.name, table);
  };
  for (const name of [...byName.keys()].sort()) {
    const table = byName.get(name);
    if (table && !ordered.has(name)) add(table);
  }
  return [...ordered.values()];
}
