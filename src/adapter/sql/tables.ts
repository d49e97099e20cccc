/** The tables of the store, each with its queries. */
import type { Kysely } from 'kysely';
import { ApiKeyTable } from './api_key_table';
import type { AuditTable } from './audit_table';
import { isPostgres } from './dialect';
import { EventExpiry } from './event_expiry';
import { EventTable } from './event_table';
import type { GaugeTable } from './gauge_table';
import { IdempotencyTable } from './idempotency_table';
import type { ImageTable } from './image_table';
import { JobTable } from './job_table';
import type { MemoryBlockTable } from './memory_block_table';
import { MemoryTable } from './memory_table';
import { MessageTable } from './message_table';
import type { OpsRunList } from './ops_run_list';
import type { OpsSessionList } from './ops_session_list';
import type { OpsTable } from './ops_table';
import type { Runner } from './query_template';
import { QuestionTable } from './question_table';
import type { RateCounterTable } from './rate_counter_table';
import type { ResponseTable } from './response_table';
import type { RetentionTable } from './retention_table';
import { RunTable } from './run_table';
import type { Schema } from './schema';
import { SearchIndexing } from './search_indexing';
import type { SearchTable } from './search_table';
import { SessionTable } from './session_table';
import { SessionToolsTable } from './session_tools_table';
import { SteeringMessageTable } from './steering_message_table';
import { SummaryTable } from './summary_table';
import { TerminalTable } from './terminal_table';
import { TodoTable } from './todo_table';
import { ToolExecutionTable } from './tool_execution_table';
import type { UsageSums } from './usage_sums';
import type { UsageTable } from './usage_table';
import type { VectorTable } from './vector_table';
import type { WebhookTable } from './webhook_table';

/** All queries, compiled for one dialect. Holds no connection; a store needs one instance. */
export type Tables = ReturnType<typeof createTables>;

/** Compiles every query for the dialect of `db`. Executes nothing. */
export function createTables(db: Kysely<Schema>) {
  const usage = once(() => newUsageTable(db));
  return {
    sessions: new SessionTable(db),
    runs: new RunTable(db),
    steeringMessages: new SteeringMessageTable(db),
    messages: new MessageTable(db),
    events: new EventTable(db),
    eventExpiry: new EventExpiry(db),
    questions: new QuestionTable(db),
    todos: new TodoTable(db),
    terminals: new TerminalTable(db),
    toolExecutions: new ToolExecutionTable(db),
    idempotency: new IdempotencyTable(db),
    search: once(() => newSearchTable(db)),
    searchIndexing: isPostgres(db) ? newTsvectorIndexing(db) : new SearchIndexing(db),
    jobs: new JobTable(db),
    memories: new MemoryTable(db),
    memoryBlocks: once(() => newMemoryBlockTable(db)),
    vectors: once(() => newVectorTable(db)),
    summaries: new SummaryTable(db),
    sessionTools: new SessionToolsTable(db),
    apiKeys: new ApiKeyTable(db),
    images: once(() => newImageTable(db)),
    responses: once(() => newResponseTable(db)),
    rateCounters: once(() => newRateCounterTable(db)),
    usage,
    usageSums: once(() => newUsageSums(db, usage())),
    webhooks: once(() => newWebhookTable(db)),
    audit: once(() => newAuditTable(db)),
    ops: once(() => newOpsTable(db)),
    opsRuns: once(() => newOpsRunList(db)),
    opsSessions: (runner: Runner) => newOpsSessionList(db, runner),
    gauges: once(() => newGaugeTable(db)),
    retention: once(() => newRetentionTable(db)),
  };
}

/** Loads the search when it is first used: most gateways start without a search. */
function newSearchTable(db: Kysely<Schema>): SearchTable {
  const { SearchTable }: typeof import('./search_table') = require('./search_table');
  if (isPostgres(db)) {
    const { tsvectorStatements }: typeof import('./tsvector_statements') = require('./tsvector_statements');
    return new SearchTable(tsvectorStatements(db));
  }
  const { searchStatements }: typeof import('./search_statements') = require('./search_statements');
  return new SearchTable(searchStatements(db));
}

