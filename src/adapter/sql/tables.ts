/** The owners of the store, each a table with its queries. */
import type { Kysely } from 'kysely';
import type { StoreTransaction } from '../../port/store/store';
import { ApiKeyTable } from './api_key_table';
import { AuditTable } from './audit_table';
import { isPostgres } from './dialect';
import { EventExpiry } from './event_expiry';
import { EventTable } from './event_table';
import { GaugeTable } from './gauge_table';
import { IdempotencyTable } from './idempotency_table';
import { ImageTable } from './image_table';
import { JobTable } from './job_table';
import { MemoryBlockTable } from './memory_block_table';
import { MemoryTable } from './memory_table';
import { MessageTable } from './message_table';
import { OpsRunList } from './ops_run_list';
import { OpsSessionList } from './ops_session_list';
import { OpsTable } from './ops_table';
import type { Runner } from './query_template';
import { QuestionTable } from './question_table';
import { RateCounterTable } from './rate_counter_table';
import { ResponseTable } from './response_table';
import { RetentionTable } from './retention_table';
import { RunTable } from './run_table';
import type { Schema } from './schema';
import { SearchIndexing } from './search_indexing';
import { SearchTable } from './search_table';
import { SessionTable } from './session_table';
import { SessionToolsTable } from './session_tools_table';
import { SteeringMessageTable } from './steering_message_table';
import { SummaryTable } from './summary_table';
import { TerminalTable } from './terminal_table';
import { TodoTable } from './todo_table';
import { ToolExecutionTable } from './tool_execution_table';
import { TsvectorIndexing } from './tsvector_indexing';
import { UsageSums } from './usage_sums';
import { UsageTable } from './usage_table';
import { VectorTable } from './vector_table';
import { WebhookTable } from './webhook_table';

type Owner = keyof StoreTransaction;
/** The table of each owner. Its queries are compiled when it is first used. */
type Tables = { readonly [O in Owner]: () => { on(runner: Runner): StoreTransaction[O] } };

/** Returns the owners for one runner: those of a reader or of a transaction. */
export type BindOwners = (runner: Runner) => StoreTransaction;

/** Owners whose queries each turn needs: compiled at the start. */
const OF_TURNS = ['sessions', 'runs', 'messages', 'events', 'questions', 'toolExecutions', 'steeringMessages', 'summaries'] as const;

/** Compiles queries for the dialect of `db`, which executes nothing. A store needs one call. */
export function createOwners(db: Kysely<Schema>): BindOwners {
  const tables = createTables(db);
  for (const owner of OF_TURNS) tables[owner]();

  class Bound {
    constructor(readonly runner: Runner) {}
  }
  for (const [owner, table] of Object.entries(tables)) {
    Object.defineProperty(Bound.prototype, owner, {
      get(this: Bound) {
        return table().on(this.runner);
      },
    });
  }
  // The type of `tables` says that each owner has a table, and so a getter.
  return runner => new Bound(runner) as unknown as StoreTransaction;
}

function createTables(db: Kysely<Schema>) {
  const usage = once(() => new UsageTable(db));
  const events = once(() => new EventTable(db));
  const eventExpiry = once(() => new EventExpiry(db));
  const retention = once(() => new RetentionTable(db));
  const searchIndex = once(() => (isPostgres(db) ? new TsvectorIndexing(db) : new SearchIndexing(db)));
  return {
    apiKeys: once(() => new ApiKeyTable(db)),
    audit: once(() => new AuditTable(db)),
    eventExpiry,
    events,
    gauges: once(() => new GaugeTable(db)),
    idempotencyKeys: once(() => new IdempotencyTable(db)),
    images: once(() => new ImageTable(db)),
    jobs: once(() => new JobTable(db)),
    memories: once(() => new MemoryTable(db, retention())),
    memoryBlocks: once(() => new MemoryBlockTable(db)),
    messages: once(() => new MessageTable(db)),
    ops: once(() => new OpsTable(db)),
    opsRuns: once(() => new OpsRunList(db)),
    opsSessions: once(() => new OpsSessionList(db)),
    questions: once(() => new QuestionTable(db)),
    rateCounters: once(() => new RateCounterTable(db)),
    responses: once(() => new ResponseTable(db)),
    retention,
    runs: once(() => new RunTable(db, events())),
    search: once(() => new SearchTable(db)),
    searchIndex,
    sessions: once(() => new SessionTable(db, { usage, eventExpiry, searchIndex, retention })),
    sessionTools: once(() => new SessionToolsTable(db)),
    steeringMessages: once(() => new SteeringMessageTable(db)),
    summaries: once(() => new SummaryTable(db)),
    terminals: once(() => new TerminalTable(db)),
    todos: once(() => new TodoTable(db)),
    toolExecutions: once(() => new ToolExecutionTable(db)),
    usage,
    usageSums: once(() => new UsageSums(db, usage())),
    vectors: once(() => new VectorTable(db)),
    webhooks: once(() => new WebhookTable(db)),
  } satisfies Tables;
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
