/** Queries about webhooks and their deliveries. */
import { type Kysely, sql } from 'kysely';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { isPostgres } from '../../../adapter/sql/base/dialect';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { Page, PageRequest } from '../../../port/store/page';
import type { DeliveryPatch, DeliveryRecord, WebhookPlace, WebhookRecord } from './webhook_records';

const WEBHOOKS = defineTable<WebhookRecord>()('webhooks', {
  tenant_id: 'text',
  id: 'text',
  url: 'text',
  events: 'json',
  secret: 'text',
  disabled_reason: 'text?',
  created_at: 'number',
  run_id: 'text?',
  label: 'text?',
  form: 'text?',
  headers: 'json?',
  run_ended_at: 'number?',
  made_by: 'text?',
});

const DELIVERIES = defineTable<DeliveryRecord>()('webhook_deliveries', {
  tenant_id: 'text',
  id: 'text',
  webhook_id: 'text',
  type: 'text',
  body: 'text',
  status: 'text',
  attempts: 'number',
  next_attempt_at: 'number?',
  last_status: 'number?',
  last_error: 'text?',
  created_at: 'number',
  delivered_at: 'number?',
  trace: 'json?',
});

const PLACE = WEBHOOKS.without(
  'tenant_id',
  'id',
  'events',
  'secret',
  'disabled_reason',
  'created_at',
  'run_id',
  'label',
  'run_ended_at',
  'made_by',
);

/** The columns of the result of a try. */
const RESULTS = DELIVERIES.without('tenant_id', 'id', 'webhook_id', 'type', 'body', 'attempts', 'created_at', 'trace');

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    webhooks: RowOf<typeof WEBHOOKS>;
    webhook_deliveries: RowOf<typeof DELIVERIES>;
  }
}

type Key = Pick<RowOf<typeof DELIVERIES>, 'tenant_id' | 'id'>;
type RunKey = Pick<RowOf<typeof WEBHOOKS>, 'tenant_id' | 'run_id'>;
type Disabling = Key & { reason: string };

const ORDER: ListOrder = { list: 'webhook_deliveries', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };
const isPending = sql<boolean>`status = 'pending'`;
const MOST_COUNTED = sql.lit(10_000);

export class WebhookTable extends sqlTable(statements) {
  all() {
    return this.records(this.statements.all({}), WEBHOOKS.toRecord);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), WEBHOOKS.toRecord);
  }

  async insert(webhook: WebhookRecord): Promise<void> {
    await this.statements.insert(this.runner, [webhook]);
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  moveTo(tenantId: string, id: string, place: WebhookPlace) {
    return this.hasChanged(this.statements.moveTo({ tenant_id: tenantId, id, ...PLACE.toRow(place) }));
  }

  async disable(tenantId: string, id: string, reason: string): Promise<void> {
    const key = { tenant_id: tenantId, id, reason };
    await this.runner.changes(this.statements.disable(key));
    await this.runner.changes(this.statements.failPending(key));
  }

  listDeliveries(tenantId: string, webhookId: string, page: PageRequest): Promise<Page<DeliveryRecord>> {
    const query = this.db
      .selectFrom('webhook_deliveries')
      .select(DELIVERIES.columns)
      .where('tenant_id', '=', tenantId)
      .where('webhook_id', '=', webhookId);
    return readPage(this.runner, query, { order: ORDER, long: ['body'], toRecord: DELIVERIES.toRecord }, page);
  }

  getDelivery(tenantId: string, id: string) {
    return this.record(this.statements.getDelivery({ tenant_id: tenantId, id }), DELIVERIES.toRecord);
  }

  ofRun(tenantId: string, runId: string) {
    return this.records(this.statements.ofRun({ tenant_id: tenantId, run_id: runId }), WEBHOOKS.toRecord);
  }

  hold(tenantId: string, runId: string | undefined) {
    return this.records(this.statements.hold({ tenant_id: tenantId, run_id: runId ?? null }), WEBHOOKS.toRecord);
  }

  endRun(tenantId: string, runId: string, now: number) {
    return this.execute(this.statements.endRun({ tenant_id: tenantId, run_id: runId, now }));
  }

  deleteOfEndedRuns({ endedBefore, createdBefore }: { endedBefore: number; createdBefore: number }, limit: number): Promise<number> {
    return this.runner.changes(this.statements.deleteOfEndedRuns({ ended: endedBefore, created: createdBefore, limit }));
  }

  async insertDeliveries(deliveries: readonly DeliveryRecord[]): Promise<void> {
    await this.statements.insertDeliveries(this.runner, deliveries);
  }

  async nextDeliveryAt(): Promise<number | undefined> {
    const [row] = await this.runner.rows(this.statements.nextAt({}));
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
  }

  countPending() {
    return this.readCount(this.statements.countPending({}));
  }

  async claimDeliveries(limit: number, { now, until }: { now: number; until: number }): Promise<DeliveryRecord[]> {
    const due = (await this.runner.rows(this.statements.due({ now, limit }))).map(DELIVERIES.toRecord);
    for (const { tenantId, id } of due) await this.runner.changes(this.statements.reserve({ tenant_id: tenantId, id, until }));
    return due.map(delivery => ({ ...delivery, attempts: delivery.attempts + 1, nextAttemptAt: until }));
  }

  updateDelivery(tenantId: string, id: string, attempt: number, patch: DeliveryPatch) {
    return this.execute(this.statements.update({ tenant_id: tenantId, id, attempts: attempt, ...RESULTS.toRow(patch) }));
  }

  replayDelivery(tenantId: string, id: string, now: number) {
    return this.hasChanged(this.statements.replay({ tenant_id: tenantId, id, now }));
  }

  deleteOldDeliveries(time: number, limit: number): Promise<number> {
    return this.runner.changes(this.statements.deleteOld({ time, limit }));
  }
}