/** Loads the memory blocks when the first run of an agent with memory begins. */
function newMemoryBlockTable(db: Kysely<Schema>): MemoryBlockTable {
  const { MemoryBlockTable }: typeof import('./memory_block_table') = require('./memory_block_table');
  return new MemoryBlockTable(db);
}

/** Loads the indexing of Postgres when it is first used. */
function newTsvectorIndexing(
  db: Kysely<Schema>,
): Pick<SearchIndexing, 'hasMore' | 'indexNext' | 'unindexedAfter' | 'indexNextOf' | 'moveBack'> {
  const { TsvectorIndexing }: typeof import('./tsvector_indexing') = require('./tsvector_indexing');
  return new TsvectorIndexing(db);
}

/** Loads the vectors when they are first used: gateways without an embedding model need none. */
function newVectorTable(db: Kysely<Schema>): VectorTable {
  const { VectorTable }: typeof import('./vector_table') = require('./vector_table');
  return new VectorTable(db);
}

/** Loads the gauges when they are first read: most gateways are not monitored. */
function newGaugeTable(db: Kysely<Schema>): GaugeTable {
  const { GaugeTable }: typeof import('./gauge_table') = require('./gauge_table');
  return new GaugeTable(db);
}

/** Loads the images when they are first used: most people send none. */
function newImageTable(db: Kysely<Schema>): ImageTable {
  const { ImageTable }: typeof import('./image_table') = require('./image_table');
  return new ImageTable(db);
}

/** Loads the responses when they are first used: many gateways have no caller of /v1/responses. */
function newResponseTable(db: Kysely<Schema>): ResponseTable {
  const { ResponseTable }: typeof import('./response_table') = require('./response_table');
  return new ResponseTable(db);
}

/** Loads the rate counters when the first rate limit is checked. */
function newRateCounterTable(db: Kysely<Schema>): RateCounterTable {
  const { RateCounterTable }: typeof import('./rate_counter_table') = require('./rate_counter_table');
  return new RateCounterTable(db);
}

/** Loads the usage of days when the first run has ended. */
function newUsageTable(db: Kysely<Schema>): UsageTable {
  const { UsageTable }: typeof import('./usage_table') = require('./usage_table');
  return new UsageTable(db);
}

/** Loads the sums of usage when the first report is read. */
function newUsageSums(db: Kysely<Schema>, usage: UsageTable): UsageSums {
  const { UsageSums }: typeof import('./usage_sums') = require('./usage_sums');
  return new UsageSums(db, usage);
}

/** Loads the webhooks when they are first looked up. */
function newWebhookTable(db: Kysely<Schema>): WebhookTable {
  const { WebhookTable }: typeof import('./webhook_table') = require('./webhook_table');
  return new WebhookTable(db);
}

/** Loads the audit log when the first row is written or read. */
function newAuditTable(db: Kysely<Schema>): AuditTable {
  const { AuditTable }: typeof import('./audit_table') = require('./audit_table');
  return new AuditTable(db);
}

/** Loads the tables of operators when switches are first read, and the list of runs when an operator first reads it. */
function newOpsTable(db: Kysely<Schema>): OpsTable {
  const { OpsTable }: typeof import('./ops_table') = require('./ops_table');
  return new OpsTable(db);
}

function newOpsRunList(db: Kysely<Schema>): OpsRunList {
  const { OpsRunList }: typeof import('./ops_run_list') = require('./ops_run_list');
  return new OpsRunList(db);
}

function newOpsSessionList(db: Kysely<Schema>, runner: Runner): OpsSessionList {
  const { OpsSessionList }: typeof import('./ops_session_list') = require('./ops_session_list');
  return new OpsSessionList(db, runner);
}

/** Loads the retention queries when old data is first deleted. */
function newRetentionTable(db: Kysely<Schema>): RetentionTable {
  const { RetentionTable }: typeof import('./retention_table') = require('./retention_table');
  return new RetentionTable(db);
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
