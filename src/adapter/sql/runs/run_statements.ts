/** The compiled queries about runs. */
import { type Kysely, type SqlBool, sql, type UpdateResult } from 'kysely';
import { LOCAL_KEY_NAME } from '../../../port/principal';
import type { RunStatus } from '../../../port/run_event';
import { RUNS_PER_READ } from '../../../port/store/runs';
import { orUnchanged } from '../base/column_values';
import type { RowOf } from '../base/define_table';
import { unindexed } from '../base/dialect';
import { pick, type Template, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { insertInto, selectBy } from '../base/table_statements';
import { type RUN_CHANGES, RUN_STATES, RUNS, type RunRow } from './run_rows';

/** Limits are literals: SQLite replans a statement with a bound limit at each execution, which costs more than running it. */
const ONE = sql.lit(1);
/** Limit of `after`, `statesAfter` and `children`. */
const MAX_RUNS = sql.lit(RUNS_PER_READ);

/** Must equal the condition of the partial index `runs_unfinished`, or SQLite does not use it. */
export const isUnfinished = sql.raw<SqlBool>("status in ('queued', 'running', 'waiting')");

/** Statuses are literals, because SQLite compares them with the conditions of partial indexes when it compiles a statement. */
const hasStatus = (...statuses: readonly RunStatus[]) => sql<SqlBool>`status in (${sql.join(statuses.map(status => sql.lit(status)))})`;
/** The condition of the partial index `runs_queued`. */
const isQueued = sql.raw<SqlBool>("status = 'queued'");
/** Queued runs that a heartbeat looks at. */
const QUEUE_PART = 1_000;
const IS_QUEUED = hasStatus('queued');
export const IS_ACTIVE = hasStatus('running', 'waiting');

type RunChange = Partial<RowOf<typeof RUN_CHANGES>>;
type RunKey = Pick<RunRow, 'tenant_id' | 'id'>;
type SessionKey = Pick<RunRow, 'tenant_id' | 'session_id'>;
type UnfinishedPlace = SessionKey & Pick<RunRow, 'ordinal'>;

/** The run to change, and its epoch unless that is null. */
type ExpectedRun = RunKey & { expected_epoch: number | null };

/** Ids that one statement selects. */
export const IDS_AT_ONCE = 64;

/**
 * The placeholders of IDS_AT_ONCE ids. Their number is fixed, so that one statement serves any number of ids; spare placeholders repeat the first id.
 */
type IdPlaces = { [place: `id_${number}`]: string };

export function idPlaces(ids: readonly string[]): IdPlaces {
  return Object.fromEntries(Array.from({ length: IDS_AT_ONCE }, (_, i) => [`id_${i}`, ids[i] ?? ids[0] ?? '']));
}

export function runStatements(db: Kysely<Schema>) {
  return {
    ...runReads(db),
    ...runCounts(db),
    ...childReads(db),
    ...queueReads(db),
    insert: insertInto(db, RUNS),
    nextOrdinal: nextOrdinal(db),
    update: updateRun(db),
  };
}

function runReads(db: Kysely<Schema>) {
  const runs = db.selectFrom('runs').select(RUNS.columns);
  const inSession = (key: SessionKey) => runs.where('tenant_id', '=', key.tenant_id).where('session_id', '=', key.session_id);
  const states = db.selectFrom('runs').select(RUN_STATES.columns);
  return {
    state: selectBy(db, RUN_STATES, 'tenant_id', 'id'),
    progress: template((key: Pick<RunRow, 'tenant_id'> & IdPlaces) =>
      db
        .selectFrom('runs')
        .select(['id', 'status', 'last_seq'])
        .where('tenant_id', '=', key.tenant_id)
        .where(
          'id',
          'in',
          Object.keys(idPlaces([])).map(place => key[place as keyof IdPlaces] as string),
        ),
    ),
    statesAfter: template((key: SessionKey & { ordinal: number }) =>
      states
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('ordinal', '>', key.ordinal)
        .orderBy('ordinal')
        .limit(MAX_RUNS),
    ),
    get: selectBy(db, RUNS, 'tenant_id', 'id'),
    after: template((key: SessionKey & { ordinal: number }) =>
      inSession(key).where('ordinal', '>', key.ordinal).orderBy('ordinal').limit(MAX_RUNS),
    ),
    active: template((key: SessionKey) => inSession(key).where(isUnfinished).where(IS_ACTIVE).limit(ONE)),
    nextQueued: template((key: SessionKey) => inSession(key).where(isUnfinished).where(IS_QUEUED).orderBy('ordinal').limit(ONE)),
    countQueued: template((key: SessionKey) =>
      db
        .selectFrom('runs')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where(isUnfinished)
        .where(IS_QUEUED),
    ),
    unfinishedOf: template((key: SessionKey) =>
      db
        .selectFrom('runs')
        .select(['id', 'status'])
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where(isUnfinished),
    ),
    ...unfinishedReads(db),
  };
}

/** Reads parts of the index `runs_unfinished`, in its order. */
function unfinishedReads(db: Kysely<Schema>) {
  const next = ({ tenant_id, session_id, ordinal }: UnfinishedPlace) =>
    db
      .selectFrom('runs')
      .select(RUN_STATES.columns)
      .where(isUnfinished)
      .where(sql<SqlBool>`(tenant_id, session_id, ordinal) > (${tenant_id}, ${session_id}, ${ordinal})`)
      .orderBy('tenant_id')
      .orderBy('session_id')
      .orderBy('ordinal')
      .limit(MAX_RUNS);
  return {
    unfinished: template((place: UnfinishedPlace) => next(place)),
    unfinishedOfTenant: template((place: UnfinishedPlace) => next(place).where('tenant_id', '=', place.tenant_id)),
  };
}

function runCounts(db: Kysely<Schema>) {
  return {
    unfinishedOfKey: template((key: Pick<RunRow, 'tenant_id'> & { key_name: string | null }) =>
      db
        .selectFrom('runs')
        .select(['status', eb => eb.fn.countAll<number>().as('count')])
        .where('tenant_id', '=', key.tenant_id)
        .where(isUnfinished)
        .where('parent_run_id', 'is', null)
        .where(sql<SqlBool>`coalesce(key_name, ${LOCAL_KEY_NAME}) = coalesce(${key.key_name}, key_name, ${LOCAL_KEY_NAME})`)
        .groupBy('status'),
    ),
  };
}

function queueReads(db: Kysely<Schema>) {
  const queued = db.selectFrom('runs').where(isQueued);
  return {
    queuedOfKeys: template((param: { limit: number }) =>
      db
        .selectFrom(queued.select(['tenant_id', 'key_name']).limit(param.limit).as('queued'))
        .select(['tenant_id', 'key_name', eb => eb.fn.countAll<number>().as('count')])
        .groupBy(['tenant_id', 'key_name']),
    ),
    queuePart: template(({ after }: { after: number }) =>
      queued
        .select('created_at')
        .where('created_at', '>', after)
        .orderBy('created_at')
        .limit(ONE)
        .offset(sql.lit(QUEUE_PART - 1)),
    ),
    idleQueued: template((part: { after: number; until: number }) => {
      const ofPart = queued
        .select(['tenant_id', 'session_id', eb => eb.fn.min('key_name').as('key_name'), eb => eb.fn.min('created_at').as('since')])
        .where('created_at', '>', part.after)
        .where('created_at', '<=', part.until)
        .groupBy(['tenant_id', 'session_id'])
        .as('part');
      const hasActiveRun = sql<SqlBool>`exists (
        select 1 from runs where runs.tenant_id = part.tenant_id and runs.session_id = part.session_id
          and ${isUnfinished} and ${IS_ACTIVE})`;
      return db
        .selectFrom(ofPart)
        .select(['tenant_id', 'session_id', 'key_name'])
        .where(({ not }) => not(hasActiveRun))
        .orderBy('since');
    }),
  };
}

function childReads(db: Kysely<Schema>) {
  const states = db.selectFrom('runs').select(RUN_STATES.columns);
  return {
    child: selectBy(db, RUNS, 'tenant_id', 'parent_run_id', 'parent_call_id', 'parent_index'),
    children: template((key: { tenant_id: string; parent_run_id: string }) =>
      states
        .where('tenant_id', '=', key.tenant_id)
        .where('parent_run_id', '=', key.parent_run_id)
        // The plus keeps SQLite from reading all runs of the tenant in this order.
        .orderBy(unindexed(db, 'created_at'))
        .orderBy('id')
        .limit(MAX_RUNS),
    ),
  };
}

const nextOrdinal = (db: Kysely<Schema>) =>
  template((key: { tenant_id: string; session_id: string }) =>
    db
      .selectFrom('runs')
      .select(sql<number>`coalesce(max(ordinal), 0) + 1`.as('ordinal'))
      .where('tenant_id', '=', key.tenant_id)
      .where('session_id', '=', key.session_id),
  );

/**
 * Creates one statement for each set of columns and of expected statuses. SQLite rewrites the entries of all indexes on the columns that a
 * statement sets, also when their values stay the same.
 */
function updateRun(db: Kysely<Schema>) {
  const templates = new Map<string, Template<ExpectedRun & RunChange, UpdateResult>>();
  return (expected: ExpectedRun, from: readonly RunStatus[], change: RunChange) => {
    const columns = Object.keys(change) as (keyof RunChange)[];
    const shape = `${from.join()}: ${columns.join()}`;
    const known = templates.get(shape) ?? template(param => updateColumns(db, param, columns).where(hasStatus(...from)));
    templates.set(shape, known);
    return known({ ...expected, ...change });
  };
}

function updateColumns(db: Kysely<Schema>, param: ExpectedRun & RunChange, columns: readonly (keyof RunChange)[]) {
  return (
    db
      .updateTable('runs')
      // A cast, because RunChange allows null in columns that a run must have. `columns` names only fields that are set, so no such column becomes
      // null.
      .set(pick(param, columns) as Partial<RunRow>)
      .where('tenant_id', '=', param.tenant_id)
      .where('id', '=', param.id)
      .where('epoch', '=', orUnchanged(param.expected_epoch, 'epoch'))
  );
}
