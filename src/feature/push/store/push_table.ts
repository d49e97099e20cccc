/** Queries about devices with web push, their notifications and one-time actions. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { isPostgres } from '../../../adapter/sql/base/dialect';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { PushKeys } from '../../../port/push_sender';
import type { PushActionRecord, PushDeliveryRecord, PushSubscriptionChange, PushSubscriptionRecord } from './push_records';

const KEYS = defineTable<PushKeys & { id: number; createdAt: number }>()('push_keys', {
  id: 'number',
  public_key: 'text',
  private_key: 'text',
  created_at: 'number',
});

const SUBSCRIPTIONS = defineTable<PushSubscriptionRecord>()('push_subscriptions', {
  tenant_id: 'text',
  id: 'text',
  endpoint: 'text',
  public_key: 'text',
  auth_secret: 'text',
  locale: 'text',
  key_name: 'text',
  key_hash: 'text?',
  created_at: 'number',
  name: 'text?',
  preview: 'flag',
  last_used_at: 'number?',
});

const DELIVERIES = defineTable<PushDeliveryRecord>()('push_deliveries', {
  tenant_id: 'text',
  id: 'text',
  subscription_id: 'text',
  kind: 'text',
  session_id: 'text',
  run_id: 'text',
  request_id: 'text?',
  outcome: 'text?',
  attempts: 'number',
  next_attempt_at: 'number',
  expires_at: 'number',
});

const ACTIONS = defineTable<PushActionRecord>()('push_actions', {
  token_hash: 'text',
  tenant_id: 'text',
  subscription_id: 'text',
  request_id: 'text',
  arguments_hash: 'text',
  key_name: 'text',
  key_hash: 'text?',
  expires_at: 'number',
  used_at: 'number?',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    push_keys: RowOf<typeof KEYS>;
    push_subscriptions: RowOf<typeof SUBSCRIPTIONS>;
    push_deliveries: RowOf<typeof DELIVERIES>;
    push_actions: RowOf<typeof ACTIONS>;
  }
}

type Key = Pick<RowOf<typeof DELIVERIES>, 'tenant_id' | 'id'>;
type OfTenant = Pick<Key, 'tenant_id'>;
type SubscriptionRow = RowOf<typeof SUBSCRIPTIONS>;
type ChangedRow = Pick<SubscriptionRow, keyof Key | (typeof CHANGED)[number]>;

const CHANGED = ['public_key', 'auth_secret', 'locale', 'key_name', 'name', 'preview'] as const;

/** A store has one key pair. */
const ONLY_ID = 1;

export class PushTable extends sqlTable(statements) {
  keys() {
    return this.record(this.statements.keys({ id: ONLY_ID }), row => ({ publicKey: row.public_key, privateKey: row.private_key }));
  }

  async tenants(): Promise<string[]> {
    return (await this.runner.rows(this.statements.tenants({}))).map(({ tenant_id }) => tenant_id);
  }

  list(tenantId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId }), SUBSCRIPTIONS.toRecord);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), SUBSCRIPTIONS.toRecord);
  }

  async nextDeliveryAt(): Promise<number | undefined> {
    const [row] = await this.runner.rows(this.statements.nextAt({}));
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
  }

  findAction(tokenHash: string) {
    return this.record(this.statements.findAction({ token_hash: tokenHash }), ACTIONS.toRecord);
  }

  insertKeys(keys: PushKeys, createdAt: number) {
    return this.execute(this.statements.insertKeys(KEYS.toRow({ ...keys, id: ONLY_ID, createdAt })));
  }

  async insert(subscription: PushSubscriptionRecord): Promise<void> {
    await this.statements.insert(this.runner, [subscription]);
  }

  findEndpoint(endpoint: string) {
    return this.record(this.statements.findEndpoint({ endpoint }), SUBSCRIPTIONS.toRecord);
  }

  update(tenantId: string, id: string, { publicKey, authSecret, locale, keyName, name, preview }: PushSubscriptionChange) {
    const texts = { public_key: publicKey, auth_secret: authSecret, locale, key_name: keyName, name: name ?? null };
    return this.execute(this.statements.update({ tenant_id: tenantId, id, ...texts, preview: preview ? 1 : 0 }));
  }

  setLastUse(tenantId: string, id: string, lastUsedAt: number) {
    return this.execute(this.statements.setLastUse({ tenant_id: tenantId, id, last_used_at: lastUsedAt }));
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  deleteEndpoint(endpoint: string) {
    return this.execute(this.statements.deleteEndpoint({ endpoint }));
  }

  hold(tenantId: string) {
    return this.records(this.statements.hold({ tenant_id: tenantId }), SUBSCRIPTIONS.toRecord);
  }

  async insertDeliveries(deliveries: readonly PushDeliveryRecord[]): Promise<void> {
    await this.statements.insertDeliveries(this.runner, deliveries);
  }

  async claimDeliveries(limit: number, { now, until }: { now: number; until: number }): Promise<PushDeliveryRecord[]> {
    const due = (await this.runner.rows(this.statements.due({ now, limit }))).map(DELIVERIES.toRecord);
    for (const { tenantId, id } of due) await this.runner.changes(this.statements.reserve({ tenant_id: tenantId, id, until }));
    return due.map(delivery => ({ ...delivery, attempts: delivery.attempts + 1, nextAttemptAt: until }));
  }

  retryDelivery(tenantId: string, id: string, attempt: number, at: number) {
    return this.execute(this.statements.retry({ tenant_id: tenantId, id, attempt, at }));
  }

  deleteDelivery(tenantId: string, id: string) {
    return this.execute(this.statements.deleteDelivery({ tenant_id: tenantId, id }));
  }

  async insertAction(action: PushActionRecord): Promise<void> {
    await this.statements.insertAction(this.runner, [action]);
  }

  useAction(tokenHash: string, now: number) {
    return this.hasChanged(this.statements.useAction({ token_hash: tokenHash, now }));
  }

  deleteOldActions(time: number, limit: number) {
    return this.runner.changes(this.statements.deleteOldActions({ time, limit }));
  }
}

