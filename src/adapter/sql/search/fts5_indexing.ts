/** Puts messages into the search index, in the order of their rows, which is the order of their commits. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { FIRST_ROW, ROWS_PER_TENANT, rowsOfTenant } from './search_terms';
import { SearchUpgrade } from './search_upgrade';
import { roleToken, sessionToken, toIndexedText } from './tenant_tokens';

/**
 * The most messages that one call indexes, because indexing blocks the event loop. Most messages between them are results of tools, which are not
 * indexed.
 */
const MAX_INDEXED = 20;
const MAX_MESSAGES = 200;
const MAX_BYTES = 16 * 1024;

/** UTF-16 units of a message that are indexed. */
export const INDEXED_UNITS = 32_000;

/** Pages of the index that one call merges at most, so that a search reads few segments. */
const MERGED_PAGES = 32;

/**
 * How many of the newest indexed messages of a tenant are looked at for messages that are missing behind them: runs that end together commit in any
 * order.
 */
export const RECENT_DOCUMENTS = 10;

declare module '../base/schema' {
  interface Schema {
    search_documents: SearchDocumentRow;
    /** The only row: the last message that the indexer read. */
    search_progress: { id: 1; last_rowid: number; last_message_id: string };
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

  async hasMore(): Promise<boolean> {
    if (await this.upgrade.isPending(this.runner)) return true;
    return (await this.runner.rows(this.statements.sizes({ from: await this.readProgress() }))).length > 0;
  }

  async indexNext(): Promise<boolean> {
    if (await this.upgrade.next(this.runner)) return true;
    const from = await this.readProgress();
    const sizes = await this.runner.rows(this.statements.sizes({ from }));
    const chosen = sizes.slice(0, countFitting(sizes));
    const end = chosen.at(-1);
    if (!end) return false;
    const rows = await this.runner.rows(this.statements.messages({ from, to: end.rowid }));
    for (const row of rows) await this.indexMessage(row);
    const last = rows.length === MAX_INDEXED ? (rows.at(-1) ?? end) : end;
    await this.runner.changes(this.statements.merge({}));
    await this.runner.changes(this.statements.setProgress({ id: 1, last_rowid: last.rowid, last_message_id: last.id }));
    return last.rowid !== end.rowid || chosen.length < sizes.length || sizes.length === MAX_MESSAGES;
  }

  /** Returns the id after which messages of the tenant are not indexed; undefined when all are. Reads no row of another tenant. */
  async unindexedAfter(tenantId: string): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.statements.recent({ tenant_id: tenantId }));
    const after = row?.after ?? '';
    const [first] = await this.runner.rows(this.statements.messagesOf({ tenant_id: tenantId, after, to: LAST_ID, limit: 1 }));
    return first && after;
  }

  /** Indexes the next messages of a tenant after `after`. Resolves the id to go on after; undefined when none is left. */
  async indexNextOf(tenantId: string, after: string): Promise<string | undefined> {
    const sizes = await this.runner.rows(this.statements.sizesOf({ tenant_id: tenantId, after }));
    const chosen = sizes.slice(0, countFitting(sizes));
    const end = chosen.at(-1);
    if (!end) return undefined;
    const rows = await this.runner.rows(this.statements.messagesOf({ tenant_id: tenantId, after, to: end.id, limit: MAX_INDEXED }));
    for (const row of rows) await this.indexMessage(row);
    await this.runner.changes(this.statements.merge({}));
    return rows.length === MAX_INDEXED ? rows.at(-1)?.id : end.id;
  }

  /**
   * Moves the progress back to the last message that still exists. Call it in the transaction that deletes messages: SQLite gives the place of a
   * deleted last row to the next new row.
   */
  async moveBack(): Promise<void> {
    await this.runner.changes(this.statements.moveBack({}));
  }

  /** Returns the place after which messages are not indexed. 0 (index all) after another program has moved the rows, as `vacuum` does. */
  private async readProgress(): Promise<number> {
    const [progress] = await this.runner.rows(this.statements.progress({}));
    return progress && progress.found === progress.last_message_id ? progress.last_rowid : 0;
  }

  private async indexMessage({ role, content, ...message }: NextRow): Promise<void> {
    const { tenant_id, session_id } = message;
    const { tokens, length, counts } = toIndexedText(tenant_id, content);
    if (length === 0) return;
    const [tenant] = await this.runner.rows(this.statements.countDocument({ tenant_id }));
    if (!tenant) return;
    const { first, count } = rowsOfTenant(tenant);
    const id = first + count;
    const { id: message_id, created_at } = message;
    await this.runner.changes(this.statements.insertDocument({ id, tenant_id, session_id, message_id, created_at, length, counts }));
    const scope = `${sessionToken(tenant_id, session_id)} ${roleToken(tenant_id, role)}`;
    await this.runner.changes(this.statements.insertTokens({ id, scope, tokens }));
  }
}

