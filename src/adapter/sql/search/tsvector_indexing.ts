/** Puts the messages of the search queue into the search index of Postgres, those of one part with a few statements. */
import { type Kysely, sql } from 'kysely';
import type { ChatMessage } from '../../../port/llm';
import { jsonText } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { countDocuments, INDEXED_UNITS, type SearchDocumentRow } from './fts5_indexing';
import { type QueueLimits, queuedKeys, SearchQueue } from './search_queue';
import { rowsOfTenant } from './search_terms';
import { toIndexedText } from './tenant_tokens';
import { roleMark, sessionMark, toTsvector } from './tsvector';

/** Limits of one call. Most messages between the indexed ones are results of tools. */
const LIMITS: QueueLimits = { messages: 20, bytes: 64 * 1024 };

type NextRow = Pick<Schema['messages'], 'tenant_id' | 'id' | 'session_id' | 'created_at' | 'message'>;
/** `counts`: in hexadecimal. */
type Document = Omit<SearchDocumentRow, 'id' | 'is_child' | 'counts'> & { counts: string | undefined; tokens: string };

export class TsvectorIndexing extends sqlTable(statements) {
  private readonly queue = new SearchQueue(this.db);

  async hasMore(): Promise<boolean> {
    return !(await this.queue.on(this.runner).isEmpty());
  }

  indexNext(): Promise<boolean> {
    return this.indexPart();
  }

  async hasUnindexed(tenantId: string): Promise<boolean> {
    return !(await this.queue.on(this.runner).isEmpty(tenantId));
  }

  indexNextOf(tenantId: string): Promise<boolean> {
    return this.indexPart(tenantId);
  }

  private indexPart(tenantId?: string): Promise<boolean> {
    return this.queue.on(this.runner).indexPart(LIMITS, tenantId, async queued => {
      const rows = await this.runner.rows(this.statements.messages({ queued: JSON.stringify(queued) }));
      await this.insert(rows.flatMap(toDocument));
      return queued;
    });
  }

  /** Numbers the documents of each tenant, the older ones first. */
  private async insert(documents: readonly Document[]): Promise<void> {
    const numbered: (Document & { id: number })[] = [];
    for (const [tenant_id, own = []] of Object.entries(Object.groupBy(documents, document => document.tenant_id))) {
      const [tenant] = await this.runner.rows(this.statements.countDocuments({ tenant_id, added: own.length }));
      if (!tenant) continue;
      const { first, count } = rowsOfTenant(tenant);
      numbered.push(...own.map((document, i) => ({ ...document, id: first + count - own.length + 1 + i })));
    }
    if (numbered.length > 0) await this.runner.changes(this.statements.insert({ documents: JSON.stringify(numbered) }));
  }
}

/** Returns the document of a message; none for a tool result and for a text without letters and digits. */
function toDocument({ message, id: message_id, ...row }: NextRow): Document[] {
  const { tenant_id, session_id } = row;
  const { role, content } = readMessage(message);
  if (role !== 'user' && role !== 'assistant') return [];
  const tokens = toTsvector(tenant_id, content, [sessionMark(tenant_id, session_id), roleMark(tenant_id, role)]);
  if (tokens === undefined) return [];
  const { length, counts } = toIndexedText(tenant_id, content);
  return [{ ...row, message_id, length, counts: counts ? Buffer.from(counts).toString('hex') : undefined, tokens }];
}

/** The role of a message and its text as far as it is indexed. */
export function readMessage(json: string): { role: ChatMessage['role']; content: string } {
  const { role, content } = JSON.parse(json) as ChatMessage;
  return { role, content: typeof content === 'string' ? content.slice(0, INDEXED_UNITS) : '' };
}

function statements(db: Kysely<Schema>) {
  // Null for JSON that Postgres cannot hold; `readMessage` then reads the message instead.
  const role = jsonText(db, 'message', 'role');
  return {
    messages: template(({ queued }: { queued: string }) => ({
      compile: () =>
        sql<NextRow>`select tenant_id, id, session_id, created_at, message from messages
          where (tenant_id, id) in ${queuedKeys(db, queued)}
            and not exists (
              select 1 from search_documents as d
              where d.tenant_id = messages.tenant_id and d.session_id = messages.session_id and d.message_id = messages.id
            )
            and (${role} is null or (${role} in ('user', 'assistant') and coalesce(${jsonText(db, 'message', 'content')}, '') <> ''))
          order by tenant_id, id`.compile(db),
    })),
    insert: template(({ documents }: { documents: string }) => ({
      compile: () =>
        sql`insert into search_documents (id, tenant_id, session_id, message_id, created_at, is_child, length, counts, tokens)
          select d.id, s.tenant_id, s.id, d.message_id, d.created_at,
            case when s.parent_session_id is not null or s.origin_door is not null then 1 else 0 end,
            d.length, decode(d.counts, 'hex'), d.tokens::tsvector
          from jsonb_to_recordset(${documents}::jsonb) as d (
            id bigint, tenant_id text, session_id text, message_id text, created_at bigint, length integer, counts text, tokens text
          ) join sessions as s on s.tenant_id = d.tenant_id and s.id = d.session_id
          on conflict (tenant_id, session_id, message_id) do nothing`.compile(db),
    })),
    countDocuments: countDocuments(db),
  };
}
