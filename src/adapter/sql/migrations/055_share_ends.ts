/** Keeps with a link the place of the last message that it shows: times of different clocks do not compare. */
import { type Kysely, sql } from 'kysely';

export async function addShareEnds(db: Kysely<unknown>): Promise<void> {
  const change = () => db.schema.alterTable('shares');
  await change().renameColumn('without_login', 'is_public').execute();
  // A link without messages shows none.
  for (const column of ['last_ordinal', 'last_position']) {
    await change()
      .addColumn(column, 'integer', added => added.notNull().defaultTo(-1))
      .execute();
  }
  for (const [column, place] of [
    ['last_ordinal', 'run_ordinal'],
    ['last_position', 'position'],
  ] as const) {
    await sql`update shares set ${sql.ref(column)} = coalesce((
      select ${sql.ref(`messages.${place}`)} from messages where messages.tenant_id = shares.tenant_id and messages.session_id = shares.session_id
        and messages.created_at <= shares.created_at order by messages.run_ordinal desc, messages.position desc limit 1
    ), -1)`.execute(db);
  }
}
