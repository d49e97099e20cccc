/** The columns of runs. */
import type { Generated } from 'kysely';
import type { RunPatch, RunRecord, RunState } from '../../../port/store/runs';
import { defineTable, type RowOf } from '../base/define_table';

/** The parent of a child run has four columns, which are set together. */
type StoredRun = Omit<RunRecord, 'parent' | 'requestId'>;

export const RUNS = defineTable<StoredRun>()('runs', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text',
  ordinal: 'number',
  status: 'text',
  door: 'text',
  agent: 'text',
  locale: 'text',
  input: 'text',
  interaction: 'json',
  limits: 'json',
  metadata: 'json?',
  last_seq: 'number',
  recovered_at_seq: 'number?',
  epoch: 'number',
  owner: 'text?',
  lease_until: 'number?',
  caller_at: 'text?',
  caller_until: 'number?',
  recoveries: 'number',
  cancel_requested: 'flag',
  cancelled_by: 'text?',
  outcome: 'json?',
  created_at: 'number',
  started_at: 'number?',
  ended_at: 'number?',
  /** 1: no event is kept. 2: some are deleted, and readers get none of the rest. */
  events_expired: {
    encode: (isExpired?: boolean): 0 | 1 => (isExpired ? 1 : 0),
    decode: (stored: 0 | 1 | 2): boolean | undefined => stored !== 0 || undefined,
  },
  parent_run_id: ({ parent }: RunRecord) => parent?.runId ?? null,
  parent_session_id: ({ parent }: RunRecord) => parent?.sessionId ?? null,
  parent_call_id: ({ parent }: RunRecord) => parent?.toolCallId ?? null,
  parent_index: ({ parent }: RunRecord) => parent?.index ?? null,
  model: 'text?',
  parameters: 'json?',
  key_name: 'text?',
  written_by: 'text?',
  caller: 'json?',
  images: 'json?',
  files: 'json?',
  trace: 'json?',
  output_schema: 'json?',
  reserved_tokens: 'number?',
  reserved_nano_dollars: 'number?',
  price_question: 'json?',
});

/** Columns of a RunState. */
export const RUN_STATES = RUNS.without(
  'input',
  'interaction',
  'limits',
  'metadata',
  'outcome',
  'model',
  'parameters',
  'caller',
  'images',
  'files',
  'trace',
  'output_schema',
  'price_question',
);

/** The columns that a change of a run may set. */
export const RUN_CHANGES = defineTable<RunPatch>()('runs', {
  status: 'text?',
  epoch: 'number?',
  owner: 'text?',
  lease_until: 'number?',
  caller_at: 'text?',
  caller_until: 'number?',
  recoveries: 'number?',
  cancel_requested: 'flag?',
  cancelled_by: 'text?',
  recovered_at_seq: 'number?',
  outcome: 'json?',
  started_at: 'number?',
  ended_at: 'number?',
  usage_by_model: 'json?',
  recording: 'json?',
  spent_tokens: 'number?',
  spent_nano_dollars: 'number?',
  usage_pending: ({ usageByModel }: RunPatch): 1 | undefined => usageByModel && 1,
});

export interface RunRow extends RowOf<typeof RUNS> {
  /** Number of events of this run and of the newer ones of its session, as event_expiry.ts counted last; null before. */
  events_to_newest: number | null;
  /** Set when the run ends. */
  usage_by_model: string | null;
  /** Set when a run that can be replayed ends. */
  recording: string | null;
}

declare module '../base/schema' {
  interface Schema {
    /** `usage_pending` is 1 when the run has ended and its usage is not in `usage_days` yet. The spent amounts are those of an active run. */
    runs: RunRow & { usage_pending: Generated<0 | 1>; spent_tokens: Generated<number>; spent_nano_dollars: Generated<number> };
  }
}

export const toRunRecord = (row: RowOf<typeof RUNS>): RunRecord => withParent(row, RUNS.toRecord(row));
export const toRunState = (row: RowOf<typeof RUN_STATES>): RunState => withParent(row, RUN_STATES.toRecord(row));

function withParent<Run extends RunState>(row: RowOf<typeof RUN_STATES>, run: Run): Run {
  const { parent_run_id: runId, parent_session_id: sessionId, parent_call_id: toolCallId, parent_index: index } = row;
  if (runId !== null && sessionId !== null && toolCallId !== null && index !== null) run.parent = { runId, sessionId, toolCallId, index };
  return run;
}
