/** Converts runs between record and row. */
import type { CallerContext } from '../../port/caller';
import type { ImageReference } from '../../port/llm';
import type { ModelParameters } from '../../port/model_parameters';
import type { Interaction, RunLimits, RunOutcome, RunPatch, RunRecord, RunState } from '../../port/store/runs';
import type { TraceContext } from '../../port/trace_context';
import { definedFields } from '../../utils/defined_fields';
import { fromJson, toFlag, toJson } from './column_values';
import type { RunRow } from './schema';

export const RUN_COLUMNS = [
  'tenant_id',
  'id',
  'session_id',
  'ordinal',
  'status',
  'door',
  'agent',
  'locale',
  'input',
  'interaction',
  'limits',
  'metadata',
  'last_seq',
  'recovered_at_seq',
  'epoch',
  'owner',
  'lease_until',
  'caller_at',
  'caller_until',
  'recoveries',
  'cancel_requested',
  'outcome',
  'created_at',
  'started_at',
  'ended_at',
  'events_expired',
  'parent_run_id',
  'parent_session_id',
  'parent_call_id',
  'parent_index',
  'model',
  'parameters',
  'key_name',
  'caller',
  'images',
  'trace',
] as const satisfies readonly (keyof RunRow)[];

/** Columns of a RunState. */
export const RUN_STATE_COLUMNS = [
  'tenant_id',
  'id',
  'session_id',
  'ordinal',
  'status',
  'door',
  'agent',
  'locale',
  'last_seq',
  'recovered_at_seq',
  'epoch',
  'owner',
  'lease_until',
  'caller_at',
  'caller_until',
  'recoveries',
  'cancel_requested',
  'created_at',
  'started_at',
  'ended_at',
  'events_expired',
  'parent_run_id',
  'parent_session_id',
  'parent_call_id',
  'parent_index',
  'key_name',
] as const satisfies readonly (typeof RUN_COLUMNS)[number][];

/** A run without its ordinal, which the insert computes. */
export type NewRunRow = Omit<ReadRunRow, 'ordinal'>;

type ReadRunRow = Pick<RunRow, (typeof RUN_COLUMNS)[number]>;

type ChangeableColumn =
  | 'status'
  | 'epoch'
  | 'owner'
  | 'lease_until'
  | 'caller_at'
  | 'caller_until'
  | 'recoveries'
  | 'cancel_requested'
  | 'recovered_at_seq'
  | 'outcome'
  | 'started_at'
  | 'ended_at'
  | 'usage_by_model';

/** New values of columns; an absent column stays as it is. */
export type RunChange = Partial<Pick<RunRow, ChangeableColumn>> & { usage_pending?: 1 };

export function toRunRow(run: Omit<RunRecord, 'ordinal'>): NewRunRow {
  return {
    tenant_id: run.tenantId,
    id: run.id,
    session_id: run.sessionId,
    status: run.status,
    door: run.door,
    agent: run.agent,
    locale: run.locale,
    input: run.input,
    interaction: JSON.stringify(run.interaction),
    limits: JSON.stringify(run.limits),
    metadata: toJson(run.metadata),
    last_seq: run.lastSeq,
    recovered_at_seq: run.recoveredAtSeq ?? null,
    epoch: run.epoch,
    owner: run.owner ?? null,
    lease_until: run.leaseUntil ?? null,
    caller_at: run.callerAt ?? null,
    caller_until: run.callerUntil ?? null,
    recoveries: run.recoveries,
    cancel_requested: toFlag(run.cancelRequested),
    outcome: toJson(run.outcome),
    created_at: run.createdAt,
    started_at: run.startedAt ?? null,
    ended_at: run.endedAt ?? null,
    events_expired: toFlag(run.eventsExpired ?? false),
    parent_run_id: run.parent?.runId ?? null,
    parent_session_id: run.parent?.sessionId ?? null,
    parent_call_id: run.parent?.toolCallId ?? null,
    parent_index: run.parent?.index ?? null,
    model: run.model ?? null,
    parameters: toJson(run.parameters),
    key_name: run.keyName ?? null,
    caller: toJson(run.caller),
    images: toJson(run.images),
    trace: toJson(run.trace),
  };
}

/** Returns the columns of the set fields, always in the same order. */
export function toRunChange(patch: RunPatch): RunChange {
  return definedFields({
    status: patch.status,
    epoch: patch.epoch,
    owner: patch.owner,
    lease_until: patch.leaseUntil,
    caller_at: patch.callerAt,
    caller_until: patch.callerUntil,
    recoveries: patch.recoveries,
    cancel_requested: patch.cancelRequested === undefined ? undefined : toFlag(patch.cancelRequested),
    recovered_at_seq: patch.recoveredAtSeq,
    outcome: patch.outcome === undefined ? undefined : toJson(patch.outcome),
    started_at: patch.startedAt,
    ended_at: patch.endedAt,
    usage_by_model: patch.usageByModel && JSON.stringify(patch.usageByModel),
    usage_pending: patch.usageByModel && 1,
  });
}

export function toRunRecord(row: ReadRunRow): RunRecord {
  return {
    ...toRunState(row),
    input: row.input,
    interaction: fromJson<Interaction>(row.interaction),
    limits: fromJson<RunLimits>(row.limits),
    model: row.model ?? undefined,
    parameters: row.parameters === null ? undefined : fromJson<ModelParameters>(row.parameters),
    images: row.images === null ? undefined : fromJson<ImageReference[]>(row.images),
    trace: row.trace === null ? undefined : fromJson<TraceContext>(row.trace),
    caller: row.caller === null ? undefined : fromJson<CallerContext>(row.caller),
    metadata: row.metadata === null ? undefined : fromJson<Record<string, unknown>>(row.metadata),
    outcome: row.outcome === null ? undefined : fromJson<RunOutcome>(row.outcome),
  };
}

export function toRunState(row: Pick<RunRow, (typeof RUN_STATE_COLUMNS)[number]>): RunState {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    sessionId: row.session_id,
    ordinal: row.ordinal,
    status: row.status,
    door: row.door,
    agent: row.agent,
    locale: row.locale,
    lastSeq: row.last_seq,
    recoveredAtSeq: row.recovered_at_seq ?? undefined,
    epoch: row.epoch,
    owner: row.owner ?? undefined,
    leaseUntil: row.lease_until ?? undefined,
    callerAt: row.caller_at ?? undefined,
    callerUntil: row.caller_until ?? undefined,
    recoveries: row.recoveries,
    cancelRequested: row.cancel_requested === 1,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    eventsExpired: row.events_expired !== 0 || undefined,
    keyName: row.key_name ?? undefined,
    ...toParent(row),
  };
}

function toParent(row: Pick<RunRow, 'parent_run_id' | 'parent_session_id' | 'parent_call_id' | 'parent_index'>): Pick<RunState, 'parent'> {
  const { parent_run_id: runId, parent_session_id: sessionId, parent_call_id: toolCallId, parent_index: index } = row;
  if (runId === null || sessionId === null || toolCallId === null || index === null) return {};
  return { parent: { runId, sessionId, toolCallId, index } };
}
