/** Queries about the memory blocks of sessions. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { inThisOrder, jsonItems } from '../../../adapter/sql/base/dialect';
import { insertRows, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
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
  async ofSession(tenantId: string, sessionId: string): Promise<Pick<MemoryRecord, 'id' | 'text'>[]> {
    return this.runner.rows(this.statements.ofSession({ tenant_id: tenantId, session_id: sessionId }));
  }

  async insert(block: MemoryBlock): Promise<void> {
    await this.statements.insert(this.runner, [BLOCKS.toRow(block)]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    insert: insertRows<RowOf<typeof BLOCKS>>(BLOCKS.columns, rows =>
      db
        .insertInto('session_memory_blocks')
        .values(rows)
        .onConflict(conflict => conflict.columns(['tenant_id', 'session_id']).doNothing()),
    ),
    // `cross join` keeps this order; otherwise SQLite walks all memories for each id.
    ofSession: template((key: { tenant_id: string; session_id: string }) => ({
      compile: () =>
        sql<{ id: string; text: string }>`select memories.id, memories.text
          from session_memory_blocks as block
          cross join ${jsonItems(db, sql.ref('block.memory_ids'))}
          ${inThisOrder(db)}join memories on memories.tenant_id = block.tenant_id and memories.id = place.value
          where block.tenant_id = ${key.tenant_id} and block.session_id = ${key.session_id} order by place.key`.compile(db),
    })),
  };
}
