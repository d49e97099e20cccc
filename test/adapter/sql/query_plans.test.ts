import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import type { Runner } from '../../../src/adapter/sql/base/query_template';
import type { Schema } from '../../../src/adapter/sql/base/schema';
import { createOwners } from '../../../src/adapter/sql/owners';
import { SqliteConnection } from '../../../src/adapter/sqlite/sqlite_connection';
import type { PageRequest } from '../../../src/port/store/page';
import type { StoreTransaction } from '../../../src/port/store/store';
import { STORE_PARTS } from '../../support/store_parts';
import { aMessage, aQuestion, aRun, aSession, aToolExecution, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const KEY = 'tenant_id=? AND session_id=?';

/** Runs queries and keeps the plan of each. */
class PlanningRunner implements Runner {
  readonly plans = new Set<string>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly database: DatabaseSync,
  ) {}

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    this.explain(query.sql);
    return this.connection.rows(query);
  }

  async changes(query: CompiledQuery): Promise<number> {
    this.explain(query.sql);
    return this.connection.changes(query);
  }

  async write(query: CompiledQuery): Promise<void> {
    await this.changes(query);
  }

  private explain(sql: string): void {
    const values = [...sql.matchAll(/\?/g)].map(() => 1);
    const steps = this.database.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[];
    for (const { detail } of steps) this.plans.add(detail);
  }
}

