/** Puts messages into the search index, in the order of their rows, which is the order of their commits. */
import { type Kysely, sql } from 'kysely';
import type { SearchedRole } from '../../port/store/search';
import { toIndexText } from '../../utils/search_tokens';
import { type Runner, template } from './query_template';
import type { MessageRow, Schema, SearchProgressRow } from './schema';
import { rowsOfTenant, scopeOf } from './search_terms';

/** Limits of one call: it holds the event loop. Most messages between the indexed ones are results of tools, which cost nothing. */
const MAX_INDEXED = 20;
const MAX_MESSAGES = 200;
const MAX_BYTES = 16 * 1024;

/** UTF-16 units of a message that are indexed. */
export const INDEXED_UNITS = 32_000;

/** Pages of the index that one call merges at most, so that a search reads few segments. */
const MERGED_PAGES = 32;

type NextRow = Pick<MessageRow, 'tenant_id' | 'id' | 'session_id' | 'created_at'> & { rowid: number; role: string; content: string };
type Document = Omit<NextRow, 'rowid' | 'role' | 'content'> & { low: number; high: number };

export class SearchIndexing {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async hasMore(runner: Runner): Promise<boolean> {
    return (await runner.rows(this.statements.sizes({ from: await this.readProgress(runner) }))).length > 0;
  }

  async indexNext(runner: Runner): Promise<boolean> {
    const from = await this.readProgress(runner);
    const sizes = await runner.rows(this.statements.sizes({ from }));
    const chosen = sizes.slice(0, countFitting(sizes));
    const end = chosen.at(-1);
    if (!end) return false;
    const rows = await runner.rows(this.statements.messages({ from, to: end.rowid }));
    for (const row of rows) await this.indexMessage(runner, row);
    const last = rows.length === MAX_INDEXED ? (rows.at(-1) ?? end) : end;
    await runner.changes(this.statements.merge({}));
    await runner.changes(this.statements.setProgress({ id: 1, last_rowid: last.rowid, last_message_id: last.id }));
    return last.rowid !== end.rowid || chosen.length < sizes.length || sizes.length === MAX_MESSAGES;
  }

  /**
   * Moves the progress back to the last message that still exists. Call it in the transaction that deletes messages: SQLite gives the place of a
   * deleted last row to the next new row.
   */
  async moveBack(runner: Runner): Promise<void> {
    await runner.changes(this.statements.moveBack({}));
  }

  /** Returns the place after which messages are not indexed. 0, all of them, after something else moved the rows, such as `vacuum`. */
  private async readProgress(runner: Runner): Promise<number> {
    const [progress] = await runner.rows(this.statements.progress({}));
    return progress && progress.found === progress.last_message_id ? progress.last_rowid : 0;
  }

  private async indexMessage(runner: Runner, { rowid: _, role, content, ...message }: NextRow): Promise<void> {
    const tokens = toIndexText(content);
    if (tokens === '') return;
    const [inserted] = await runner.rows(this.statements.insertDocument({ ...message, ...rowsOfTenant(message.tenant_id) }));
    if (!inserted) return;
    const scope = scopeOf(message.session_id, role as SearchedRole);
    await runner.changes(this.statements.insertTokens({ id: inserted.id, scope, tokens }));
  }
}

/** Counts the first messages that fit into one call; at least one. */
function countFitting(sizes: readonly { bytes: number }[]): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > MAX_BYTES;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

function statements(db: Kysely<Schema>) {
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
    sizes: template(({ from }: { from: number }) =>
      db
        .selectFrom('messages')
        .select([sql<number>`rowid`.as('rowid'), 'id', sql<number>`octet_length(message)`.as('bytes')])
        .where(sql.ref('rowid'), '>', from)
        .orderBy(sql.ref('rowid'))
        .limit(sql.lit(MAX_MESSAGES)),
    ),
    messages: template(({ from, to }: { from: number; to: number }) =>
      db
        .selectFrom('messages')
        .select([sql<number>`rowid`.as('rowid'), 'tenant_id', 'id', 'session_id', 'created_at'])
        .select([sql<string>`message ->> '$.role'`.as('role'), contentOf(INDEXED_UNITS).$notNull().as('content')])
        .where(sql.ref('rowid'), '>', from)
        .where(sql.ref('rowid'), '<=', to)
        .where(sql`message ->> '$.role'`, 'in', [sql.lit('user'), sql.lit('assistant')])
        .where(sql`coalesce(message ->> '$.content', '')`, '!=', '')
        .orderBy(sql.ref('rowid'))
        .limit(sql.lit(MAX_INDEXED)),
    ),
    insertDocument: template((document: Document) => ({
      compile: () =>
        sql<{ id: number }>`
          insert into search_documents (id, tenant_id, session_id, message_id, created_at, is_child)
          select coalesce(max(id) + 1, ${document.low}),
            ${document.tenant_id}, ${document.session_id}, ${document.id}, ${document.created_at},
            exists (
              select 1 from sessions where tenant_id = ${document.tenant_id} and id = ${document.session_id}
                and (parent_session_id is not null or origin_door is not null)
            )
          from search_documents where id between ${document.low} and ${document.high}
          on conflict (tenant_id, session_id, message_id) do nothing returning id`.compile(db),
    })),
    insertTokens: template((row: { id: number; scope: string; tokens: string }) => ({
      compile: () => sql`insert into search_index (rowid, scope, tokens) values (${row.id}, ${row.scope}, ${row.tokens})`.compile(db),
    })),
    merge: template((_: object) => ({
      compile: () => sql`insert into search_index (search_index, rank) values ('merge', ${sql.lit(MERGED_PAGES)})`.compile(db),
    })),
    setProgress: template((row: SearchProgressRow) =>
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

/** The content of a message as SQL, truncated; null when it has no text. */
export const contentOf = (units: number) => sql<string | null>`substr(message ->> '$.content', 1, ${sql.lit(units)})`;
