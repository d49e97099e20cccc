/** The owners of the store, each a table with its queries. */
import type { Kysely } from 'kysely';
import type { StoreTransaction } from '../../port/store/store';
import { ApiKeyTable } from './access/api_key_table';
import { AuditTable } from './access/audit_table';
import { IdempotencyTable } from './access/idempotency_table';
import { RateCounterTable } from './access/rate_counter_table';
import { SessionMemberTable } from './access/session_member_table';
import { SwitchTable } from './access/switch_table';
import { isPostgres } from './base/dialect';
import type { Runner } from './base/query_template';
import type { Schema } from './base/schema';
import { VectorTable } from './embedding/vector_table';
import { migrationNames } from './migrations/migrate';
import { FileLockTable } from './nodes/file_lock_table';
import { NodeLeaseTable } from './nodes/node_lease_table';
import { GaugeTable } from './ops/gauge_table';
import { QuestionTable } from './questions/question_table';
import { EventExpiry } from './retention/event_expiry';
import { RetentionTable } from './retention/retention_table';
import { EventTable } from './runs/event_table';
import { RunTable } from './runs/run_table';
import { SteeringMessageTable } from './runs/steering_message_table';
import { SearchIndexing } from './search/fts5_indexing';
import { SearchTable } from './search/search_table';
import { TsvectorIndexing } from './search/tsvector_indexing';
import { ImageTable } from './sessions/image_table';
import { MessageTable } from './sessions/message_table';
import { SessionBranchTable } from './sessions/session_branch_table';
import { SessionCopyTable } from './sessions/session_copy_table';
import { SessionTable } from './sessions/session_table';
import { SummaryTable } from './sessions/summary_table';
import { TerminalTable } from './sessions/terminal_table';
import { TodoTable } from './sessions/todo_table';
import type { Owner, OwnerTable, StoreParts } from './store_part';
import { SessionToolsTable } from './tools/session_tools_table';
import { ToolExecutionTable } from './tools/tool_execution_table';
import { UsageSums } from './usage/usage_sums';
import { UsageTable } from './usage/usage_table';

/** Returns the owners for the runner of a reader or of a transaction. */
export type BindOwners = (runner: Runner) => StoreTransaction;

/** Owners whose queries each turn needs: compiled at the start. */
const OF_TURNS = ['sessions', 'runs', 'messages', 'events', 'questions', 'toolExecutions', 'steeringMessages', 'summaries'] as const;

/** Compiles queries for the dialect of `db`, which executes nothing. A store needs one call. */
export function createOwners(db: Kysely<Schema>, parts: StoreParts): BindOwners {
  const core = createTables(db, migrationNames(parts));
  for (const owner of OF_TURNS) core[owner]();
  const tables: Record<string, () => OwnerTable<Owner>> = { ...core };
  for (const part of Object.values(parts)) {
    for (const [owner, create] of Object.entries(part.owners)) {
      if (owner in tables) throw new Error(`Two parts of the store have an owner "${owner}".`);
      tables[owner] = once(() => create(db));
    }
  }

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
  // createTables has a table for each owner of the core, and a part one for each owner of its feature.
  return runner => new Bound(runner) as unknown as StoreTransaction;
}

function createTables(db: Kysely<Schema>, migrations: readonly string[]) {
  const usage = once(() => new UsageTable(db));
  const events = once(() => new EventTable(db));
  const eventExpiry = once(() => new EventExpiry(db));
  const retention = once(() => new RetentionTable(db));
  const summaries = once(() => new SummaryTable(db));
  const todos = once(() => new TodoTable(db));
  const sessionCopies = once(() => new SessionCopyTable(db, { summaries, todos }));
  const searchIndex = once(() => (isPostgres(db) ? new TsvectorIndexing(db) : new SearchIndexing(db)));
  return {
    apiKeys: once(() => new ApiKeyTable(db)),
    audit: once(() => new AuditTable(db)),
    eventExpiry,
    events,
    fileLocks: once(() => new FileLockTable(db)),
    gauges: once(() => new GaugeTable(db, migrations)),
    idempotencyKeys: once(() => new IdempotencyTable(db)),
    images: once(() => new ImageTable(db)),
    messages: once(() => new MessageTable(db, retention)),
    nodeLeases: once(() => new NodeLeaseTable(db)),
    questions: once(() => new QuestionTable(db)),
    rateCounters: once(() => new RateCounterTable(db)),
    retention,
    runs: once(() => new RunTable(db, events())),
    search: once(() => new SearchTable(db)),
    searchIndex,
    sessionBranches: once(() => new SessionBranchTable(db)),
    sessionCopies,
    sessions: once(() => new SessionTable(db, { usage, eventExpiry, retention, sessionCopies })),
    sessionMembers: once(() => new SessionMemberTable(db)),
    sessionTools: once(() => new SessionToolsTable(db)),
    steeringMessages: once(() => new SteeringMessageTable(db)),
    switches: once(() => new SwitchTable(db)),
    summaries,
    terminals: once(() => new TerminalTable(db)),
    todos,
    toolExecutions: once(() => new ToolExecutionTable(db)),
    usage,
    usageSums: once(() => new UsageSums(db, usage())),
    vectors: once(() => new VectorTable(db)),
  } satisfies { readonly [O in Owner]?: () => OwnerTable<O> };
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
