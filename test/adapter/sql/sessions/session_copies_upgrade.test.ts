/** Upgrades of sessions: those of an earlier version are shown, can be copied, and keep their branches, projects and links. */
import { type Kysely, sql } from 'kysely';
import type { Store } from '../../../../src/port/store/store';
import { aSession, TENANT } from '../../../support/store_records';
import { testUpgrade } from '../../../support/upgraded_store';

async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
    values (${TENANT}, 'ses_1', 'Old', 'default', 'en', 'off', 1, 1)`.execute(db);
  await sql`insert into runs (tenant_id, id, session_id, ordinal, status, door, agent, locale, input, interaction, limits, last_seq, epoch,
      recoveries, cancel_requested, created_at, started_at, ended_at)
    values (${TENANT}, 'run_1', 'ses_1', 1, 'completed', 'socketio', 'default', 'en', 'hi', '{}', '{}', 1, 1, 0, 0, 1, 1, 1)`.execute(db);
  await sql`insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at)
    values (${TENANT}, 'msg_1', 'ses_1', 'run_1', 1, 0, '{"role":"user","content":"hi"}', 1)`.execute(db);
}

async function expectCopy(store: Store): Promise<void> {
  const titles = async () => (await store.read.sessions.list(TENANT, { limit: 10 })).data.map(({ title }) => title);
  expect(await titles()).toEqual(['Old']);
  await store.transaction({ session: { tenantId: TENANT, sessionId: 'ses_1' } }, async tx => {
    await tx.sessions.insert(aSession({ id: 'ses_copy', title: 'Copy' }));
    await tx.sessionCopies.begin({ tenantId: TENANT, sessionId: 'ses_copy', sourceId: 'ses_1', now: 2 });
  });
  expect(await titles()).toEqual(['Old']);
  const part = { size: 10, now: 3, nextId: () => 'msg_copy' };
  expect(await store.transaction('none', tx => tx.sessionCopies.copyPart(TENANT, 'ses_copy', part))).toBe('complete');
  expect(await titles()).toEqual(['Copy', 'Old']);
  expect(await store.read.messages.history(TENANT, 'ses_copy')).toMatchObject([{ id: 'msg_copy', message: { content: 'hi' } }]);
}

testUpgrade('sessions of the version before are shown, and can be copied', { migration: '039', fill, check: expectCopy });

/** A chat with a branch before a run of its own, and a fork of the chat with a branch before a copied run. */
async function fillBranches(db: Kysely<unknown>): Promise<void> {
  await fill(db);
  const branches = [
    ['ses_branch', 'ses_1', 'run_1'],
    ['ses_fork', 'ses_fork', null],
    ['ses_fork_branch', 'ses_fork', 'run_1'],
  ];
  for (const [id, rootId, runId] of branches) {
    await sql`insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at, root_session_id, before_run_id, project)
      values (${TENANT}, ${id}, 'Old', 'default', 'en', 'off', 2, 2, ${rootId}, ${runId}, '')`.execute(db);
    await sql`insert into runs (tenant_id, id, session_id, ordinal, status, door, agent, locale, input, interaction, limits, last_seq, epoch,
        recoveries, cancel_requested, created_at, started_at, ended_at)
      select tenant_id, 'run_of_' || ${id}, ${id}, ordinal, status, door, agent, locale, input, interaction, limits, last_seq, epoch, recoveries,
        cancel_requested, created_at, started_at, ended_at from runs where id = 'run_1'`.execute(db);
  }
  await sql`update sessions set root_session_id = 'ses_1' where id = 'ses_1'`.execute(db);
}

async function expectBranches(store: Store): Promise<void> {
  const sourcesOf = async (rootId: string) => (await store.read.sessionBranches.list(TENANT, rootId)).map(branch => branch.beforeSessionId);
  expect(await sourcesOf('ses_1')).toEqual(['ses_1']);
  expect(await sourcesOf('ses_fork')).toEqual(['ses_fork']);
  expect(await store.read.sessions.get(TENANT, 'ses_fork')).toMatchObject({ project: undefined });
}

testUpgrade('a branch of the version before stays in its chat', { migration: '047', fill: fillBranches, check: expectBranches });

/** A link to a chat with a message from after the link, and a link to a chat without messages. */
async function fillShares(db: Kysely<unknown>): Promise<void> {
  await fill(db);
  await sql`insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
    values (${TENANT}, 'ses_empty', 'Empty', 'default', 'en', 'off', 1, 1)`.execute(db);
  await sql`insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at)
    values (${TENANT}, 'msg_2', 'ses_1', 'run_1', 1, 1, '{"role":"assistant","content":"hello"}', 9)`.execute(db);
  for (const id of ['ses_1', 'ses_empty']) {
    await sql`insert into shares (tenant_id, id, session_id, token_hash, without_login, created_at, expires_at)
      values (${TENANT}, ${`shr_of_${id}`}, ${id}, ${id}, 1, 5, 9)`.execute(db);
  }
}

async function expectShares(store: Store): Promise<void> {
  const share = { isPublic: true, lastOrdinal: 1, lastPosition: 0 };
  expect(await store.read.shares.get(TENANT, 'shr_of_ses_1')).toMatchObject(share);
  expect(await store.read.shares.get(TENANT, 'shr_of_ses_empty')).toMatchObject({ ...share, lastOrdinal: -1, lastPosition: -1 });
}

testUpgrade('a link of the version before ends at the same message', { migration: '055', fill: fillShares, check: expectShares });