/** Sorts after every id. */
const LAST_ID = '\u{10ffff}';

/** Counts the first messages that fit into one call; at least one. */
function countFitting(sizes: readonly { bytes: number }[]): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > MAX_BYTES;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

/** The row before the first one of the tenant `t`, as SQL. */
const firstRow = sql`(${sql.lit(FIRST_ROW)} + t.number * ${sql.lit(ROWS_PER_TENANT)})`;

function statements(db: Kysely<Schema>) {
  return { ...progressStatements(db), ...unindexedStatements(db), ...insertStatements(db) };
}

function progressStatements(db: Kysely<Schema>) {
  return {
    progress: template((_: object) =>
      db
        .selectFrom('search_progress')
        .select([
          'last_rowid',
          sql<string>`coalesce((select id from messages where rowid = last_rowid), '')`.as('found'),
          'last_message_id',
        ])
        .where('id', '=', sql.lit(1)),
    ),
    setProgress: template((row: Schema['search_progress']) =>
      db
        .updateTable('search_progress')
        .set({ last_rowid: row.last_rowid, last_message_id: row.last_message_id })
        .where('id', '=', sql.lit(1)),
    ),
    moveBack: template((_: object) => ({
      compile: () =>
        sql`
          update search_progress set (last_rowid, last_message_id) = (
            select coalesce(max(place), 0), coalesce(max(message_id), '') from (
              select rowid as place, id as message_id from messages where rowid <= last_rowid order by rowid desc limit 1
            )
          ) where id = 1`.compile(db),
    })),
  };
}

function unindexedStatements(db: Kysely<Schema>) {
  return {
    sizes: template(({ from }: { from: number }) =>
      db
        .selectFrom('messages')
        .select([sql<number>`rowid`.as('rowid'), 'id', sql<number>`octet_length(message)`.as('bytes')])
        .where(sql.ref('rowid'), '>', from)
        .orderBy(sql.ref('rowid'))
        .limit(sql.lit(MAX_MESSAGES)),
    ),
    messages: template(({ from, to }: { from: number; to: number }) =>
      unindexed(db)
        .select(sql<number>`rowid`.as('rowid'))
        .where(sql.ref('rowid'), '>', from)
        .where(sql.ref('rowid'), '<=', to)
        .orderBy(sql.ref('rowid'))
        .limit(sql.lit(MAX_INDEXED)),
    ),
    recent: template(({ tenant_id }: Pick<Schema['messages'], 'tenant_id'>) => ({
      compile: () =>
        sql<{ after: string | null }>`
          select min(message_id) as after from (
            select d.message_id from search_tenants as t
            cross join search_documents as d on d.tenant_id = t.tenant_id and d.id between ${firstRow} and ${firstRow} + t.documents
            where t.tenant_id = ${tenant_id} order by d.id desc limit ${sql.lit(RECENT_DOCUMENTS)}
          )`.compile(db),
    })),
    sizesOf: template(({ tenant_id, after }: { tenant_id: string; after: string }) =>
      db
        .selectFrom('messages')
        .select(['id', sql<number>`octet_length(message)`.as('bytes')])
        .where('tenant_id', '=', tenant_id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(sql.lit(MAX_MESSAGES)),
    ),
    messagesOf: template(({ tenant_id, after, to, limit }: { tenant_id: string; after: string; to: string; limit: number }) =>
      unindexed(db).where('tenant_id', '=', tenant_id).where('id', '>', after).where('id', '<=', to).orderBy('id').limit(limit),
    ),
  };
}

/** Counts one more document of a tenant; a new tenant gets a number. */
export function countDocument(db: Kysely<Schema>) {
  return template(({ tenant_id }: Pick<Schema['messages'], 'tenant_id'>) => ({
    compile: () =>
      sql<Schema['search_tenants']>`
          insert into search_tenants (tenant_id, number, documents)
          select cast(${tenant_id} as text), (select coalesce(max(number), 0) + 1 from search_tenants), 1 where true
          on conflict (tenant_id) do update set documents = search_tenants.documents + 1
          returning tenant_id, number, documents`.compile(db),
  }));
}

function insertStatements(db: Kysely<Schema>) {
  return {
    countDocument: countDocument(db),
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
