/**
 * Durable state. Each owner has an interface of its own, and a property of the store's reader and transaction: `store.read.runs.get(...)`,
 * `tx.runs.insert(...)`. Every method takes the tenant unless its comment says "all tenants": a row of another tenant is the same as no row.
 * Every method rejects with AppError `store_unavailable` when the medium fails (disk full, read-only, locked) and with `internal` when a row
 * breaks a constraint, such as an id that is taken or a session that does not exist. A second active run of a session is refused with
 * SessionBusyError.
 */
import type { ApiKeyReader, ApiKeyWriter } from './api_keys';
import type { AuditReader, AuditWriter } from './audit';
import type { EventExpiryWriter, EventReader, EventWriter } from './events';
import type { FileLockWriter } from './file_locks';
import type { GaugeReader } from './gauges';
import type { IdempotencyKeyReader, IdempotencyKeyWriter } from './idempotency_keys';
import type { ImageReader, ImageWriter } from './images';
import type { Lock } from './lock';
import type { MessageReader, MessageWriter } from './messages';
import type { NodeLeaseReader, NodeLeaseWriter } from './node_leases';
import type { QuestionReader, QuestionWriter } from './questions';
import type { RateCounterWriter } from './rate_counters';
import type { RetentionReader, RetentionWriter } from './retention';
import type { RunReader, RunWriter } from './runs';
import type { SearchIndexReader, SearchIndexWriter, SearchReader } from './search';
import type { SessionMemberReader, SessionMemberWriter } from './session_access';
import type { SessionBranchReader, SessionBranchWriter } from './session_branches';
import type { SessionCopyReader, SessionCopyWriter } from './session_copies';
import type { SessionToolsReader, SessionToolsWriter } from './session_tools';
import type { SessionReader, SessionWriter } from './sessions';
import type { SteeringMessageReader, SteeringMessageWriter } from './steering_messages';
import type { SummaryReader, SummaryWriter } from './summaries';
import type { SwitchReader, SwitchWriter } from './switches';
import type { TerminalReader, TerminalWriter } from './terminals';
import type { TodoReader, TodoWriter } from './todos';
import type { ToolExecutionReader, ToolExecutionWriter } from './tool_executions';
import type { UsageReader, UsageSumReader, UsageWriter } from './usage';
import type { VectorReader, VectorWriter } from './vectors';

/** The writer of each owner. A feature adds its owners here and to StoreReader, beside the types of its records. */
export interface StoreWriters {
  apiKeys: ApiKeyWriter;
  audit: AuditWriter;
  eventExpiry: EventExpiryWriter;
  events: EventWriter;
  fileLocks: FileLockWriter;
  idempotencyKeys: IdempotencyKeyWriter;
  images: ImageWriter;
  messages: MessageWriter;
  nodeLeases: NodeLeaseWriter;
  questions: QuestionWriter;
  rateCounters: RateCounterWriter;
  retention: RetentionWriter;
  runs: RunWriter;
  searchIndex: SearchIndexWriter;
  sessionBranches: SessionBranchWriter;
  sessionCopies: SessionCopyWriter;
  sessions: SessionWriter;
  sessionMembers: SessionMemberWriter;
  sessionTools: SessionToolsWriter;
  steeringMessages: SteeringMessageWriter;
  summaries: SummaryWriter;
  switches: SwitchWriter;
  terminals: TerminalWriter;
  todos: TodoWriter;
  toolExecutions: ToolExecutionWriter;
  usage: UsageWriter;
  vectors: VectorWriter;
}

/** Reads of every owner. A function that needs a few owners asks for those alone: `read: Pick<StoreReader, 'runs' | 'messages'>`. */
export interface StoreReader {
  readonly apiKeys: ApiKeyReader;
  readonly audit: AuditReader;
  readonly events: EventReader;
  readonly gauges: GaugeReader;
  readonly idempotencyKeys: IdempotencyKeyReader;
  readonly images: ImageReader;
  readonly messages: MessageReader;
  readonly nodeLeases: NodeLeaseReader;
  readonly questions: QuestionReader;
  readonly retention: RetentionReader;
  readonly runs: RunReader;
  readonly search: SearchReader;
  readonly searchIndex: SearchIndexReader;
  readonly sessionBranches: SessionBranchReader;
  readonly sessionCopies: SessionCopyReader;
  readonly sessions: SessionReader;
  readonly sessionMembers: SessionMemberReader;
  readonly sessionTools: SessionToolsReader;
  readonly steeringMessages: SteeringMessageReader;
  readonly summaries: SummaryReader;
  readonly switches: SwitchReader;
  readonly terminals: TerminalReader;
  readonly todos: TodoReader;
  readonly toolExecutions: ToolExecutionReader;
  readonly usage: UsageReader;
  readonly usageSums: UsageSumReader;
  readonly vectors: VectorReader;
}

/** Reads and writes inside one transaction; reads see what the transaction wrote. */
export type StoreTransaction = StoreReader & Readonly<StoreWriters>;

/** A store that is read only. Name the owners to say what is used: `ReadableStore<'events'>`. */
export interface ReadableStore<Owner extends keyof StoreReader = keyof StoreReader> {
  /** Reads what is committed. */
  readonly read: Pick<StoreReader, Owner>;
}

export interface TransactionOptions {
  /** No caller waits for the transaction: it may share the commit of a later transaction, which saves a sync. It begins before the later one. */
  isPatient?: boolean;
}

/**
 * The whole store.
 * @example
 * import type { RunRecord } from './runs';
 * import type { SessionRecord } from './sessions';
 * import type { Store } from './store';
 *
 * export async function startSession(store: Store, session: SessionRecord, run: RunRecord) {
 *   await store.transaction({ session: run }, async tx => {
 *     await tx.sessions.insert(session);
 *     await tx.runs.insert(run);
 *   });
 *   return store.read.events.list(run.tenantId, run.id, 0, 100);
 * }
 */
export interface Store extends ReadableStore {
  /** As `read`, for lists, searches, exports and figures: a replica may answer, with everything that was committed before the call. */
  readonly lists: StoreReader;
  /**
   * Runs `work` atomically and resolves once it is durable. Several callers may share one commit: a `work` that rejects undoes only itself,
   * a medium that fails may undo all that share the commit. Inside, await only calls of `tx`, and await each of them. No other transaction that
   * declares the same lock runs at the same time; `tx` reads what was committed before.
   */
  transaction<T>(lock: Lock, work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Resolves when the store can be written now; for readyz. */
  check(): Promise<void>;
  /** Empties the files beside the database, which hold earlier versions of changed rows. Resolves false when another process uses these files now. */
  emptyLog(): Promise<boolean>;
  /** Finishes the transactions that were submitted, then rejects every later one with `store_unavailable`. */
  close(): Promise<void>;
}
