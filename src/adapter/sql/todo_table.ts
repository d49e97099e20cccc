/** Queries about the plans of sessions. */
import type { Kysely } from 'kysely';
import type { TodoItem } from '../../port/run_event';
import type { TodoListRecord } from '../../port/store/todos';
import { fromJson } from './column_values';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema, TodoListRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'todos', 'updated_at'] as const;

export class TodoTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, sessionId: string): Promise<TodoListRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, session_id: sessionId }));
    return row && { tenantId, sessionId, todos: fromJson<TodoItem[]>(row.todos), updatedAt: row.updated_at };
  }

  async put(list: TodoListRecord): Promise<void> {
    const { tenantId, sessionId, todos, updatedAt } = list;
    const row = { tenant_id: tenantId, session_id: sessionId, todos: JSON.stringify(todos), updated_at: updatedAt };
    await this.statements.put(this.runner, [row]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Pick<TodoListRow, 'tenant_id' | 'session_id'>) =>
      db.selectFrom('todos').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('session_id', '=', key.session_id),
    ),
    put: insertRows<TodoListRow>(COLUMNS, rows =>
      db
        .insertInto('todos')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'session_id']).doUpdateSet(eb => ({
            todos: eb.ref('excluded.todos'),
            updated_at: eb.ref('excluded.updated_at'),
          })),
        ),
    ),
  };
}
