/** The owner that webhooks add to the store. */
import { type Kysely, sql } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { WebhookTable } from './webhook_table';

export const webhookStore: StorePart = {
  owners: { webhooks: db => new WebhookTable(db) },
  migrations: {
    webhooks_079_of_runs: { up: addRunColumns },
    webhooks_082_indexes: { up: addIndexes },
    webhooks_103_makers: { up: addMaker },
  },
};

async function addRunColumns(db: Kysely<unknown>): Promise<void> {
  for (const column of ['run_id', 'label', 'form', 'headers']) await db.schema.alterTable('webhooks').addColumn(column, 'text').execute();
  await db.schema.alterTable('webhooks').addColumn('run_ended_at', 'bigint').execute();
  await db.schema.createIndex('webhooks_by_run').on('webhooks').columns(['tenant_id', 'run_id']).execute();
}

async function addMaker(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('made_by', 'text').execute();
}

/** The lists of all tenants leave out the webhooks of runs, which are many; the deletion finds those of ended runs. */
async function addIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('webhooks');
  await index('webhooks_of_all_runs').columns(['created_at', 'id']).where(sql<boolean>`run_id is null`).execute();
  await index('webhooks_of_runs').columns(['created_at']).where(sql<boolean>`run_id is not null`).execute();
  await index('webhooks_of_ended_runs').columns(['run_ended_at']).where(sql<boolean>`run_ended_at is not null`).execute();
}
