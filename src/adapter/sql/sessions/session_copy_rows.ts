/** Statements that read and copy the messages and images of a session. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { inThisOrder, isPostgres } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { neverStarted } from './message_table';

export type SourceKey = { tenant_id: string; source_id: string };
/** A message of the source, and the id and the position of its copy. */
export type CopiedMessage = { run_ordinal: number; position: number; id: string; to_position: number };

/** Statements about the messages of the source. */
export function messageStatements(db: Kysely<Schema>) {
  const historyOf = ({ tenant_id, source_id }: SourceKey) =>
    db
      .selectFrom('messages')
      .where('tenant_id', '=', tenant_id)
      .where('session_id', '=', source_id)
      .where('run_id', 'not in', neverStarted(db, { tenant_id, session_id: source_id }));
  return {
    bound: template(({ tenant_id, source_id }: SourceKey) =>
      db
        .selectFrom('runs')
        .select(eb => [
          eb.fn.max<number | null>('ordinal').as('newest'),
          sql<number | null>`min(case when status in ('queued', 'running', 'waiting') then ordinal end)`.as('unfinished'),
          historyOf({ tenant_id, source_id })
            .select(messages => messages.fn.max<number | null>('run_ordinal').as('newest'))
            .as('newest_message'),
        ])
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', source_id),
    ),
    count: template((place: SourceKey & { run_ordinal: number; position: number }) =>
      historyOf(place)
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where(sql<SqlBool>`(run_ordinal, position) <= (${place.run_ordinal}, ${place.position})`),
    ),
    next: template(
      (range: SourceKey & { run_ordinal: number; position: number; last_ordinal: number; last_position: number; limit: number }) =>
        historyOf(range)
          .select(['run_ordinal', 'position', sql<number>`octet_length(message)`.as('bytes')])
          .where(sql<SqlBool>`(run_ordinal, position) > (${range.run_ordinal}, ${range.position})`)
          .where(sql<SqlBool>`(run_ordinal, position) <= (${range.last_ordinal}, ${range.last_position})`)
          .orderBy('run_ordinal')
          .orderBy('position')
          .limit(range.limit),
    ),
    copy: template(({ tenant_id, source_id, session_id, list }: SourceKey & { session_id: string; list: string }) => ({
      compile: () =>
        sql`insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at)
          select m.tenant_id, place.id, cast(${session_id} as text), m.run_id, 0, place.to_position, m.message, m.created_at
          from ${copiedMessages(db, list)} ${inThisOrder(db)}join messages as m
            on m.tenant_id = ${tenant_id} and m.session_id = ${source_id} and m.run_ordinal = place.run_ordinal and m.position = place.position`.compile(
          db,
        ),
    })),
  };
}

/** A JSON list of CopiedMessage as the table `place`. */
function copiedMessages(db: Kysely<Schema>, list: string) {
  if (isPostgres(db)) {
    return sql`jsonb_to_recordset(${list}::jsonb) as place (run_ordinal integer, position integer, id text, to_position integer)`;
  }
  return sql`(
    select value ->> 'run_ordinal' as run_ordinal, value ->> 'position' as position, value ->> 'id' as id, value ->> 'to_position' as to_position
    from json_each(${list})
  ) as place`;
}

/** Copies the next images. */
export function imageStatement(db: Kysely<Schema>) {
  return template((key: SourceKey & { session_id: string; limit: number }) => ({
    compile: () =>
      sql`insert into session_images (tenant_id, session_id, id, media_type, created_at, bytes)
        select tenant_id, cast(${key.session_id} as text), id, media_type, created_at, bytes from session_images
        where tenant_id = ${key.tenant_id} and session_id = ${key.source_id} and id not in (
          select id from session_images where tenant_id = ${key.tenant_id} and session_id = ${key.session_id}
        ) limit ${key.limit}`.compile(db),
  }));
}