function statements(db: Kysely<Schema>) {
  return { ...subscriptionStatements(db), ...deliveryStatements(db), ...actionStatements(db) };
}

function subscriptionStatements(db: Kysely<Schema>) {
  const change = ({ tenant_id, id }: Key) => db.updateTable('push_subscriptions').where('tenant_id', '=', tenant_id).where('id', '=', id);
  const ofTenant = (tenantId: string) =>
    db.selectFrom('push_subscriptions').select(SUBSCRIPTIONS.columns).where('tenant_id', '=', tenantId).orderBy('created_at').orderBy('id');
  return {
    keys: selectBy(db, KEYS, 'id'),
    insertKeys: template((row: RowOf<typeof KEYS>) =>
      db
        .insertInto('push_keys')
        .values(pick(row, KEYS.columns))
        .onConflict(taken => taken.doNothing()),
    ),
    tenants: template(() => db.selectFrom('push_subscriptions').select('tenant_id').distinct()),
    list: template((key: OfTenant) => ofTenant(key.tenant_id)),
    hold: template((key: OfTenant) => (isPostgres(db) ? ofTenant(key.tenant_id).forKeyShare() : ofTenant(key.tenant_id))),
    get: selectBy(db, SUBSCRIPTIONS, 'tenant_id', 'id'),
    findEndpoint: selectBy(db, SUBSCRIPTIONS, 'endpoint'),
    insert: insertInto(db, SUBSCRIPTIONS),
    update: template((row: ChangedRow) => change(row).set(pick(row, CHANGED))),
    setLastUse: template((row: Pick<SubscriptionRow, 'last_used_at' | keyof Key>) => change(row).set({ last_used_at: row.last_used_at })),
    delete: deleteBy(db, SUBSCRIPTIONS, 'tenant_id', 'id'),
    deleteEndpoint: deleteBy(db, SUBSCRIPTIONS, 'endpoint'),
  };
}

function deliveryStatements(db: Kysely<Schema>) {
  const change = db.updateTable('push_deliveries');
  return {
    insertDeliveries: insertInto(db, DELIVERIES),
    nextAt: template(() => db.selectFrom('push_deliveries').select(sql<number | null>`min(next_attempt_at)`.as('at'))),
    due: template((due: { now: number; limit: number }) =>
      db
        .selectFrom('push_deliveries')
        .select(DELIVERIES.columns)
        .where('next_attempt_at', '<=', due.now)
        .orderBy('next_attempt_at')
        .limit(due.limit),
    ),
    reserve: template((key: Key & { until: number }) =>
      change
        .set(eb => ({ next_attempt_at: key.until, attempts: eb('attempts', '+', sql.lit(1)) }))
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id),
    ),
    retry: template((key: Key & { attempt: number; at: number }) =>
      change
        .set({ next_attempt_at: key.at })
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id)
        .where('attempts', '=', key.attempt),
    ),
    deleteDelivery: deleteBy(db, DELIVERIES, 'tenant_id', 'id'),
  };
}

function actionStatements(db: Kysely<Schema>) {
  return {
    findAction: selectBy(db, ACTIONS, 'token_hash'),
    insertAction: insertInto(db, ACTIONS),
    useAction: template(({ token_hash, now }: { token_hash: string; now: number }) =>
      db
        .updateTable('push_actions')
        .set({ used_at: now })
        .where('token_hash', '=', token_hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now),
    ),
    deleteOldActions: template(({ time, limit }: { time: number; limit: number }) =>
      db
        .deleteFrom('push_actions')
        .where('token_hash', 'in', eb =>
          eb.selectFrom('push_actions').select('token_hash').where('expires_at', '<', time).orderBy('expires_at').limit(limit),
        ),
    ),
  };
}
