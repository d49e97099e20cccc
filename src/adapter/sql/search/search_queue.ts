/**
 * The messages that wait for the search index. A trigger of `messages` adds each new one in the transaction that stores it, so the queue skips no
 * message, in whatever order transactions commit. Rows stay until the indexer has read them, in the order of tenants and ids, which ascend with time.
 */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { jsonItems, jsonText } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';

declare module '../base/schema' {
  interface Schema {
    search_queue: QueuedMessage;
  }
}

export interface QueuedMessage {
  tenant_id: string;
  message_id: string;
}

/** Limits of the messages that one part of the indexing reads. */
export interface QueueLimits {
  messages: number;
  /** The first message always fits. */
  bytes: number;
}

export class SearchQueue extends sqlTable(statements) {
  /** Returns whether messages wait; with `tenantId`, whether messages of the tenant do. Reads no row of another tenant then. */
  async isEmpty(tenantId?: string): Promise<boolean> {
    const [row] = await this.runner.rows(tenantId === undefined ? this.statements.any({}) : this.statements.anyOf({ tenant_id: tenantId }));
    return row === undefined;
  }

  /**
   * Calls `index` with the first messages of the queue, those of one tenant with `tenantId`; a deleted message may be among them. Removes the messages that
   * `index` resolves with. Resolves whether more are left.
   */
  async indexPart(
    limits: QueueLimits,
    tenantId: string | undefined,
    index: (queued: readonly QueuedMessage[]) => Promise<readonly QueuedMessage[]>,
  ): Promise<boolean> {
    const queued = await this.readFirst(limits, tenantId);
    if (queued.length === 0) return false;
    await this.runner.changes(this.statements.remove({ queued: JSON.stringify(await index(queued)) }));
    return !(await this.isEmpty(tenantId));
  }

  private async readFirst(limits: QueueLimits, tenantId?: string): Promise<QueuedMessage[]> {
    const { messages: limit } = limits;
    const sizes = await this.runner.rows(
      tenantId === undefined ? this.statements.sizes({ limit }) : this.statements.sizesOf({ limit, tenant_id: tenantId }),
    );
    return sizes.slice(0, countFitting(sizes, limits.bytes)).map(({ tenant_id, message_id }) => ({ tenant_id, message_id }));
  }
}

/** The tenants and ids of a JSON list of QueuedMessage, as a subquery. */
export const queuedKeys = (db: Kysely<Schema>, queued: unknown) =>
  sql`(select ${jsonText(db, 'place.value', 'tenant_id')}, ${jsonText(db, 'place.value', 'message_id')} from ${jsonItems(db, queued)})`;

/** Counts the first messages that fit into one part; at least one. */
function countFitting(sizes: readonly { bytes: number }[], limit: number): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > limit;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

function statements(db: Kysely<Schema>) {
  const all = db.selectFrom('search_queue as q');
  const sizes = (limit: number) =>
    all
      .leftJoin('messages as m', join => join.onRef('m.tenant_id', '=', 'q.tenant_id').onRef('m.id', '=', 'q.message_id'))
      .select(['q.tenant_id', 'q.message_id', sql<number>`coalesce(octet_length(m.message), 0)`.as('bytes')])
      .orderBy('q.tenant_id')
      .orderBy('q.message_id')
      .limit(limit);
  const any = all.select('message_id').limit(sql.lit(1));
  return {
    any: template((_: object) => any),
    anyOf: template(({ tenant_id }: { tenant_id: string }) => any.where('tenant_id', '=', tenant_id)),
    sizes: template(({ limit }: { limit: number }) => sizes(limit)),
    sizesOf: template(({ limit, tenant_id }: { limit: number; tenant_id: string }) => sizes(limit).where('q.tenant_id', '=', tenant_id)),
    remove: template(({ queued }: { queued: string }) =>
      db.deleteFrom('search_queue').where(sql<SqlBool>`(tenant_id, message_id) in ${queuedKeys(db, queued)}`),
    ),
  };
}
