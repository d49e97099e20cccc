/**
 * Tables and columns of the database; `migrations.ts` creates exactly these. JSON is text, booleans are 0 and 1, times are milliseconds since
 * 1970: types that every SQL database has.
 */

import type { Generated } from 'kysely';
import type { ThinkingLevel } from '../../port/llm';
import type { Door, RunEventType, RunStatus } from '../../port/run_event';
import type { QuestionKind, QuestionStatus } from '../../port/store/questions';
import type { Interaction } from '../../port/store/runs';
import type { Locale } from '../../port/store/sessions';
import type { ToolExecutionStatus } from '../../port/store/tool_executions';
import type { ApiKeyRow, LoginRow } from './api_key_rows';
import type { AuditRow, SettingRow } from './audit_row';
import type { SessionImageRow } from './image_row';
import type { JobRow, JobRunRow } from './job_row';
import type { MemoryChangesRow, MemoryRow, SessionMemoryBlockRow } from './memory_row';
import type { OpsNodeRow, OpsSwitchRow } from './ops_rows';
import type { ResponseRow } from './response_row';
import type { SessionToolsRow } from './session_tools_row';
import type { RateCounterRow, UsageDayRow, UsageToolDayRow } from './usage_rows';
import type { DeliveryRow, WebhookRow } from './webhook_rows';

type Json = string;
type Flag = 0 | 1;

export interface SessionRow {
  tenant_id: string;
  id: string;
  title: string;
  agent: string;
  locale: Locale;
  thinking_level: ThinkingLevel;
  metadata: Json | null;
  created_at: number;
  updated_at: number;
  /** The run that started this session as the session of a child run. */
  parent_run_id: string | null;
  parent_session_id: string | null;
  origin: Json | null;
  origin_door: 'openai' | null;
  /** Null: no choice yet. Empty: a choice that was taken back. */
  model: string | null;
  parameters: Json | null;
}

export interface RunRow {
  tenant_id: string;
  id: string;
  session_id: string;
  ordinal: number;
  status: RunStatus;
  door: Door;
  agent: string;
  locale: Locale;
  input: string;
  interaction: Json;
  limits: Json;
  metadata: Json | null;
  last_seq: number;
  recovered_at_seq: number | null;
  epoch: number;
  owner: string | null;
  lease_until: number | null;
  caller_at: string | null;
  caller_until: number | null;
  recoveries: number;
  cancel_requested: Flag;
  outcome: Json | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** 1: no event is kept. 2: some are deleted, and readers get none of the rest. */
  events_expired: Flag | 2;
  /** Number of events of this run and of the newer ones of its session, as event_expiry.ts counted last; null before. */
  events_to_newest: number | null;
  /** The four columns of a child run's parent are set together. */
  parent_run_id: string | null;
  parent_session_id: string | null;
  parent_call_id: string | null;
  parent_index: number | null;
  model: string | null;
  parameters: Json | null;
  key_name: string | null;
  caller: Json | null;
  /** Set when the run ends. */
  usage_by_model: Json | null;
  /** 1: the run has ended and its usage is not in `usage_days` yet. */
  usage_pending: Generated<Flag>;
  images: Json | null;
  trace: Json | null;
}

/** A row of `steers`. `position`: from 1 within the run, in the order of the inserts. */
export interface SteeringMessageRow {
  tenant_id: string;
  id: string;
  session_id: string;
  run_id: string;
  position: number;
  text: string;
  created_at: number;
  taken_at: number | null;
}

export interface MessageRow {
  tenant_id: string;
  id: string;
  session_id: string;
  run_id: string;
  run_ordinal: number;
  position: number;
  message: Json;
  created_at: number;
}

/** One event (first_seq = last_seq), or several deltas packed by `event_rows.ts`. */
export interface RunEventRow {
  tenant_id: string;
  run_id: string;
  session_id: string;
  first_seq: number;
  last_seq: number;
  type: RunEventType;
  /** Timestamp of the first event, exactly as emitted. */
  ts: string;
  data: Json;
}

