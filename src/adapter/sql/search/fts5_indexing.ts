/** Puts the messages of the search queue into the search index. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { type QueuedMessage, type QueueLimits, queuedKeys, SearchQueue } from './search_queue';
import { FIRST_ROW, rowsOfTenant } from './search_terms';
import { SearchUpgrade } from './search_upgrade';
import { roleToken, sessionToken, toIndexedText } from './tenant_tokens';

/**
 * The most messages that one call indexes, because indexing blocks the event loop. Most messages between them are results of tools, which are not
 * indexed.
 */
const MAX_INDEXED = 20;
const LIMITS: QueueLimits = { messages: 200, bytes: 16 * 1024 };

/** UTF-16 units of a message that are indexed. */
export const INDEXED_UNITS = 32_000;

/** Pages of the index that one call merges at most, so that a search reads few segments. */
const MERGED_PAGES = 32;

declare module '../base/schema' {
  interface Schema {
    search_documents: SearchDocumentRow;
    /** `number`: of the tenant's rows in the search index, never used again. `documents`: how many messages of the tenant were indexed. */
    search_tenants: { tenant_id: string; number: number; documents: number };
  }
}

/** A message in the search index. `id`: the row of its tokens in `search_index`; those of one tenant stand in one range (search_terms.ts). */
export interface SearchDocumentRow {
  id: number;
  tenant_id: string;
  session_id: string;
  message_id: string;
  created_at: number;
  /** The message belongs to the session of a child run or of a door; searches leave it out unless they ask for its session. */
  is_child: 0 | 1;
  /** Number of tokens. */
  length: number;
  /** See word_counts.ts. */
  counts: Uint8Array | null;
}

type NextRow = Pick<Schema['messages'], 'tenant_id' | 'id' | 'session_id' | 'created_at'> & { role: 'user' | 'assistant'; content: string };
type Document = Omit<SearchDocumentRow, 'is_child'>;

export class SearchIndexing extends sqlTable(statements) {
  private readonly upgrade = new SearchUpgrade(this.db);
  private readonly queue = new SearchQueue(this.db);

  async hasMore(): Promise<boolean> {
    return (await this.upgrade.isPending(this.runner)) || !(await this.queue.on(this.runner).isEmpty());
  }

  async indexNext(): Promise<boolean> {
    return (await this.upgrade.next(this.runner)) || this.indexPart();
  }

  async hasUnindexed(tenantId: string): Promise<boolean> {
    return !(await this.queue.on(this.runner).isEmpty(tenantId));
  }

  indexNextOf(tenantId: string): Promise<boolean> {
    return this.indexPart(tenantId);
  }

  private indexPart(tenantId?: string): Promise<boolean> {
    return this.queue.on(this.runner).indexPart(LIMITS, tenantId, queued => this.indexMessages(queued));
  }

  /** Resolves with the messages up to the last one that was indexed. */
  private async indexMessages(queued: readonly QueuedMessage[]): Promise<readonly QueuedMessage[]> {
    const rows = await this.runner.rows(this.statements.messages({ queued: JSON.stringify(queued) }));
    for (const row of rows) await this.indexMessage(row);
    await this.runner.changes(this.statements.merge({}));
    const last = rows.length === MAX_INDEXED ? rows.at(-1) : undefined;
    const end = queued.findIndex(({ tenant_id, message_id }) => tenant_id === last?.tenant_id && message_id === last.id);
    return end === -1 ? queued : queued.slice(0, end + 1);
  }

  private async indexMessage({ role, content, ...message }: NextRow): Promise<void> {
    const { tenant_id, session_id } = message;
    const { tokens, length, counts } = toIndexedText(tenant_id, content);
    if (length === 0) return;
    const [tenant] = await this.runner.rows(this.statements.countDocuments({ tenant_id, added: 1 }));
    if (!tenant) return;
    const { first, count } = rowsOfTenant(tenant);
    const id = first + count;
    const { id: message_id, created_at } = message;
    await this.runner.changes(this.statements.insertDocument({ id, tenant_id, session_id, message_id, created_at, length, counts }));
    const scope = `${sessionToken(tenant_id, session_id)} ${roleToken(tenant_id, role)}`;
    await this.runner.changes(this.statements.insertTokens({ id, scope, tokens }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    messages: template(({ queued }: { queued: string }) =>
      unindexed(db)
        .where(sql<SqlBool>`(tenant_id, id) in ${queuedKeys(db, queued)}`)
        .orderBy('tenant_id')
        .orderBy('id')
        .limit(sql.lit(MAX_INDEXED)),
    ),
    ...insertStatements(db),
  };
}

/** Counts more documents of a tenant; a new tenant gets a number. */
export function countDocuments(db: Kysely<Schema>) {
  return template(({ tenant_id, added }: { tenant_id: string; added: number }) => ({
    compile: () =>
      sql<Schema['search_tenants']>`
          insert into search_tenants (tenant_id, number, documents)
          select cast(${tenant_id} as text), (select coalesce(max(number), 0) + 1 from search_tenants), cast(${added} as bigint) where true
          on conflict (tenant_id) do update set documents = search_tenants.documents + excluded.documents
          returning tenant_id, number, documents`.compile(db),
  }));
}

function insertStatements(db: Kysely<Schema>) {
  return {
    countDocuments: countDocuments(db),
    // A document of the index before migration 027 gets its new row.
    insertDocument: template((document: Document) => ({
      compile: () =>
        sql`
          insert into search_documents (id, tenant_id, session_id, message_id, created_at, length, counts, is_child)
          select ${document.id}, ${document.tenant_id}, ${document.session_id}, ${document.message_id}, ${document.created_at},
            ${document.length}, ${document.counts}, exists (
              select 1 from sessions where tenant_id = ${document.tenant_id} and id = ${document.session_id}
                and (parent_session_id is not null or origin_door is not null)
            )
          where true
          on conflict (tenant_id, session_id, message_id) do update
            set id = excluded.id, length = excluded.length, counts = excluded.counts, is_child = excluded.is_child`.compile(db),
    })),
    insertTokens: template((row: { id: number; scope: string; tokens: string }) => ({
      compile: () => sql`insert into search_index (rowid, scope, tokens) values (${row.id}, ${row.scope}, ${row.tokens})`.compile(db),
    })),
    merge: template((_: object) => ({
      compile: () => sql`insert into search_index (search_index, rank) values ('merge', ${sql.lit(MERGED_PAGES)})`.compile(db),
    })),
  };
}

/** Messages of people and agents that have a text and are not in the index. */
function unindexed(db: Kysely<Schema>) {
  return db
    .selectFrom('messages')
    .select(['tenant_id', 'id', 'session_id', 'created_at'])
    .select([sql<'user' | 'assistant'>`message ->> '$.role'`.as('role'), contentOf(INDEXED_UNITS).$notNull().as('content')])
    .where(
      sql<SqlBool>`not exists (
        select 1 from search_documents as d where d.tenant_id = messages.tenant_id and d.session_id = messages.session_id
          and d.message_id = messages.id and d.id > ${sql.lit(FIRST_ROW)}
      )`,
    )
    .where(sql`message ->> '$.role'`, 'in', [sql.lit('user'), sql.lit('assistant')])
    .where(sql`coalesce(message ->> '$.content', '')`, '!=', '');
}

/** The content of a message as SQL, truncated; null when it has no text. */
export const contentOf = (units: number) => sql<string | null>`substr(message ->> '$.content', 1, ${sql.lit(units)})`;