function statements(db: Kysely<Schema>) {
  const oldestFirst = db.selectFrom('webhooks').select(WEBHOOKS.columns).orderBy('created_at').orderBy('id');
  return {
    all: template(() => oldestFirst.where('run_id', 'is', null)),
    ofRun: template((key: RunKey & { run_id: string }) =>
      oldestFirst.where('tenant_id', '=', key.tenant_id).where('run_id', '=', key.run_id),
    ),
    hold: template((key: RunKey) => {
      const held = oldestFirst
        .where('tenant_id', '=', key.tenant_id)
        .where(eb => eb.or([eb('run_id', 'is', null), eb('run_id', '=', key.run_id)]));
      return isPostgres(db) ? held.forKeyShare() : held;
    }),
    endRun: template((key: RunKey & { run_id: string; now: number }) =>
      db.updateTable('webhooks').set({ run_ended_at: key.now }).where('tenant_id', '=', key.tenant_id).where('run_id', '=', key.run_id),
    ),
    deleteOfEndedRuns: template(({ ended, created, limit }: { ended: number; created: number; limit: number }) =>
      db.deleteFrom('webhooks').where(({ eb, refTuple }) =>
        eb(
          refTuple('tenant_id', 'id'),
          'in',
          eb
            .selectFrom('webhooks')
            .select(['tenant_id', 'id'])
            .where('run_id', 'is not', null)
            .where(old => old.or([old('run_ended_at', '<', ended), old('created_at', '<', created)]))
            .limit(limit)
            .$asTuple('tenant_id', 'id'),
        ),
      ),
    ),
    moveTo: template((row: Key & RowOf<typeof PLACE>) =>
      db
        .updateTable('webhooks')
        .set({ ...pick(row, PLACE.columns), disabled_reason: null })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id),
    ),
    get: selectBy(db, WEBHOOKS, 'tenant_id', 'id'),
    insert: insertInto(db, WEBHOOKS),
    delete: deleteBy(db, WEBHOOKS, 'tenant_id', 'id'),
    disable: template((key: Disabling) =>
      db.updateTable('webhooks').set({ disabled_reason: key.reason }).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    ...deliveryStatements(db),
    ...allDeliveryStatements(db),
  };
}

function deliveryStatements(db: Kysely<Schema>) {
  const deliveries = db.selectFrom('webhook_deliveries').select(DELIVERIES.columns);
  const change = db.updateTable('webhook_deliveries');
  return {
    getDelivery: selectBy(db, DELIVERIES, 'tenant_id', 'id'),
    insertDeliveries: insertInto(db, DELIVERIES),
    nextAt: template(() => db.selectFrom('webhook_deliveries').select(sql<number | null>`min(next_attempt_at)`.as('at')).where(isPending)),
    due: template((due: { now: number; limit: number }) =>
      deliveries.where(isPending).where('next_attempt_at', '<=', due.now).orderBy('next_attempt_at').limit(due.limit),
    ),
    reserve: template((key: Key & { until: number }) =>
      change
        .set(eb => ({ next_attempt_at: key.until, attempts: eb('attempts', '+', sql.lit(1)) }))
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id),
    ),
    update: template((row: Key & RowOf<typeof RESULTS> & { attempts: number }) =>
      change
        .set(pick(row, RESULTS.columns))
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .where('attempts', '=', row.attempts)
        .where(isPending),
    ),
    failPending: template((key: Disabling) =>
      change
        .set({ status: sql.lit('failed'), next_attempt_at: null, last_error: key.reason })
        .where('tenant_id', '=', key.tenant_id)
        .where('webhook_id', '=', key.id)
        .where(isPending),
    ),
    replay: template((key: Key & { now: number }) =>
      change
        .set({ status: sql.lit('pending'), next_attempt_at: key.now })
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id)
        .where('status', '<>', sql.lit('pending')),
    ),
  };
}

function allDeliveryStatements(db: Kysely<Schema>) {
  return {
    countPending: template(() =>
      db
        .selectFrom(eb =>
          eb.selectFrom('webhook_deliveries').select(sql.lit(1).as('one')).where(isPending).limit(MOST_COUNTED).as('waiting'),
        )
        .select(eb => eb.fn.countAll<number>().as('count')),
    ),
    deleteOld: template(({ time, limit }: { time: number; limit: number }) =>
      db
        .deleteFrom('webhook_deliveries')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('tenant_id', 'id'),
            'in',
            eb
              .selectFrom('webhook_deliveries')
              .select(['tenant_id', 'id'])
              .where(sql<boolean>`status <> 'pending'`)
              .where('created_at', '<', time)
              .limit(limit)
              .$asTuple('tenant_id', 'id'),
          ),
        ),
    ),
  };
}