/** A row of `clarifications`. */
export interface QuestionRow {
  tenant_id: string;
  id: string;
  kind: QuestionKind;
  session_id: string;
  run_id: string;
  tool_call_id: string | null;
  mode: Interaction['clarify'];
  question: string;
  choices: Json | null;
  approval: Json | null;
  approval_grant: string | null;
  approval_fingerprint: string | null;
  status: QuestionStatus;
  answer: string | null;
  created_at: number;
  expires_at: number;
  closed_at: number | null;
  parent_session_id: string | null;
  decided_by: string | null;
}

export interface TodoListRow {
  tenant_id: string;
  session_id: string;
  todos: Json;
  updated_at: number;
}

export interface TerminalRow {
  tenant_id: string;
  session_id: string;
  cwd: string;
  variables: Json;
  updated_at: number;
}

export interface ToolExecutionRow {
  tenant_id: string;
  id: string;
  session_id: string | null;
  run_id: string | null;
  tool_call_id: string | null;
  tool: string;
  command: string | null;
  user_name: string | null;
  agent: string | null;
  args: string;
  owner: string | null;
  status: ToolExecutionStatus;
  result: string | null;
  error: string | null;
  duration_ms: number | null;
  cached: Flag | null;
  duplicate: Flag | null;
  details: Json | null;
  created_at: number;
  ended_at: number | null;
  /** The whole answer of a direct call that was answered before it ended. */
  answer?: Json | null;
}

export interface IdempotencyKeyRow {
  tenant_id: string;
  key: string;
  fingerprint: string;
  run_id: string;
  created_at: number;
}

/** A message in the search index. `id`: the row of its tokens in `search_index`; those of one tenant stand in one range (search_terms.ts). */
export interface SearchDocumentRow {
  id: number;
  tenant_id: string;
  session_id: string;
  message_id: string;
  created_at: number;
  /** The message belongs to the session of a child run or of a door; searches leave it out unless they ask for its session. */
  is_child: Flag;
  /** Number of tokens. */
  length: number;
  /** See word_counts.ts. */
  counts: Uint8Array | null;
}

/** `number`: of the tenant's rows in the search index, never used again. `documents`: how many messages of the tenant were indexed. */
export interface SearchTenantRow {
  tenant_id: string;
  number: number;
  documents: number;
}

/** The only row of `search_progress`: the last message that the indexer read. */
export interface SearchProgressRow {
  id: 1;
  last_rowid: number;
  last_message_id: string;
}

/** The vector of a text, as 32-bit floats. */
export interface TextVectorRow {
  model: string;
  content_hash: string;
  vector: Uint8Array;
  used_at: number;
}

export interface SessionSummaryRow {
  tenant_id: string;
  session_id: string;
  run_ordinal: number;
  position: number;
  text: string;
  created_at: number;
}

export interface Schema {
  sessions: SessionRow;
  runs: RunRow;
  steers: SteeringMessageRow;
  messages: MessageRow;
  run_events: RunEventRow;
  clarifications: QuestionRow;
  todos: TodoListRow;
  terminals: TerminalRow;
  tool_executions: ToolExecutionRow;
  idempotency_keys: IdempotencyKeyRow;
  search_documents: SearchDocumentRow;
  search_progress: SearchProgressRow;
  search_tenants: SearchTenantRow;
  memories: MemoryRow;
  memory_changes: MemoryChangesRow;
  session_memory_blocks: SessionMemoryBlockRow;
  text_vectors: TextVectorRow;
  session_summaries: SessionSummaryRow;
  jobs: JobRow;
  job_runs: JobRunRow;
  session_tools: SessionToolsRow;
  session_images: SessionImageRow;
  responses: ResponseRow;
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  api_keys: ApiKeyRow;
  logins: LoginRow;
  rate_counters: RateCounterRow;
  usage_days: UsageDayRow;
  usage_tool_days: UsageToolDayRow;
  settings: SettingRow;
  audit_log: Omit<AuditRow, 'position'> & { position: Generated<number> };
  ops_switches: OpsSwitchRow;
  ops_nodes: OpsNodeRow;
}

export type Nullable<T> = { [K in keyof T]: T[K] | null };
