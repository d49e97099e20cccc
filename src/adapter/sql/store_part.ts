/** A feature keeps its rows in tables of its own, and in the same database and transactions as the core. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { StoreTransaction } from '../../port/store/store';
import type { Runner } from './base/query_template';
import type { Schema } from './base/schema';

export type Owner = keyof StoreTransaction;

/** The queries of an owner, compiled. `on` returns its methods for a reader or a transaction. */
export interface OwnerTable<O extends Owner> {
  on(runner: Runner): StoreTransaction[O];
}

/** Names the owners and the migrations that a feature adds to the store. */
export interface StorePart {
  /** Name of an owner -> creates its table, when the owner is first used. */
  owners: { readonly [O in Owner]?: (db: Kysely<Schema>) => OwnerTable<O> };
  /** Fills the search indexes of the feature, which archives leave out, after its rows were restored. */
  fillIndexes?(db: Kysely<Schema>, runner: Runner): Promise<void>;
  /**
   * Name -> migration. The name is `<feature>_<three digits>_<what it does>`, such as `jobs_001_labels`. Migrations of features run after those of
   * the core. Never change a released one; tables that are older than this rule are created in src/adapter/sql/migrations.
   */
  migrations?: Readonly<Record<string, Migration>>;
}

/** Name of a feature -> what it adds. */
export type StoreParts = Readonly<Record<string, StorePart>>;
