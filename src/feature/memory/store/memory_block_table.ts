/** Queries about the memory blocks of sessions. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOwnedRowSeen, toViewerValues, type ViewerValues } from '../../../adapter/sql/access/owned_rows';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { inThisOrder, jsonItems } from '../../../adapter/sql/base/dialect';
import { insertRows, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import type { Viewer } from '../../../port/store/session_access';
import type { MemoryBlock, MemoryRecord } from './memory_records';

/** The memories in the prompt of a session. */
const BLOCKS = defineTable<MemoryBlock>()('session_memory_blocks', {
  tenant_id: 'text',
  session_id: 'text',
  memory_ids: 'json',
  created_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    session_memory_blocks: RowOf<typeof BLOCKS>;
  }
}

export class MemoryBlockTable extends sqlTable(statements) {
  async ofSession(tenantId: string, sessionId: string, viewer?: Viewer): Promise<BlockRow[]> {
    const key = { tenant_id: tenantId, session_id: sessionId };
    const { all, seen } = this.statements;
    return this.runner.rows(viewer ? seen({ ...key, ...toViewerValues(viewer) }) : all(key));
  }

  async insert(block: MemoryBlock): Promise<void> {
    await this.statements.insert(this.runner, [BLOCKS.toRow(block)]);
  }
}

type BlockKey = { tenant_id: string; session_id: string };
type BlockRow = Pick<MemoryRecord, 'id' | 'text'>;

function statements(db: Kysely<Schema>) {
  // `cross join` keeps this order; otherwise SQLite walks all memories for each id.
  const ofSession = (key: BlockKey, condition: RawBuilder<SqlBool>) => ({
    compile: () =>
      sql<BlockRow>`select memories.id, memories.text
        from session_memory_blocks as block
        cross join ${jsonItems(db, sql.ref('block.memory_ids'))}
        ${inThisOrder(db)}join memories on memories.tenant_id = block.tenant_id and memories.id = place.value
        where block.tenant_id = ${key.tenant_id} and block.session_id = ${key.session_id} and ${condition} order by place.key`.compile(db),
  });
  return {
    insert: insertRows<RowOf<typeof BLOCKS>>(BLOCKS.columns, rows =>
      db
        .insertInto('session_memory_blocks')
        .values(rows)
        .onConflict(conflict => conflict.columns(['tenant_id', 'session_id']).doNothing()),
    ),
    all: template((key: BlockKey) => ofSession(key, sql`1 = 1`)),
    seen: template((key: BlockKey & ViewerValues) => ofSession(key, isOwnedRowSeen(db, 'memories', key))),
  };
}
