/** Deletes what is older than the operator wants to keep, in small parts. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { OldSession, SessionKind } from '../../port/store/retention';
import type { Store } from '../../port/store/store';
import { type AuditRecorder, byGateway } from '../audit/audit_log';
import { workInParts } from '../in_parts';
import { type OwnerPeriods, storeOwnerDays } from './owner_periods';

/** Days, by what is kept; 0: for ever. */
export interface RetentionDays {
  /** Sessions of people and jobs, since they were last used, with everything that belongs to them. */
  sessions: number;
  /** Sessions of OpenAI clients that send the whole conversation each time. */
  statelessSessions: number;
  /** Temporary chats, since they were last used. */
  temporarySessions: number;
  /** Sessions with responses of /v1/responses. */
  responses: number;
  /** Events of ended runs; each session keeps its newest ones in any case. */
  events: number;
  /** Tool calls without a session. */
  directCalls: number;
  audit: number;
  usage: number;
}

export interface RetentionDeps {
  store: Store;
  clock: Clock;
  auditLog: AuditRecorder;
  days: RetentionDays;
  /** The days of people; filled by the feature that knows them. */
  ownerPeriods: { readonly current: OwnerPeriods };
  purgeSession: (tenantId: string, sessionId: string) => Promise<void>;
  onError: LogError;
}

const DAY_MS = 86_400_000;
const SESSIONS_AT_ONCE = 50;
const EVENT_PARTS = { first: 300, most: 5_000 };
const ROW_PARTS = { first: 200, most: 2_000 };
/** Each session keeps at least this many of its newest events, however old they are. */
const KEPT_EVENTS = 10_000;

const DAYS_OF = {
  chat: 'sessions',
  stateless: 'statelessSessions',
  response: 'responses',
  temporary: 'temporarySessions',
} as const satisfies Record<SessionKind, keyof RetentionDays>;

/** Deletes old data. Never rejects: a failure is logged and does not stop the rest. */
export async function deleteOld(deps: RetentionDeps): Promise<void> {
  const { store, days } = deps;
  await withDays(deps, days.events, before =>
    workInParts(
      deps,
      { leader: 'housekeeping' },
      EVENT_PARTS,
      async (tx, size) => (await tx.eventExpiry.expire(before, KEPT_EVENTS, size)).isMore,
    ),
  );
  for (const kind of ['temporary', 'stateless', 'response'] as const) await deleteOfKind(deps, kind);
  await deleteChats(deps).catch(thrown => deps.onError('old data cannot be deleted', thrown));
  await withDays(deps, days.directCalls, before =>
    workInParts(
      deps,
      { leader: 'housekeeping' },
      ROW_PARTS,
      async (tx, size) => (await tx.retention.deleteOldDirectCalls(before, size)) > 0,
    ),
  );
  await withDays(deps, days.usage, before =>
    store.transaction({ leader: 'housekeeping' }, tx => tx.retention.deleteOldUsage(new Date(before).toISOString().slice(0, 10))),
  );
  await withDays(deps, days.audit, before => pruneAudit(deps, before));
}

/** Deletes no chats while the days of their owners cannot be stored: chats that are to be kept would go. */
async function deleteChats(deps: RetentionDeps): Promise<void> {
  const { store, clock, ownerPeriods } = deps;
  await storeOwnerDays(store, ownerPeriods.current);
  await deleteOfKind(deps, 'chat');
  await deleteSessions(deps, limit => store.read.retention.oldSessionsOfOwners(clock.now(), limit));
}

const deleteOfKind = (deps: RetentionDeps, kind: SessionKind): Promise<void> =>
  withDays(deps, deps.days[DAYS_OF[kind]], before =>
    deleteSessions(deps, limit => deps.store.read.retention.oldSessions(kind, before, limit)),
  );

async function withDays({ clock, onError }: RetentionDeps, days: number, work: (before: number) => Promise<unknown>): Promise<void> {
  if (days > 0) await work(clock.now() - days * DAY_MS).catch(thrown => onError('old data cannot be deleted', thrown));
}

/** Leaves out sessions that cannot be deleted, and gives up when there are many. */
async function deleteSessions(
  { purgeSession, onError }: Pick<RetentionDeps, 'purgeSession' | 'onError'>,
  oldSessions: (limit: number) => Promise<OldSession[]>,
): Promise<void> {
  const failed = new Set<string>();
  while (failed.size < SESSIONS_AT_ONCE) {
    const old = await oldSessions(SESSIONS_AT_ONCE + failed.size);
    const sessions = old.filter(({ id }) => !failed.has(id));
    if (sessions.length === 0) return;
    for (const { tenantId, id: sessionId } of sessions) {
      await purgeSession(tenantId, sessionId).catch(thrown => {
        if (failed.size === 0) onError('an old session cannot be deleted', thrown, { sessionId });
        failed.add(sessionId);
      });
    }
  }
}

/** Says in the log how many rows are gone: a reader must not take the missing beginning for a manipulation. */
async function pruneAudit(deps: RetentionDeps, before: number): Promise<void> {
  await workInParts(deps, { leader: 'audit' }, ROW_PARTS, async (tx, size) => {
    const rows = await tx.audit.prune(before, size);
    const details = { rows, before: new Date(before).toISOString() };
    if (rows > 0) await deps.auditLog.record({ ...byGateway('gateway:housekeeping'), action: 'audit.prune', target: 'audit', details }, tx);
    return rows > 0;
  });
}
