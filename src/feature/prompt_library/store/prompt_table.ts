/** Queries about the prompt library. */
import { type Kysely, sql } from 'kysely';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import { holdsWords } from '../../../adapter/sql/base/word_filter';
import type { Page, PageRequest } from '../../../port/store/page';
import type { PromptFilter, PromptRecord } from './prompt_records';

const PROMPTS = defineTable<PromptRecord>()('prompts', {
  tenant_id: 'text',
  id: 'text',
  name: 'text',
  text: 'text',
  variables: 'json',
  key_name: 'text?',
  created_at: 'number',
  updated_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    prompts: RowOf<typeof PROMPTS>;
  }
}

const ORDER: ListOrder = { list: 'prompts', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };

export class PromptTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), PROMPTS.toRecord);
  }

  findByName(tenantId: string, name: string) {
    return this.record(this.statements.findByName({ tenant_id: tenantId, name }), PROMPTS.toRecord);
  }

  list(tenantId: string, { words, prefix }: PromptFilter, page: PageRequest): Promise<Page<PromptRecord>> {
    let rows = this.db.selectFrom('prompts').select(PROMPTS.columns).where('tenant_id', '=', tenantId);
    // A name has no character with a meaning in patterns.
    if (prefix !== undefined) rows = rows.where('name', 'like', `${prefix}%`);
    if (words !== undefined) rows = rows.where(holdsWords(this.db, ['name', 'text'], words));
    return readPage(this.runner, rows, { order: ORDER, long: ['text', 'variables'], toRecord: PROMPTS.toRecord }, page);
  }

  count(tenantId: string) {
    return this.readCount(this.statements.count({ tenant_id: tenantId }));
  }

  async put(prompt: PromptRecord): Promise<void> {
    await this.statements.put(this.runner, [prompt]);
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, PROMPTS, 'tenant_id', 'id'),
    findByName: selectBy(db, PROMPTS, 'tenant_id', 'name'),
    count: template((key: { tenant_id: string }) =>
      db.selectFrom('prompts').select(sql<number>`count(*)`.as('count')).where('tenant_id', '=', key.tenant_id),
    ),
    put: upsertInto(db, PROMPTS, ['tenant_id', 'id']),
    delete: deleteBy(db, PROMPTS, 'tenant_id', 'id'),
  };
}
