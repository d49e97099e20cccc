/** Queries about the plans of sessions. */
import type { Kysely } from 'kysely';
import type { TodoListRecord } from '../../../port/store/todos';
import { defineTable, type RowOf } from '../base/define_table';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

const TODOS = defineTable<TodoListRecord>()('todos', {
  tenant_id: 'text',
  session_id: 'text',
  todos: 'json',
  updated_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    todos: RowOf<typeof TODOS>;
  }
}

export class TodoTable extends sqlTable(statements) {
  get(tenantId: string, sessionId: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId }), TODOS.toRecord);
  }

  async put(list: TodoListRecord): Promise<void> {
    await this.statements.put(this.runner, [list]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, TODOS, 'tenant_id', 'session_id'),
    put: upsertInto(db, TODOS, ['tenant_id', 'session_id']),
  };
}
