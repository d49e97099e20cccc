/** The advisory locks of transactions. */
import { createHash } from 'node:crypto';
import type { Lock } from '../../port/store/lock';
import type { Statement } from './postgres_values';

/** Key of the lock that a migration takes alone and every transaction shares: "neta" in ASCII. */
export const MIGRATION_LOCK = 0x6e657461;
/** The server ends a transaction that waits this long for its gateway: one that was stopped must not hold its locks. */
const IDLE_MS = 6_000;
/** The same, where the lock of a gateway that was stopped would hold up a whole tenant, or the background work of all gateways. */
const SHARED_IDLE_MS = 1_000;

/** Returns the names of the locks, in the order tenant, leader, session, job, key. */
export function lockNames(lock: Lock): string[] {
  if (typeof lock === 'string') return [];
  const { tenant, leader, session, job, key } = lock;
  const names: string[] = [];
  if (tenant !== undefined) names.push(`tenant/${tenant}`);
  if (leader !== undefined) names.push(`leader/${leader}`);
  if (session) names.push(`session/${session.tenantId}/${session.sessionId}`);
  if (job) names.push(`job/${job.tenantId}/${job.id}`);
  if (key) names.push(`key/${key.tenantId}/${key.key}`);
  return names;
}

/**
 * Returns the statements that begin a transaction. The second one returns the id of the transaction and whether it holds all locks; it waits for none of
 * them, because a transaction that waits would keep its connection from others. Two names with the same number only wait for each other.
 */
export function beginStatements(names: readonly string[]): [begin: Statement, locks: Statement] {
  const isShared = names.some(name => name.startsWith('tenant/') || name.startsWith('leader/'));
  const tries = names.map((_, i) => `pg_try_advisory_xact_lock($${i + 1}::bigint)`).join(' and ') || 'true';
  // Statements that follow a refused try must not wait for a row: they would keep the connection, and the locks that the try got.
  const shortWait = "case when locked then null else set_config('lock_timeout', '1', true) end";
  const idle = isShared ? `, set_config('idle_in_transaction_session_timeout', '${SHARED_IDLE_MS}', true)` : '';
  const text = `with tried as materialized (select pg_advisory_xact_lock_shared(${MIGRATION_LOCK}), ${tries} as locked) select pg_current_xact_id()::text as xid, locked, ${shortWait}${idle} from tried`;
  return [BEGIN, { name: `begin_${names.length}${isShared ? '_shared' : ''}`, text, values: names.map(name => String(numberOf(name))) }];
}

const BEGIN: Statement = { name: 'begin', text: 'begin isolation level read committed', values: [] };

export const IDLE_SETTING = { idle_in_transaction_session_timeout: IDLE_MS };

const numberOf = (name: string): bigint => createHash('sha256').update(name).digest().readBigInt64BE();
