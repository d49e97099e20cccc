/** Queries about inbound webhooks. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { HookCallRecord, HookRecord } from './hook_records';

const HOOKS = defineTable<HookRecord>()('hooks', {
  tenant_id: 'text',
  id: 'text',
  name: 'text',
  agent: 'text',
  template: 'text',
  locale: 'text',
  session: 'text',
  session_id: 'text?',
  secret: 'text',
  enabled: 'flag',
  key_name: 'text',
  created_at: 'number',
  updated_at: 'number',
});

const CALLS = defineTable<HookCallRecord>()('hook_calls', {
  tenant_id: 'text',
  id: 'text',
  hook_id: 'text',
  address: 'text',
  outcome: 'text',
  code: 'text?',
  run_id: 'text?',
  message_id: 'text?',
  created_at: 'number',
});

/** The columns of the fields that a caller may change. */
const CHANGED = HOOKS.without('tenant_id', 'id', 'session_id', 'secret', 'created_at').columns;

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    hooks: RowOf<typeof HOOKS>;
    hook_calls: RowOf<typeof CALLS>;
  }
}

type Key = Pick<RowOf<typeof HOOKS>, 'tenant_id' | 'id'>;
type HookKey = Pick<RowOf<typeof CALLS>, 'tenant_id' | 'hook_id'>;

export class HookTable extends sqlTable(statements) {
  find(id: string) {
    return this.record(this.statements.find({ id }), HOOKS.toRecord);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), HOOKS.toRecord);
  }

  list(tenantId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId }), HOOKS.toRecord);
  }

  async insert(hook: HookRecord): Promise<void> {
    await this.statements.insert(this.runner, [hook]);
  }

  update(hook: HookRecord) {
    return this.hasChanged(this.statements.update(HOOKS.toRow(hook)));
  }

  async keepSession(tenantId: string, id: string, { from, to }: { from: string | undefined; to: string }): Promise<boolean> {
    const key = { tenant_id: tenantId, id, to };
    return this.hasChanged(from === undefined ? this.statements.keepFirstSession(key) : this.statements.keepNextSession({ ...key, from }));
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  listCalls(tenantId: string, hookId: string) {
    return this.records(this.statements.listCalls({ tenant_id: tenantId, hook_id: hookId }), CALLS.toRecord);
  }

  async insertCall(call: HookCallRecord): Promise<void> {
    await this.statements.insertCall(this.runner, [call]);
  }

  deleteOldCalls(tenantId: string, hookId: string, kept: number): Promise<void> {
    return this.execute(this.statements.deleteOldCalls({ tenant_id: tenantId, hook_id: hookId, kept }));
  }
}

function statements(db: Kysely<Schema>) {
  const newestCalls = (key: HookKey) =>
    db
      .selectFrom('hook_calls')
      .where('tenant_id', '=', key.tenant_id)
      .where('hook_id', '=', key.hook_id)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
  const change = (key: Key) => db.updateTable('hooks').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id);
  return {
    find: selectBy(db, HOOKS, 'id'),
    get: selectBy(db, HOOKS, 'tenant_id', 'id'),
    list: template((key: Pick<Key, 'tenant_id'>) =>
      db.selectFrom('hooks').select(HOOKS.columns).where('tenant_id', '=', key.tenant_id).orderBy('created_at').orderBy('id'),
    ),
    insert: insertInto(db, HOOKS),
    update: template((row: RowOf<typeof HOOKS>) =>
      change(row).set(eb => ({
        ...pick(row, CHANGED),
        session_id: eb.case().when('key_name', '=', row.key_name).then(eb.ref('session_id')).end(),
      })),
    ),
    keepFirstSession: template((key: Key & { to: string }) => change(key).where('session_id', 'is', null).set({ session_id: key.to })),
    keepNextSession: template((key: Key & { from: string; to: string }) =>
      change(key).where('session_id', '=', key.from).set({ session_id: key.to }),
    ),
    delete: deleteBy(db, HOOKS, 'tenant_id', 'id'),
    insertCall: insertInto(db, CALLS),
    listCalls: template((key: HookKey) => newestCalls(key).select(CALLS.columns)),
    deleteOldCalls: template((key: HookKey & { kept: number }) =>
      db
        .deleteFrom('hook_calls')
        .where('tenant_id', '=', key.tenant_id)
        .where('hook_id', '=', key.hook_id)
        .where('id', 'not in', newestCalls(key).select('id').limit(key.kept)),
    ),
  };
}
