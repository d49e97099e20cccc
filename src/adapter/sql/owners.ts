/** The owners of the store, each a table with its queries. */
import type { Kysely } from 'kysely';
import type { StoreTransaction } from '../../port/store/store';
import { ApiKeyTable } from './access/api_key_table';
import { AuditTable } from './access/audit_table';
import { IdempotencyTable } from './access/idempotency_table';
import { RateCounterTable } from './access/rate_counter_table';
import { isPostgres } from './base/dialect';
import type { Runner } from './base/query_template';
import type { Schema } from './base/schema';
import { VectorTable } from './embedding/vector_table';
import { JobTable } from './jobs/job_table';
import { MemoryBlockTable } from './memory/memory_block_table';
import { MemoryTable } from './memory/memory_table';
import { GaugeTable } from './ops/gauge_table';
import { OpsRunList } from './ops/ops_run_list';
import { OpsSessionList } from './ops/ops_session_list';
import { OpsTable } from './ops/ops_table';
import { QuestionTable } from './questions/question_table';
import { ResponseTable } from './responses/response_table';
import { EventExpiry } from './retention/event_expiry';
import { RetentionTable } from './retention/retention_table';
import { EventTable } from './runs/event_table';
import { RunTable } from './runs/run_table';
import { SteeringMessageTable } from './runs/steering_message_table';
import { SearchIndexing } from './search/search_indexing';
import { SearchTable } from './search/search_table';
import { TsvectorIndexing } from './search/tsvector_indexing';
import { ImageTable } from './sessions/image_table';
import { MessageTable } from './sessions/message_table';
import { SessionTable } from './sessions/session_table';
import { SummaryTable } from './sessions/summary_table';
import { TerminalTable } from './sessions/terminal_table';
import { TodoTable } from './sessions/todo_table';
import { SessionToolsTable } from './tools/session_tools_table';
import { ToolExecutionTable } from './tools/tool_execution_table';
import { UsageSums } from './usage/usage_sums';
import { UsageTable } from './usage/usage_table';
import { WebhookTable } from './webhooks/webhook_table';

type Owner = keyof StoreTransaction;
/** The table of each owner. Its queries are compiled when it is first used. */
type Tables = { readonly [O in Owner]: () => { on(runner: Runner): StoreTransaction[O] } };

/** Returns the owners for the runner of a reader or of a transaction. */
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
