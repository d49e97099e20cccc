/** Migration 037: an old database whose sessions have several active runs. */
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../../../src/errors';
import type { Store } from '../../../../src/port/store/store';
import { aRun, numbered, TENANT, textDelta } from '../../../support/store_records';
import { testUpgrade } from '../../../support/upgraded_store';

interface OldRun {
  id: string;
  sessionId: string;
  ordinal: number;
  status: string;
  locale?: string;
  tenantId?: string;
}

const OLD_RUNS: readonly OldRun[] = [
  { id: 'run_ended', sessionId: 'ses_1', ordinal: 1, status: 'completed' },
  { id: 'run_old', sessionId: 'ses_1', ordinal: 2, status: 'running' },
  { id: 'run_asking', sessionId: 'ses_1', ordinal: 3, status: 'waiting', locale: 'zh-CN' },
  { id: 'run_newest', sessionId: 'ses_1', ordinal: 4, status: 'running' },
  { id: 'run_queued', sessionId: 'ses_1', ordinal: 5, status: 'queued' },
  { id: 'run_alone', sessionId: 'ses_2', ordinal: 1, status: 'waiting' },
  { id: 'run_of_tenant', tenantId: 'globex', sessionId: 'ses_1', ordinal: 1, status: 'running' },
];

async function fill(db: Kysely<unknown>): Promise<void> {
  for (const [tenantId, id] of [
    [TENANT, 'ses_1'],
    [TENANT, 'ses_2'],
    ['globex', 'ses_1'],
  ]) {
    await sql`insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
      values (${tenantId}, ${id}, 'Old', 'default', 'en', 'off', 1, 1)`.execute(db);
  }
  for (const { id, sessionId, ordinal, status, locale = 'en', tenantId = TENANT } of OLD_RUNS) {
    await sql`insert into runs (tenant_id, id, session_id, ordinal, status, door, agent, locale, input, interaction, limits, last_seq, epoch,
        recoveries, cancel_requested, created_at)
      values (${tenantId}, ${id}, ${sessionId}, ${ordinal}, ${status}, 'socketio', 'default', ${locale}, 'hi', '{}', '{}', 1, 1, 0, 0, 1)`.execute(
      db,
    );
    await sql`insert into run_events (tenant_id, run_id, session_id, first_seq, last_seq, type, ts, data)
      values (${tenantId}, ${id}, ${sessionId}, 1, 1, 'text_delta', '2026-01-01T00:00:00.000Z', '{"text":"a"}')`.execute(db);
    await sql`insert into clarifications (tenant_id, id, kind, session_id, run_id, mode, question, status, created_at, expires_at)
      values (${tenantId}, ${`question-of-${id}`}, 'clarification', ${sessionId}, ${id}, 'wait', 'Which?', 'pending', 1, 9)`.execute(db);
  }
}

async function expectOneActiveRun(store: Store): Promise<void> {
  const { read } = store;
  const statusOf = async ({ id, tenantId = TENANT }: OldRun) => (await read.runs.get(tenantId, id))?.status;
  expect(await Promise.all(OLD_RUNS.map(statusOf))).toEqual(['completed', 'failed', 'failed', 'running', 'queued', 'waiting', 'running']);
  expect((await read.runs.active(TENANT, 'ses_1'))?.id).toBe('run_newest');

  for (const [id, message] of [
    ['run_old', new AppError('interrupted').message],
    ['run_asking', new AppError('interrupted').messageZh],
  ] as const) {
    const outcome = { text: '', usage: { inputTokens: 0, outputTokens: 0 }, error: { code: 'interrupted', message, retryable: true } };
    expect(await read.runs.get(TENANT, id)).toMatchObject({ outcome, endedAt: expect.any(Number), lastSeq: 2, epoch: 2 });
    const events = await read.events.list(TENANT, id, 0, 10);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'text_delta'],
      [2, 'run_end'],
    ]);
    expect(events[1]).toMatchObject({ runId: id, data: { status: 'failed', ...outcome } });
    expect((await read.questions.get(TENANT, `question-of-${id}`))?.status).toBe('cancelled');
  }
  expect((await read.questions.get(TENANT, 'question-of-run_newest'))?.status).toBe('pending');
  expect(await read.events.list(TENANT, 'run_newest', 0, 10)).toHaveLength(1);

  // A gateway of the version before that still executes an ended run is fenced; the newest run goes on.
  const key = (id: string) => ({ tenantId: TENANT, id, sessionId: 'ses_1', epoch: 1 });
  const append = (id: string, seq: number) =>
    store.transaction('none', tx => tx.events.append(key(id), numbered([textDelta('b')], seq, key(id))));
  await expect(append('run_old', 2)).rejects.toMatchObject({ name: 'FencedError' });
  await append('run_newest', 2);
  const another = store.transaction('none', tx => tx.runs.insert(aRun({ id: 'run_another' })));
  await expect(another).rejects.toMatchObject({ code: 'session_busy' });
}

testUpgrade('the newest active run of a session goes on, and the others end as interrupted', {
  migration: '037',
  fill,
  check: expectOneActiveRun,
});
