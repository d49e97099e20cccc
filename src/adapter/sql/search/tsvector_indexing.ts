/** Puts messages into the search index of Postgres, in the order of their places, which is the order of their commits. */
import { type Kysely, sql } from 'kysely';
import type { ChatMessage } from '../../../port/llm';
import { jsonText } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { countDocument, INDEXED_UNITS, RECENT_DOCUMENTS, type SearchDocumentRow } from './fts5_indexing';
import { rowsOfTenant } from './search_terms';
import { toIndexedText } from './tenant_tokens';
import { roleMark, sessionMark, toTsvector } from './tsvector';

/** Limits of one call. Most messages between the indexed ones are results of tools. */
const MAX_INDEXED = 20;
const MAX_BYTES = 64 * 1024;

type NextRow = Pick<Schema['messages'], 'tenant_id' | 'id' | 'session_id' | 'created_at' | 'message'>;
type SizeRow = { place: number; bytes: number };
type Document = Omit<SearchDocumentRow, 'is_child'> & { tokens: string };

export class TsvectorIndexing extends sqlTable(statements) {
  async hasMore(): Promise<boolean> {
    return (await this.runner.rows(this.statements.sizes({ from: await this.progress() }))).length > 0;
  }

  async indexNext(): Promise<boolean> {
    const from = await this.progress();
    const sizes = await this.runner.rows(this.statements.sizes({ from }));
    const to = lastFitting(sizes);
    if (to === undefined) return false;
    for (const row of await this.runner.rows(this.statements.messages({ from, to }))) await this.indexMessage(row);
    await this.runner.changes(this.statements.setProgress({ place: to }));
    return to !== sizes.at(-1)?.place || sizes.length === MAX_INDEXED;
  }

  async unindexedAfter(tenantId: string): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.statements.recent({ tenant_id: tenantId }));
    const after = row?.after ?? '';
    const [first] = await this.runner.rows(this.statements.messagesOf({ tenant_id: tenantId, after, limit: 1 }));
    return first && after;
  }

  async indexNextOf(tenantId: string, after: string): Promise<string | undefined> {
    const rows = await this.runner.rows(this.statements.messagesOf({ tenant_id: tenantId, after, limit: MAX_INDEXED }));
    for (const row of rows) await this.indexMessage(row);
    return rows.at(-1)?.id;
  }

  /** Postgres never gives the place of a deleted message to another one. */
  async moveBack(): Promise<void> {}

  private async progress(): Promise<number> {
    const [row] = await this.runner.rows(this.statements.progress({}));
    return row?.last_rowid ?? 0;
  }

  private async indexMessage({ message, id: message_id, ...row }: NextRow): Promise<void> {
    const { tenant_id, session_id } = row;
    const { role, content } = readMessage(message);
    if (role !== 'user' && role !== 'assistant') return;
    const tokens = toTsvector(tenant_id, content, [sessionMark(tenant_id, session_id), roleMark(tenant_id, role)]);
    if (tokens === undefined) return;
    const [tenant] = await this.runner.rows(this.statements.countDocument({ tenant_id }));
    if (!tenant) return;
    const { first, count } = rowsOfTenant(tenant);
    const { length, counts } = toIndexedText(tenant_id, content);
    await this.runner.changes(this.statements.insert({ ...row, id: first + count, message_id, length, counts, tokens }));
  }
}

/** The role of a message and its text as far as it is indexed. */
export function readMessage(json: string): { role: ChatMessage['role']; content: string } {
  const { role, content } = JSON.parse(json) as ChatMessage;
  return { role, content: typeof content === 'string' ? content.slice(0, INDEXED_UNITS) : '' };
}

/** Returns the place of the last message that fits into one call; the first message always fits. */
function lastFitting(sizes: readonly SizeRow[]): number | undefined {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > MAX_BYTES;
  });
  return sizes.at(tooMany === -1 ? -1 : Math.max(0, tooMany - 1))?.place;
}

const IS_UNINDEXED = sql`not exists (
  select 1 from search_documents as d where d.tenant_id = messages.tenant_id and d.session_id = messages.session_id and d.message_id = messages.id
)`;

function statements(db: Kysely<Schema>) {
  // Null for JSON that Postgres cannot hold; `readMessage` then reads the message instead.
  const role = jsonText(db, 'message', 'role');
  return {
    progress: template((_: object) => db.selectFrom('search_progress').select('last_rowid').where('id', '=', sql.lit(1))),
    sizes: template(({ from }: { from: number }) => ({
      compile: () =>
        sql<SizeRow>`select place, octet_length(message) as bytes from messages where place > ${from} order by place limit ${sql.lit(MAX_INDEXED)}`.compile(
          db,
        ),
    })),
    messages: template(({ from, to }: { from: number; to: number }) => ({
      compile: () =>
        sql<NextRow>`select tenant_id, id, session_id, created_at, message from messages
          where place > ${from} and place <= ${to} and ${IS_UNINDEXED} order by place`.compile(db),
    })),
    recent: template(({ tenant_id }: Pick<Schema['messages'], 'tenant_id'>) => ({
      compile: () =>
        sql<{ after: string | null }>`select min(message_id) as after from (
          select message_id from search_documents where tenant_id = ${tenant_id} order by id desc limit ${sql.lit(RECENT_DOCUMENTS)}
        ) as newest`.compile(db),
    })),
    messagesOf: template(({ tenant_id, after, limit }: { tenant_id: string; after: string; limit: number }) => ({
      compile: () =>
        sql<NextRow>`select tenant_id, id, session_id, created_at, message from messages
          where tenant_id = ${tenant_id} and id > ${after} and ${IS_UNINDEXED}
            and (${role} is null or (${role} in ('user', 'assistant') and coalesce(${jsonText(db, 'message', 'content')}, '') <> ''))
          order by id limit ${limit}`.compile(db),
    })),
    insert: template((document: Document) => ({
      compile: () =>
        sql`insert into search_documents (id, tenant_id, session_id, message_id, created_at, is_child, length, counts, tokens)
          select ${document.id}::bigint, tenant_id, id, ${document.message_id}, ${document.created_at}::bigint,
            case when parent_session_id is not null or origin_door is not null then 1 else 0 end,
            ${document.length}::integer, ${document.counts}::bytea, ${document.tokens}::tsvector
          from sessions where tenant_id = ${document.tenant_id} and id = ${document.session_id}
          on conflict (tenant_id, session_id, message_id) do nothing`.compile(db),
    })),
    countDocument: countDocument(db),
    setProgress: template(({ place }: { place: number }) =>
      db.updateTable('search_progress').set({ last_rowid: place }).where('id', '=', sql.lit(1)),
    ),
  };
}
