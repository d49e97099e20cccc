/**
 * Allows a session one active run, whatever the gateways decide. If a session has several, only the newest goes on: the others end as `interrupted`, with
 * a `run_end` for their readers and a new epoch that stops a gateway which still executes them.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

const IS_ACTIVE = sql<boolean>`status in ('running', 'waiting')`;
const MESSAGES: Readonly<Record<string, string>> = {
  en: 'The run was interrupted by a stop of the gateway.',
  'zh-CN': '网关停止，运行被中断。',
};

interface ExtraRun {
  tenant_id: string;
  id: string;
  session_id: string;
  last_seq: number | string;
  locale: string;
}

export async function allowOneActiveRun(db: Kysely<unknown>): Promise<void> {
  // A gateway of an earlier version that still runs must not start a run between the reading and the index.
  if (isPostgres(db)) await sql`lock table runs in share row exclusive mode`.execute(db);
  const { rows } = await sql<ExtraRun>`
    select tenant_id, id, session_id, last_seq, locale from runs where ${IS_ACTIVE} and exists (
      select 1 from runs as newer
      where newer.tenant_id = runs.tenant_id and newer.session_id = runs.session_id and newer.ordinal > runs.ordinal
        and newer.status in ('running', 'waiting')
    )
  `.execute(db);
  for (const run of rows) await interrupt(db, run);
  await db.schema.createIndex('runs_one_active').unique().on('runs').columns(['tenant_id', 'session_id']).where(IS_ACTIVE).execute();
}

async function interrupt(db: Kysely<unknown>, { tenant_id, id, session_id, last_seq, locale }: ExtraRun): Promise<void> {
  const now = Date.now();
  const seq = Number(last_seq) + 1;
  const error = { code: 'interrupted', message: MESSAGES[locale] ?? MESSAGES['en'], retryable: true };
  const outcome = { text: '', usage: { inputTokens: 0, outputTokens: 0 }, error };
  const end = JSON.stringify({ status: 'failed', ...outcome });
  await sql`
    update runs set status = 'failed', outcome = ${JSON.stringify(outcome)}, ended_at = ${now}, last_seq = ${seq}, epoch = epoch + 1
    where tenant_id = ${tenant_id} and id = ${id}
  `.execute(db);
  await sql`
    insert into run_events (tenant_id, run_id, session_id, first_seq, last_seq, type, ts, data)
    values (${tenant_id}, ${id}, ${session_id}, ${seq}, ${seq}, 'run_end', ${new Date(now).toISOString()}, ${end})
  `.execute(db);
  await sql`
    update clarifications set status = 'cancelled', closed_at = ${now}
    where tenant_id = ${tenant_id} and run_id = ${id} and status = 'pending'
  `.execute(db);
}
