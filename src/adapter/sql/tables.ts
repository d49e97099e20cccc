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

/** Loads the search with the first one: most gateways start without. */
function newSearchTable(db: Kysely<Schema>): SearchTable {
  const { SearchTable }: typeof import('./search_table') = require('./search_table');
  if (isPostgres(db)) {
    const { tsvectorStatements }: typeof import('./tsvector_statements') = require('./tsvector_statements');
    return new SearchTable(tsvectorStatements(db));
  }
  const { searchStatements }: typeof import('./search_statements') = require('./search_statements');
  return new SearchTable(searchStatements(db));
}

/** Loads the memory blocks with the first run of an agent with memory. */
function newMemoryBlockTable(db: Kysely<Schema>): MemoryBlockTable {
  const { MemoryBlockTable }: typeof import('./memory_block_table') = require('./memory_block_table');
  return new MemoryBlockTable(db);
}

/** Loads the index of Postgres with it. */
function newTsvectorIndexing(
  db: Kysely<Schema>,
): Pick<SearchIndexing, 'hasMore' | 'indexNext' | 'unindexedAfter' | 'indexNextOf' | 'moveBack'> {
  const { TsvectorIndexing }: typeof import('./tsvector_indexing') = require('./tsvector_indexing');
  return new TsvectorIndexing(db);
}

/** Loads the vectors with the first use: gateways without an embedding model start without. */
function newVectorTable(db: Kysely<Schema>): VectorTable {
  const { VectorTable }: typeof import('./vector_table') = require('./vector_table');
  return new VectorTable(db);
}

/** Loads the numbers with the first request for them: most gateways are not monitored. */
function newGaugeTable(db: Kysely<Schema>): GaugeTable {
  const { GaugeTable }: typeof import('./gauge_table') = require('./gauge_table');
  return new GaugeTable(db);
}

/** Loads the images with the first use: most people send none. */
function newImageTable(db: Kysely<Schema>): ImageTable {
  const { ImageTable }: typeof import('./image_table') = require('./image_table');
  return new ImageTable(db);
}

/** Loads the responses with the first use: many gateways have no caller of /v1/responses. */
function newResponseTable(db: Kysely<Schema>): ResponseTable {
  const { ResponseTable }: typeof import('./response_table') = require('./response_table');
  return new ResponseTable(db);
}

/** Loads the counters with the first limit of a rate. */
function newRateCounterTable(db: Kysely<Schema>): RateCounterTable {
  const { RateCounterTable }: typeof import('./rate_counter_table') = require('./rate_counter_table');
  return new RateCounterTable(db);
}

/** Loads the usage of days after the first run. */
function newUsageTable(db: Kysely<Schema>): UsageTable {
  const { UsageTable }: typeof import('./usage_table') = require('./usage_table');
  return new UsageTable(db);
}

/** Loads the sums with the first report. */
function newUsageSums(db: Kysely<Schema>, usage: UsageTable): UsageSums {
  const { UsageSums }: typeof import('./usage_sums') = require('./usage_sums');
  return new UsageSums(db, usage);
}

/** Loads the webhooks with the first use, which is the first look for them. */
function newWebhookTable(db: Kysely<Schema>): WebhookTable {
  const { WebhookTable }: typeof import('./webhook_table') = require('./webhook_table');
  return new WebhookTable(db);
}

/** Loads the audit log with the first act. */
function newAuditTable(db: Kysely<Schema>): AuditTable {
  const { AuditTable }: typeof import('./audit_table') = require('./audit_table');
  return new AuditTable(db);
}

/** Loads the tables of operators with the first look at the switches, and the list of runs with the first operator. */
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

/** Loads the retention with the first cleaning up. */
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
