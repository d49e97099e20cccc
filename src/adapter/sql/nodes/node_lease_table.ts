/** Queries about the leases of nodes. */
import { type Kysely, sql } from 'kysely';
import type { NodeLease } from '../../../port/store/node_leases';
import { defineTable, type RowOf } from '../base/define_table';
import { storeTime } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy } from '../base/table_statements';

const NODE_LEASES = defineTable<NodeLease>()('node_leases', { owner: 'text', lease_until: 'number' });

declare module '../base/schema' {
  interface Schema {
    node_leases: RowOf<typeof NODE_LEASES>;
  }
}

export class NodeLeaseTable extends sqlTable(statements) {
  list() {
    return this.records(this.statements.list({}), NODE_LEASES.toRecord);
  }

  renew(owner: string, { now, lengthMs }: { now: number; lengthMs: number }) {
    return this.execute(this.statements.renew({ owner, now, length_ms: lengthMs }));
  }

  async holdExpired(owner: string, now: number): Promise<boolean> {
    const [lease] = await this.runner.rows(this.statements.hold({ owner, now }));
    return lease?.is_live !== 1;
  }

  end(owner: string) {
    return this.execute(this.statements.end({ owner }));
  }

  deleteExpired({ now, agoMs }: { now: number; agoMs: number }) {
    return this.execute(this.statements.deleteExpired({ now, ago_ms: agoMs }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template(() => db.selectFrom('node_leases').select(NODE_LEASES.columns).orderBy('owner')),
    renew: template((lease: { owner: string; now: number; length_ms: number }) =>
      db
        .insertInto('node_leases')
        .values({ owner: lease.owner, lease_until: sql<number>`${storeTime(db, lease.now)} + ${lease.length_ms}` })
        .onConflict(conflict => conflict.column('owner').doUpdateSet(eb => ({ lease_until: eb.ref('excluded.lease_until') }))),
    ),
    // Changes no value. It locks the row, and inserts it when there is none, so that a renewal waits.
    hold: template((lease: { owner: string; now: number }) =>
      db
        .insertInto('node_leases')
        .values({ owner: lease.owner, lease_until: sql.lit(0) })
        .onConflict(conflict => conflict.column('owner').doUpdateSet(eb => ({ lease_until: eb.ref('node_leases.lease_until') })))
        .returning(sql<0 | 1>`case when lease_until > ${storeTime(db, lease.now)} then 1 else 0 end`.as('is_live')),
    ),
    end: deleteBy(db, NODE_LEASES, 'owner'),
    deleteExpired: template((time: { now: number; ago_ms: number }) =>
      db.deleteFrom('node_leases').where('lease_until', '<', sql<number>`${storeTime(db, time.now)} - ${time.ago_ms}`),
    ),
  };
}
