/** Creates the counters of rate limits and the usage of days, and marks ended runs whose usage is not in a day yet. */
import { type Kysely, sql } from 'kysely';

export async function createUsageAndRates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_counters')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('points', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute();
  await createUsageDays(db);
  await db.schema.alterTable('runs').addColumn('usage_by_model', 'text').execute();
  await db.schema
    .alterTable('runs')
    .addColumn('usage_pending', 'integer', column => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('runs_usage_pending')
    .on('runs')
    .columns(['tenant_id', 'id'])
    .where(sql<boolean>`usage_pending = 1`)
    .execute();
}

async function createUsageDays(db: Kysely<unknown>): Promise<void> {
  const numbers = [
    'runs',
    'input_tokens',
    'cached_tokens',
    'output_tokens',
    'reasoning_tokens',
    'nano_dollars',
    'unpriced_runs',
    'duration_ms',
  ];
  const keys = ['tenant_id', 'day', 'key_name', 'model', 'agent'];
  let table = db.schema.createTable('usage_days');
  for (const name of keys) table = table.addColumn(name, 'text', column => column.notNull());
  for (const name of numbers) table = table.addColumn(name, 'bigint', column => column.notNull());
  await table.addPrimaryKeyConstraint('usage_days_key', keys as never).execute();
}
