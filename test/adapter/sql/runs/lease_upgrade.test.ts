/** Migration 034: runs of the version before, each with a lease of its own, and gateways of that version that still run. */
import { type Kysely, sql } from 'kysely';
import { WITH_NODE_LEASE } from '../../../../src/port/store/node_leases';
import type { Store } from '../../../../src/port/store/store';
import { TENANT } from '../../../support/store_records';
import { testUpgrade } from '../../../support/upgraded_store';

const now = Date.now();
const SOON = now + 60_000;

interface OldRun {
  id: string;
  status: string;
  owner?: string;
  leaseUntil?: number;
  callerAt?: string;
  callerUntil?: number;
}

const OLD_RUNS: readonly OldRun[] = [
  { id: 'run_1_held', status: 'running', owner: 'living', leaseUntil: SOON },
  { id: 'run_2_lost', status: 'waiting', owner: 'dead', leaseUntil: now - 60_000 },
  { id: 'run_3_released', status: 'running', owner: 'stopped', leaseUntil: 0 },
  { id: 'run_4_alone', status: 'running' },
  { id: 'run_5_queued', status: 'queued', callerAt: 'living', callerUntil: SOON },
  { id: 'run_6_left', status: 'queued', callerAt: 'dead', callerUntil: now - 60_000 },
  { id: 'run_7_from_before', status: 'queued', callerUntil: 0 },
  { id: 'run_8_ended', status: 'completed', owner: 'dead', leaseUntil: 5_000, callerAt: 'dead', callerUntil: 5_000 },
];

async function fill(db: Kysely<unknown>): Promise<void> {
  for (const [i, run] of OLD_RUNS.entries()) {
    const session = `ses_of_${run.id}`;
    await sql`insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
      values (${TENANT}, ${session}, 'Old', 'default', 'en', 'off', 1, 1)`.execute(db);
    await sql`insert into runs (tenant_id, id, session_id, ordinal, status, door, agent, locale, input, interaction, limits, last_seq, epoch,
        recoveries, cancel_requested, created_at, owner, lease_until, caller_at, caller_until)
      values (${TENANT}, ${run.id}, ${session}, 1, ${run.status}, 'openai', 'default', 'en', 'hi', '{}', '{}', 0, 1,
        0, 0, ${i + 1}, ${run.owner ?? null}, ${run.leaseUntil ?? null}, ${run.callerAt ?? null}, ${run.callerUntil ?? null})`.execute(db);
  }
}

async function expectOldRuns(store: Store): Promise<void> {
  const ids = (runs: readonly { id: string }[]) => runs.map(({ id }) => id);
  const orphans = () => store.read.runs.orphaned(Date.now());
  expect(ids(await orphans())).toEqual(['run_2_lost', 'run_3_released', 'run_4_alone']);
  expect((await orphans()).map(run => run.leaseUntil)).toEqual([WITH_NODE_LEASE, 0, 0]);
  expect(await store.read.nodeLeases.list()).toMatchObject([{ owner: 'dead' }, { owner: 'living', leaseUntil: SOON }]);
  const left = await store.read.runs.leftByCallers(Date.now());
  expect(left.map(run => [run.id, run.callerUntil])).toEqual([
    ['run_6_left', WITH_NODE_LEASE],
    ['run_7_from_before', 0],
  ]);
  expect(await store.read.runs.getState(TENANT, 'run_8_ended')).toMatchObject({ leaseUntil: 5_000, callerUntil: 5_000 });

  // The gateway of the version before goes on renewing the lease of its run, and the callers of another.
  const renew = (until: number) =>
    store.transaction('none', async tx => {
      await tx.nodeLeases.end('living');
      await tx.runs.update(TENANT, 'run_1_held', { from: ['running'] }, { leaseUntil: until });
      await tx.runs.update(TENANT, 'run_5_queued', { from: ['queued'] }, { callerUntil: until });
    });
  await renew(SOON);
  expect(ids(await orphans())).not.toContain('run_1_held');
  expect(ids(await store.read.runs.leftByCallers(Date.now()))).not.toContain('run_5_queued');
  await renew(now - 1_000);
  expect(ids(await orphans())).toContain('run_1_held');
  expect(ids(await store.read.runs.leftByCallers(Date.now()))).toContain('run_5_queued');
}

testUpgrade('runs of the version before keep their leases, and lost ones are found', { migration: '034', fill, check: expectOldRuns });
