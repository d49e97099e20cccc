/** Queries about the vectors of texts. */
import { type Kysely, sql } from 'kysely';
import type { TextVector } from '../../../port/store/vectors';
import { defineTable, type RowOf } from '../base/define_table';
import { inThisOrder, jsonItems } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { upsertInto } from '../base/table_statements';

type StoredVector = TextVector & { model: string; usedAt: number };

/**
 * A vector is stored as 32-bit floats. Reading copies the bytes, because the bytes of a row may begin at an address that Float32Array does not take.
 */
const VECTORS = defineTable<StoredVector>()('text_vectors', {
  model: 'text',
  content_hash: 'text hash',
  vector: {
    encode: ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength),
    decode: (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer),
  },
  used_at: 'number',
});
const READ_VECTORS = VECTORS.without('model');

declare module '../base/schema' {
  interface Schema {
    text_vectors: RowOf<typeof VECTORS>;
  }
}

/** The most hashes of one statement: reading their blobs holds the event loop. */
const READ_AT_ONCE = 100;
/** SQLite knows an offset only behind a limit. */
const MOST = sql.lit(1_000_000_000);

export class VectorTable extends sqlTable(statements) {
  async read(model: string, hashes: readonly string[]): Promise<(TextVector & { usedAt: number })[]> {
    const found: (TextVector & { usedAt: number })[] = [];
    for (let start = 0; start < hashes.length; start += READ_AT_ONCE) {
      const part = JSON.stringify(hashes.slice(start, start + READ_AT_ONCE));
      found.push(...(await this.records(this.statements.read({ model, hashes: part }), READ_VECTORS.toRecord)));
    }
    return found;
  }

  async put(model: string, vectors: readonly TextVector[], usedAt: number): Promise<void> {
    await this.statements.put(
      this.runner,
      vectors.map(vector => ({ ...vector, model, usedAt })),
    );
  }

  markUsed(model: string, hashes: readonly string[], usedAt: number) {
    return this.execute(this.statements.markUsed({ model, hashes: JSON.stringify(hashes), used_at: usedAt }));
  }

  delete(hashes: readonly string[]) {
    return this.execute(this.statements.delete({ hashes: JSON.stringify(hashes) }));
  }

  deleteOld(before: number, keep: number) {
    return this.execute(this.statements.deleteOld({ before, keep }));
  }
}

type HashList = { model: string; hashes: string };

function statements(db: Kysely<Schema>) {
  return {
    read: template((wanted: HashList) => ({
      compile: () =>
        sql<RowOf<typeof READ_VECTORS>>`select content_hash, vector, used_at from ${jsonItems(db, wanted.hashes)}
          ${inThisOrder(db)}join text_vectors on content_hash = place.value and model = ${wanted.model}`.compile(db),
    })),
    put: upsertInto(db, VECTORS, ['content_hash', 'model']),
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
