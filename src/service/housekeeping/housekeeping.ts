/**
 * Cleans up once an hour: deletes old data, adds up usage, seals the audit log, ends abandoned tool calls, resumes a purge that a crash or a failure has ended, and does
 * the hourly work of features.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { AuditLog } from '../audit/audit_log';
import { workInParts } from '../in_parts';
import type { UsageRollUp } from '../limits/usage_roll_up';
import { deleteAbandonedCopies } from '../session/session_fork';
import type { SessionService } from '../session/session_service';
import type { DirectCallService } from '../tool/direct_call_service';
import type { Purge } from './purge';
import { deleteOld, type RetentionDeps } from './retention';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Time in which a repeated request finds the first one. */
const IDEMPOTENCY_MS = 24 * HOUR_MS;

export interface HousekeepingDeps {
  store: Store;
  clock: Clock;
  purge: Purge;
  endAbandonedCalls: () => Promise<void>;
  /** Adds up the usage that an earlier process left. */
  rollUpUsage: () => Promise<void>;
  /** Deletes what is older than the operator wants to keep. */
  deleteOld: () => Promise<void>;
  onError: LogError;
}

export class Housekeeping {
  private stopTimer = () => {};
  private readonly added: (() => Promise<void>)[] = [];

  constructor(private readonly deps: HousekeepingDeps) {}

  /** Adds a part of the work of an hour. */
  add(part: () => Promise<void>): void {
    this.added.push(part);
  }

  /** Cleans up after `delayMs` and then once an hour, until `stop`. */
  start(delayMs = FIRST_MS): void {
    this.stopTimer = this.deps.clock.after(delayMs, () => {
      this.start(HOUR_MS);
      void this.cleanUp();
    });
  }

  stop(): void {
    this.stopTimer();
    this.deps.purge.stop();
  }

  /** Does the work of an hour. Never rejects: a part that fails does not stop the others. */
  async cleanUp(): Promise<void> {
    const { rollUpUsage, endAbandonedCalls, deleteOld, purge, onError } = this.deps;
    const parts = [() => this.deleteIdempotencyKeys(), rollUpUsage, endAbandonedCalls, ...this.added, deleteOld, () => purge.resume()];
    for (const part of parts) await part().catch(thrown => onError('a part of the clean-up failed', thrown));
  }

  private async deleteIdempotencyKeys(): Promise<void> {
    const before = this.deps.clock.now() - IDEMPOTENCY_MS;
    const deleteKeys = async (tx: StoreTransaction, size: number) => (await tx.idempotencyKeys.deleteBefore(before, size)) > 0;
    await workInParts(this.deps, { leader: 'housekeeping' }, { first: 500, most: 5_000 }, deleteKeys);
  }
}

interface HousekeepingServices extends Omit<RetentionDeps, 'purgeSession'> {
  auditLog: AuditLog;
  purge: Purge;
  directCallService: DirectCallService;
  usageRollUp: UsageRollUp;
  sessionService: SessionService;
}

/** Builds the housekeeping from services, each of which deletes its own old data. */
export function createHousekeeping(deps: HousekeepingServices): Housekeeping {
  const { store, clock, auditLog, purge, directCallService, usageRollUp, sessionService, days, ownerPeriods, onError } = deps;
  const purgeSession: RetentionDeps['purgeSession'] = (tenantId, id) => sessionService.purgeSession(tenantId, id);
  const housekeeping = new Housekeeping({
    store,
    clock,
    purge,
    endAbandonedCalls: () => directCallService.endAbandonedCalls(),
    rollUpUsage: () => usageRollUp.rollUp(),
    deleteOld: () => deleteOld({ store, clock, auditLog, days, ownerPeriods, purgeSession, onError }),
    onError,
  });
  // Rows that an earlier process left.
  housekeeping.add(() => auditLog.seal());
  housekeeping.add(() => deleteAbandonedCopies({ store, clock }, purgeSession));
  return housekeeping;
}
