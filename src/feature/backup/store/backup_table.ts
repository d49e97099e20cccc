/** Queries about backups and their schedule. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto } from '../../../adapter/sql/base/table_statements';
import type { BackupRecord, BackupSchedule } from './backup_records';

const BACKUPS = defineTable<BackupRecord>()('backups', {
  id: 'text',
  file: 'text',
  machine: 'text',
  bytes: 'number',
  rows: 'number',
  files: 'number',
  created_at: 'number',
});
const SCHEDULE = defineTable<BackupSchedule>()('backup_schedule', {
  every_ms: 'number',
  keep: 'number?',
  directory: 'text?',
  changed_at: 'number',
  claimed_by: 'text?',
  claimed_until: 'number?',
  failed_at: 'number?',
  error: 'text?',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    backups: RowOf<typeof BACKUPS>;
    backup_schedule: RowOf<typeof SCHEDULE> & { id: number };
  }
}

/** The only row of the schedule. */
const ROW = 1;
const MAX_LISTED = 1_000;

export class BackupTable extends sqlTable(statements) {
  list() {
    return this.records(this.statements.list({ limit: MAX_LISTED }), BACKUPS.toRecord);
  }

  newest() {
    return this.record(this.statements.list({ limit: 1 }), BACKUPS.toRecord);
  }

  schedule() {
    return this.record(this.statements.schedule({}), SCHEDULE.toRecord);
  }

  add(backup: BackupRecord) {
    return this.statements.add(this.runner, [backup]);
  }

  async remove(id: string): Promise<void> {
    await this.runner.changes(this.statements.remove({ id }));
  }

  async setSchedule(schedule: BackupSchedule): Promise<void> {
    await this.endSchedule();
    await this.runner.changes(this.statements.setSchedule(SCHEDULE.toRow(schedule)));
  }

  async endSchedule(): Promise<void> {
    await this.runner.changes(this.statements.endSchedule({ id: ROW }));
  }

  claim(claim: { owner: string; now: number; until: number }) {
    return this.hasChanged(this.statements.claim(claim));
  }

  async endClaim(owner: string, failure?: { at: number; error: string }): Promise<void> {
    await this.runner.changes(this.statements.endClaim({ owner, at: failure?.at ?? null, error: failure?.error ?? null }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template(({ limit }: { limit: number }) =>
      db.selectFrom('backups').select(BACKUPS.columns).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit),
    ),
    add: insertInto(db, BACKUPS),
    remove: deleteBy(db, BACKUPS, 'id'),
    schedule: template((_: object) => db.selectFrom('backup_schedule').select(SCHEDULE.columns).where('id', '=', sql.lit(ROW))),
    setSchedule: template((row: RowOf<typeof SCHEDULE>) =>
      db.insertInto('backup_schedule').values({
        id: ROW,
        every_ms: row.every_ms,
        keep: row.keep,
        directory: row.directory,
        changed_at: row.changed_at,
        claimed_by: null,
        claimed_until: null,
        failed_at: null,
        error: null,
      }),
    ),
    endSchedule: template(({ id }: { id: number }) => db.deleteFrom('backup_schedule').where('id', '=', id)),
    claim: template((claim: { owner: string; now: number; until: number }) =>
      db
        .updateTable('backup_schedule')
        .set({ claimed_by: claim.owner, claimed_until: claim.until })
        .where(({ eb, or }) =>
          or([eb('claimed_until', 'is', null), eb('claimed_until', '<', claim.now), eb('claimed_by', '=', claim.owner)]),
        ),
    ),
    endClaim: template((end: { owner: string; at: number | null; error: string | null }) =>
      db
        .updateTable('backup_schedule')
        .set({ claimed_by: null, claimed_until: null, failed_at: end.at, error: end.error })
        .where('claimed_by', '=', end.owner),
    ),
  };
}
