/** Queries about logins at MCP servers. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { storeTime } from '../../../adapter/sql/base/dialect';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { McpLoginRecord, McpLoginStepRecord } from './mcp_login_records';

const LOGINS = defineTable<McpLoginRecord>()('mcp_logins', { id: 'text', sealed: 'text', held_by: 'text?', held_until: 'number' });
const STEPS = defineTable<McpLoginStepRecord>()('mcp_login_steps', { state_hash: 'text', sealed: 'text', expires_at: 'number' });

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    mcp_logins: RowOf<typeof LOGINS>;
    mcp_login_steps: RowOf<typeof STEPS>;
  }
}

export class McpLoginTable extends sqlTable(statements) {
  get(id: string) {
    return this.record(this.statements.get({ id }), LOGINS.toRecord);
  }

  getStep(stateHash: string) {
    return this.record(this.statements.getStep({ state_hash: stateHash }), STEPS.toRecord);
  }

  async put(id: string, sealed: string): Promise<void> {
    await this.statements.put(this.runner, [{ id, sealed, heldUntil: 0 }]);
  }

  delete(id: string) {
    return this.hasChanged(this.statements.delete({ id }));
  }

  async insertIfAbsent(id: string, sealed: string): Promise<void> {
    await this.execute(this.statements.insertIfAbsent({ id, sealed }));
  }

  hold(id: string, by: string, { now, lengthMs }: { now: number; lengthMs: number }) {
    return this.hasChanged(this.statements.hold({ id, by, now, length_ms: lengthMs }));
  }

  endHold(id: string, by: string, sealed?: string) {
    return this.hasChanged(sealed === undefined ? this.statements.release({ id, by }) : this.statements.replace({ id, by, sealed }));
  }

  async insertStep(step: McpLoginStepRecord): Promise<void> {
    await this.statements.insertStep(this.runner, [step]);
  }

  deleteStep(stateHash: string) {
    return this.hasChanged(this.statements.deleteStep({ state_hash: stateHash }));
  }

  deleteOldSteps(time: number) {
    return this.execute(this.statements.deleteOldSteps({ time }));
  }
}

const NOT_HELD = { held_by: null, held_until: 0 };

function statements(db: Kysely<Schema>) {
  const heldBy = ({ id, by }: { id: string; by: string }) => db.updateTable('mcp_logins').where('id', '=', id).where('held_by', '=', by);
  return {
    get: selectBy(db, LOGINS, 'id'),
    put: upsertInto(db, LOGINS, ['id']),
    delete: deleteBy(db, LOGINS, 'id'),
    insertIfAbsent: template(({ id, sealed }: { id: string; sealed: string }) =>
      db
        .insertInto('mcp_logins')
        .values({ id, sealed, ...NOT_HELD })
        .onConflict(conflict => conflict.column('id').doNothing()),
    ),
    hold: template((held: { id: string; by: string; now: number; length_ms: number }) =>
      db
        .updateTable('mcp_logins')
        .set({ held_by: held.by, held_until: sql<number>`${storeTime(db, held.now)} + ${held.length_ms}` })
        .where('id', '=', held.id)
        .where(sql<SqlBool>`held_until <= ${storeTime(db, held.now)}`),
    ),
    release: template((held: { id: string; by: string }) => heldBy(held).set(NOT_HELD)),
    replace: template((held: { id: string; by: string; sealed: string }) => heldBy(held).set({ sealed: held.sealed, ...NOT_HELD })),
    getStep: selectBy(db, STEPS, 'state_hash'),
    insertStep: insertInto(db, STEPS),
    deleteStep: deleteBy(db, STEPS, 'state_hash'),
    deleteOldSteps: template(({ time }: { time: number }) => db.deleteFrom('mcp_login_steps').where('expires_at', '<', time)),
  };
}
