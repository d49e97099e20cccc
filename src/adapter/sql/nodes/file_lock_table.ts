/** Queries about locks of workspace files. */
import { type Kysely, sql } from 'kysely';
import type { FileLock } from '../../../port/store/file_locks';
import { defineTable, type RowOf } from '../base/define_table';
import { storeTime } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy } from '../base/table_statements';

const FILE_LOCKS = defineTable<FileLock>()('file_locks', { tenant_id: 'text', path: 'text', owner: 'text' });

declare module '../base/schema' {
  interface Schema {
    file_locks: RowOf<typeof FILE_LOCKS>;
  }
}

export class FileLockTable extends sqlTable(statements) {
  acquire(lock: FileLock, now: number) {
    return this.hasChanged(this.statements.acquire({ ...FILE_LOCKS.toRow(lock), now }));
  }

  release(lock: FileLock) {
    return this.execute(this.statements.release(FILE_LOCKS.toRow(lock)));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    acquire: template(({ tenant_id, path, owner, now }: RowOf<typeof FILE_LOCKS> & { now: number }) =>
      db
        .insertInto('file_locks')
        .values({ tenant_id, path, owner })
        .onConflict(conflict =>
          conflict
            .columns(['tenant_id', 'path'])
            .doUpdateSet(eb => ({ owner: eb.ref('excluded.owner') }))
            .where(eb =>
              eb.or([
                eb('file_locks.owner', '=', eb.ref('excluded.owner')),
                eb.not(
                  eb.exists(
                    eb
                      .selectFrom('node_leases')
                      .select('node_leases.owner')
                      .whereRef('node_leases.owner', '=', 'file_locks.owner')
                      .where('node_leases.lease_until', '>', sql<number>`${storeTime(db, now)}`),
                  ),
                ),
              ]),
            ),
        ),
    ),
    release: deleteBy(db, FILE_LOCKS, 'tenant_id', 'path', 'owner'),
  };
}
