/** Keeps with a branch the session that it left, which need not be the session whose run it replaces. A chat in no project has no project stored. */
import { type Kysely, sql } from 'kysely';

export async function addBranchSources(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('before_session_id', 'text').execute();
  // A run of another chat was copied into the first session of the branch's chat.
  await sql`update sessions set before_session_id = coalesce(
    (
      select owner.id from runs inner join sessions as owner on owner.tenant_id = runs.tenant_id and owner.id = runs.session_id
      where runs.tenant_id = sessions.tenant_id and runs.id = sessions.before_run_id and owner.root_session_id = sessions.root_session_id
    ),
    root_session_id
  ) where before_run_id is not null`.execute(db);
  await sql`update sessions set project = null where project = ''`.execute(db);
}
