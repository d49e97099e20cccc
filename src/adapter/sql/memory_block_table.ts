/** Queries about the memory blocks of sessions. */
import { type Kysely, sql } from 'kysely';
import type { MemoryRecord } from '../../port/store/memories';
import { inThisOrder, jsonItems } from './dialect';
import { insertRows } from './insert_rows';
import type { MemoryRow, SessionMemoryBlockRow } from './memory_row';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'memory_ids', 'created_at'] as const;

interface NewMemoryBlock {
  tenantId: string;
  sessionId: string;
  memoryIds: readonly string[];
  createdAt: number;
}

export class MemoryBlockTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async ofSession(tenantId: string, sessionId: string): Promise<Pick<MemoryRecord, 'id' | 'text'>[]> {
    return this.runner.rows(this.statements.ofSession({ tenant_id: tenantId, session_id: sessionId }));
  }

  async insert({ tenantId, sessionId, memoryIds, createdAt }: NewMemoryBlock): Promise<void> {
    const row = { tenant_id: tenantId, session_id: sessionId, memory_ids: JSON.stringify(memoryIds), created_at: createdAt };
    await this.statements.insert(this.runner, [row]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    insert: insertRows<SessionMemoryBlockRow>(COLUMNS, rows =>
      db
        .insertInto('session_memory_blocks')
        .values(rows)
        .onConflict(conflict => conflict.columns(['tenant_id', 'session_id']).doNothing()),
    ),
    // `cross join` keeps this order; otherwise SQLite walks all memories for each id.
    ofSession: template((key: Pick<SessionMemoryBlockRow, 'tenant_id' | 'session_id'>) => ({
      compile: () =>
        sql<Pick<MemoryRow, 'id' | 'text'>>`select memories.id, memories.text
          from session_memory_blocks as block
          cross join ${jsonItems(db, sql.ref('block.memory_ids'))}
          ${inThisOrder(db)}join memories on memories.tenant_id = block.tenant_id and memories.id = place.value
          where block.tenant_id = ${key.tenant_id} and block.session_id = ${key.session_id} order by place.key`.compile(db),
    })),
  };
}