describe('the plans of queries', () => {
  let tx: StoreTransaction;
  let runner: PlanningRunner;
  let release: () => Promise<void>;

  beforeEach(async () => {
    const temporary = await openTemporaryStore();
    await seed(temporary.store, async tx => {
      for (const i of [2, 3, 4]) {
        await tx.sessions.insert(aSession({ id: `ses_${i}` }));
        await tx.runs.insert(aRun({ id: `run_${i}`, sessionId: `ses_${i}` }));
        await tx.toolExecutions.insert(aToolExecution({ id: `exe_${i}` }));
        await tx.questions.insert(aQuestion({ id: `question-${i}` }));
        await tx.messages.insert([aMessage({ position: i })]);
      }
    });
    const connection = SqliteConnection.open(temporary.path, { busyTimeoutMs: 100 });
    const database = new DatabaseSync(temporary.path);
    runner = new PlanningRunner(connection, database);
    tx = createOwners(new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) }), STORE_PARTS)(runner);
    release = async () => {
      database.close();
      connection.close();
      await temporary.release();
    };
  });
  afterEach(() => release());

  it('finds due jobs by their indexes', async () => {
    await tx.jobs.due(1);
    const plans = [...runner.plans];
    expect(plans).toEqual(expect.arrayContaining([expect.stringContaining('jobs_due'), expect.stringContaining('jobs_queued')]));
    expect(plans.filter(plan => plan === 'SCAN jobs')).toEqual([]);
  });

  /** Steps that leave out sessions which are being copied: their list is read once, by its key. */
  const OF_COPIES = [
    'LIST SUBQUERY 1',
    'CREATE BLOOM FILTER',
    'SEARCH session_copies USING INDEX sqlite_autoindex_session_copies_1 (tenant_id=?)',
  ];
  /** Steps that leave out branches: one probe of an index which holds the sessions of chats with branches alone. */
  const OF_BRANCHES = [
    'CORRELATED SCALAR SUBQUERY 2',
    'SEARCH other USING COVERING INDEX sessions_of_root (tenant_id=? AND root_session_id=? AND updated_at>?)',
  ];
  type List = (page: PageRequest) => Promise<{ nextCursor?: string }>;
  const lists: [name: string, list: (tx: StoreTransaction) => List, plan: string][] = [
    ['sessions', tx => page => tx.sessions.list(TENANT, page), 'sessions_by_update (tenant_id=?'],
    ['messages', tx => page => tx.messages.list(TENANT, 'ses_1', page), `sqlite_autoindex_messages_2 (${KEY}`],
    ['messages, newest first', tx => page => tx.messages.list(TENANT, 'ses_1', page, 'desc'), `sqlite_autoindex_messages_2 (${KEY}`],
    ['runs', tx => page => tx.runs.list(TENANT, {}, page), 'runs_by_creation (tenant_id=?'],
    ['runs of a session', tx => page => tx.runs.list(TENANT, { sessionId: 'ses_1' }, page), `sqlite_autoindex_runs_2 (${KEY}`],
    ['failed runs', tx => page => tx.runs.list(TENANT, { status: 'failed' }, page), 'runs_unsuccessful (tenant_id=? AND status=?'],
    ['tool calls', tx => page => tx.toolExecutions.list(TENANT, {}, page), 'tool_executions_by_creation (tenant_id=?'],
    [
      'tool calls of a session',
      tx => page => tx.toolExecutions.list(TENANT, { sessionId: 'ses_1' }, page),
      `tool_executions_by_session (${KEY}`,
    ],
    [
      'calls of one tool in a session',
      tx => page => tx.toolExecutions.list(TENANT, { sessionId: 'ses_1', tool: 'read_file' }, page),
      `tool_executions_by_tool (${KEY} AND tool=?`,
    ],
    [
      'tool calls of a run',
      tx => page => tx.toolExecutions.list(TENANT, { runId: 'run_1' }, page),
      'tool_executions_by_run (tenant_id=? AND run_id=?',
    ],
    ['questions', tx => page => tx.questions.list(TENANT, {}, page), 'clarifications_by_creation (tenant_id=?'],
    ['questions of a session', tx => page => tx.questions.list(TENANT, { sessionId: 'ses_1' }, page), `clarifications_in_session (${KEY}`],
    [
      'open questions of a session',
      tx => page => tx.questions.list(TENANT, { sessionId: 'ses_1', status: 'pending' }, page),
      `clarifications_by_session (${KEY} AND status=?`,
    ],
    [
      'open questions',
      tx => page => tx.questions.list(TENANT, { status: 'pending' }, page),
      'clarifications_by_status (tenant_id=? AND status=?',
    ],
  ];
  test.each(lists)('read the first and a later page of %s in the order of an index', async (_, list, plan) => {
    const first = await list(tx)({ limit: 1, maxBytes: 10_000 });
    if (first.nextCursor !== undefined) await list(tx)({ limit: 1, maxBytes: 10_000, cursor: first.nextCursor });
    expect([...runner.plans].filter(step => !step.includes(plan) && ![...OF_COPIES, ...OF_BRANCHES].includes(step))).toEqual([]);
  });

  it('finds the calls that the turns of a session show by their runs', async () => {
    await tx.toolExecutions.list(TENANT, { shownIn: 'ses_1' }, { limit: 10, maxBytes: 10_000 });
    const plans = [...runner.plans];
    expect(plans).toEqual(
      expect.arrayContaining([
        expect.stringContaining('SEARCH calls USING INDEX tool_executions_by_run (tenant_id=? AND run_id=?'),
        expect.stringContaining('SEARCH child USING INDEX runs_of_parent (tenant_id=? AND parent_run_id=?'),
        expect.stringContaining(`SEARCH runs USING INDEX sqlite_autoindex_runs_2 (${KEY}`),
      ]),
    );
    expect(plans.filter(plan => /^SCAN (calls|runs|messages|child)/.test(plan))).toEqual([]);
  });

  it('finds the sessions of a chat by their first session, and counts their messages in an index', async () => {
    await tx.sessionBranches.sessions(TENANT, 'ses_1', { limit: 10, maxBytes: 10_000 });
    const plans = [...runner.plans];
    expect(plans).toEqual(
      expect.arrayContaining([
        'SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (tenant_id=? AND id=?)',
        'SEARCH branch USING COVERING INDEX sessions_of_root (tenant_id=? AND root_session_id=?)',
        `SEARCH own USING COVERING INDEX sqlite_autoindex_messages_2 (${KEY})`,
      ]),
    );
  });

  test('of each heartbeat, of the start and of the list of running runs read unfinished rows only', async () => {
    await tx.runs.unfinished();
    await tx.runs.countQueuedOfKeys(10);
    await tx.runs.idleQueued(0);
    await tx.questions.closedOf('owner');
    await tx.runs.orphaned(1_000);
    await tx.runs.ownedBy('owner');
    await tx.runs.cancelledOf('owner');
    await tx.runs.leftByCallers(1_000);
    await tx.runs.list(TENANT, { status: 'running' }, { limit: 1 });
    await tx.toolExecutions.runningDirectCalls();
    const indexes = new Set([...runner.plans].flatMap(step => / INDEX (\w+)/.exec(step)?.[1] ?? []));
    const ofUnfinished = [
      'runs_unfinished',
      'runs_one_active',
      'runs_queued',
      'runs_leased',
      'runs_with_callers',
      'tool_executions_running',
    ];
    const ofQuestions = [...indexes].filter(name => name.includes('clarifications'));
    expect(ofQuestions).toHaveLength(1);
    expect([...indexes].sort()).toEqual([...ofUnfinished, ...ofQuestions, 'sqlite_autoindex_node_leases_1'].sort());
    // Parts of the queue, and the few nodes that own runs.
    const scans = [...runner.plans].filter(step => /^SCAN (?!.* INDEX )/.test(step));
    expect(scans.sort()).toEqual(['SCAN CONSTANT ROW', 'SCAN nodes', 'SCAN part', 'SCAN queued']);
  });

  test('of the tools of a session read an index alone', async () => {
    await tx.toolExecutions.toolsOfSession(TENANT, 'ses_1');
    expect([...runner.plans]).toEqual([expect.stringContaining(`COVERING INDEX tool_executions_by_tool (${KEY}`)]);
  });

  test('of the queue of a session read its unfinished runs only', async () => {
    await tx.runs.active(TENANT, 'ses_1');
    await tx.runs.nextQueued(TENANT, 'ses_1');
    await tx.runs.countQueued(TENANT, 'ses_1');
    await tx.runs.unfinishedOf(TENANT, 'ses_1');
    expect([...runner.plans].sort()).toEqual(
      ['runs_one_active', 'runs_unfinished'].map(index => `SEARCH runs USING INDEX ${index} (${KEY})`),
    );
  });

  test('of the newest run of each job read one run a job', async () => {
    await tx.jobs.latestRuns(TENANT);
    const ofJobRuns = [...runner.plans].filter(step => /job_runs/.test(step));
    expect(ofJobRuns.length).toBeGreaterThan(0);
    expect(ofJobRuns.filter(step => !/ \(tenant_id=\? AND (run_id|job_id)=\?/.test(step))).toEqual([]);
    const ofNewest = [...runner.plans].filter(step => /\bnewest\b/.test(step));
    expect(ofNewest).toEqual([expect.stringMatching(/job_runs_by_creation \(tenant_id=\? AND job_id=\?\)/)]);
  });

  test('of the lists of children read the runs of that parent only', async () => {
    await tx.runs.list(TENANT, { parentRunId: 'run_1', status: 'completed' }, { limit: 10 });
    await tx.runs.children(TENANT, 'run_1');
    await tx.sessions.list(TENANT, { limit: 10 }, { parentRunId: 'run_1', title: 'a' });
    const reads = [...runner.plans].filter(step => / INDEX /.test(step));
    expect(reads).toEqual([
      'SEARCH runs USING INDEX runs_of_parent (tenant_id=? AND parent_run_id=?)',
      'SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (tenant_id=? AND id=?)',
    ]);
  });

  test('of the hourly clean-up read old sessions only', async () => {
    for (const kind of ['chat', 'stateless', 'response'] as const) await tx.retention.oldSessions(kind, 5_000, 10);
    const reads = [...runner.plans].filter(step => /^S\w+ sessions/.test(step) && !/tenant_id>|INDEX \w+$/.test(step));
    expect(reads).toEqual([
      'SEARCH sessions USING INDEX sessions_by_update (tenant_id=? AND updated_at<?)',
      'SEARCH sessions USING INDEX sessions_of_door (tenant_id=? AND origin_door=? AND updated_at<?)',
    ]);
  });

  test('never scan a table, whatever the query', async () => {
    await tx.sessions.get(TENANT, 'ses_1');
    await tx.runs.get(TENANT, 'run_1');
    await tx.runs.progress(TENANT, ['run_1']);
    await tx.runs.statesAfter(TENANT, 'ses_1', 0);
    await tx.sessions.touch(TENANT, 'ses_1', 2_000);
    await tx.questions.openText(TENANT, 'ses_1', 1_000);
    await tx.steeringMessages.pending(TENANT, 'run_1');
    await tx.messages.history(TENANT, 'ses_1', { runOrdinal: 1, position: 1 });
    await tx.messages.sizes(TENANT, 'ses_1', 1, 10);
    await tx.events.list(TENANT, 'run_1', 0, { limit: 10, maxBytes: 1_000 });
    await tx.questions.newestAnswer(TENANT, { sessionId: 'ses_1', grant: 'a' });
    await tx.questions.newestAnswer(TENANT, { runId: 'run_1', fingerprint: 'a' });
    await tx.idempotencyKeys.get(TENANT, 'key');
    await tx.idempotencyKeys.deleteBefore(1_000, 10);
    await tx.eventExpiry.expire(5_000, 0, 10);
    await tx.jobs.nextTimes();
    await tx.jobs.countUnfinishedRuns(TENANT, 'job_1');
    await tx.jobs.hasRun(TENANT, 'job_1', 1_000);
    await tx.jobs.ofRun(TENANT, 'run_1');
    await tx.runs.findChild(TENANT, { runId: 'run_1', toolCallId: 'call_1', index: 0 });
    await tx.sessions.childIds(TENANT, 'ses_1');
    while (await tx.sessions.deletePart(TENANT, 'ses_1', 1_000));
    await tx.sessions.delete(TENANT, 'ses_1');
    expect([...runner.plans].filter(step => /^SCAN \w+$|TEMP B-TREE/.test(step))).toEqual([]);
  });
});
