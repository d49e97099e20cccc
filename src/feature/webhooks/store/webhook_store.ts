/** The owner that webhooks add to the store. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { WebhookTable } from './webhook_table';

export const webhookStore: StorePart = {
  owners: { webhooks: db => new WebhookTable(db) },
  migrations: { webhooks_079_of_runs: { up: addRunColumns } },
};

async function addRunColumns(db: Kysely<unknown>): Promise<void> {
  for (const column of ['run_id', 'label', 'form', 'headers']) await db.schema.alterTable('webhooks').addColumn(column, 'text').execute();
  await db.schema.alterTable('webhooks').addColumn('run_ended_at', 'bigint').execute();
  await db.schema.createIndex('webhooks_by_run').on('webhooks').columns(['tenant_id', 'run_id']).execute();
}
