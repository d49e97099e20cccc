/** Queries about the vectors of texts. */
import { type Kysely, sql } from 'kysely';
import type { TextVector } from '../../port/store/vectors';
import { inThisOrder, jsonItems } from './dialect';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema, TextVectorRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['model', 'content_hash', 'vector', 'used_at'] as const;

/** The most hashes of one statement: reading their blobs holds the event loop. */
const READ_AT_ONCE = 100;
/** SQLite knows an offset only behind a limit. */
const MOST = sql.lit(1_000_000_000);

export class VectorTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async read(model: string, hashes: readonly string[]): Promise<(TextVector & { usedAt: number })[]> {
    const found: (TextVector & { usedAt: number })[] = [];
    for (let start = 0; start < hashes.length; start += READ_AT_ONCE) {
      const part = JSON.stringify(hashes.slice(start, start + READ_AT_ONCE));
      for (const row of await this.runner.rows(this.statements.read({ model, hashes: part })))
        found.push({ hash: row.content_hash, vector: toVector(row.vector), usedAt: row.used_at });
    }
    return found;
  }

  async put(model: string, vectors: readonly TextVector[], usedAt: number): Promise<void> {
    const rows = vectors.map(({ hash, vector }) => ({ model, content_hash: hash, vector: toBytes(vector), used_at: usedAt }));
    await this.statements.put(this.runner, rows);
  }

  async markUsed(model: string, hashes: readonly string[], usedAt: number): Promise<void> {
    await this.runner.changes(this.statements.markUsed({ model, hashes: JSON.stringify(hashes), used_at: usedAt }));
  }

  async delete(hashes: readonly string[]): Promise<void> {
    await this.runner.changes(this.statements.delete({ hashes: JSON.stringify(hashes) }));
  }

  async deleteOld(before: number, keep: number): Promise<void> {
    await this.runner.changes(this.statements.deleteOld({ before, keep }));
  }
}

type HashList = Pick<TextVectorRow, 'model'> & { hashes: string };

function statements(db: Kysely<Schema>) {
  return {
    read: template((wanted: HashList) => ({
      compile: () =>
        sql<TextVectorRow>`select content_hash, vector, used_at from ${jsonItems(db, wanted.hashes)}
          ${inThisOrder(db)}join text_vectors on content_hash = place.value and model = ${wanted.model}`.compile(db),
    })),
    put: insertRows<TextVectorRow>(COLUMNS, rows =>
      db
        .insertInto('text_vectors')
        .values(rows)
        .onConflict(conflict =>
          conflict
            .columns(['content_hash', 'model'])
            .doUpdateSet({ vector: sql.ref('excluded.vector'), used_at: sql.ref('excluded.used_at') }),
        ),
    ),
    markUsed: template((used: HashList & { used_at: number }) => ({
      compile: () =>
        sql`update text_vectors set used_at = ${used.used_at}
          where model = ${used.model} and content_hash in (select value from ${jsonItems(db, used.hashes)})`.compile(db),
    })),
    delete: template(({ hashes }: { hashes: string }) => ({
      compile: () => sql`delete from text_vectors where content_hash in (select value from ${jsonItems(db, hashes)})`.compile(db),
    })),
    deleteOld: template(({ before, keep }: { before: number; keep: number }) => ({
      compile: () =>
        sql`delete from text_vectors where used_at < ${before} or (content_hash, model) in (
            select content_hash, model from text_vectors order by used_at desc, content_hash desc, model limit ${MOST} offset ${keep}
          )`.compile(db),
    })),
  };
}

const toBytes = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copies the bytes, because the bytes of a row may begin at an address that Float32Array does not take. */
const toVector = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
