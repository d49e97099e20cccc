/** Runs for operators: those that are not over, with what they do now, and the others by page. */

import { toAppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Principal } from '../../../port/principal';
import type { Page, PageRequest } from '../../../port/store/page';
import { RUNS_PER_READ, type RunRecord, type RunState } from '../../../port/store/runs';
import type { Store } from '../../../port/store/store';
import type { PrivateTexts } from '../../../service/access/private_texts';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { TextReads } from '../../../service/audit/text_reads';
import { toIsoTime } from '../../../utils/iso_time';
import { yieldToEventLoop } from '../../../utils/yield_to_event_loop';
import type { KnownNode, NodeFiguresStore } from '../figures/node_figures';
import type { RunProgress, RunStep } from '../figures/run_activity';
import type { OpsRuns } from '../schemas/run_schemas';
import type { OpsOverview } from '../schemas/view_schemas';
import type { OpsView } from '../shared/ops_view';
import type { OpsRunFilter, OpsRunRow } from '../store/ops_records';

type LiveRunRow = OpsRuns['live'][number];
type EndedRunRow = OpsRuns['data'][number];
/** The live runs by status, and how many of them are stuck. */
type RunCounts = Omit<OpsOverview['live'], 'replays'>;

/** A run without an event for this long, which waits for no person, is stuck. */
const STUCK_MS = 60_000;
const MAX_LIVE = 500;
const SORTED_PAGE = { limit: 200 };
const MAX_SORTED = 1_000;
const SIZES: Readonly<Record<RunsSort, (row: EndedRunRow) => number>> = {
  cost: row => row.costUsd ?? 0,
  tokens: row => row.tokens,
  duration: row => row.durationMs ?? 0,
  calls: () => 0,
};

/** `isStuck`: only live runs that are stuck. */
export type RunsFilter = OpsRunFilter & { isStuck?: boolean };

/** Orders of the list other than newest first. */
export type RunsSort = 'cost' | 'tokens' | 'duration' | 'calls';

export interface LiveRunsDeps {
  store: Store;
  clock: Clock;
  agents: AgentDirectory;
  /** Limit of an agent whose profile has none. */
  maxToolIterations: number;
  nodes: NodeFiguresStore;
  textReads: Pick<TextReads, 'recordList'>;
  privateTexts: Pick<PrivateTexts, 'hideTexts'>;
}

type RunList = Omit<OpsRuns, 'hasMore'>;

export class LiveRuns {
  constructor(private readonly deps: LiveRunsDeps) {}

  /** Live runs are on the first page only, the oldest first. */
  async listRuns(view: OpsView, filter: RunsFilter, page: PageRequest): Promise<RunList> {
    return this.recordTexts(view, await this.readRuns(view, filter, page));
  }

  /** Lists the largest first, out of the newest 1,000 ended runs that pass the filter, on one page. Ended runs do not store their calls. */
  async listLargest(view: OpsView, filter: RunsFilter, sort: RunsSort, limit: number): Promise<RunList> {
    const first = await this.readRuns(view, filter, SORTED_PAGE);
    const data = [...first.data];
    for (let { nextCursor } = first; nextCursor !== undefined && data.length < MAX_SORTED; ) {
      const next = await this.readRuns(view, filter, { ...SORTED_PAGE, cursor: nextCursor });
      data.push(...next.data);
      nextCursor = next.nextCursor;
      await yieldToEventLoop();
    }
    const sizeOf = SIZES[sort];
    const shown = data.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, limit);
    return this.recordTexts(view, { at: first.at, live: first.live, data: shown });
  }

  /** Returns the row of a run as the list shows it; undefined when the run has ended. */
  async findLive(run: RunRecord, { mayReadTexts }: { mayReadTexts: boolean }): Promise<LiveRunRow | undefined> {
    if (run.endedAt !== undefined) return undefined;
    return this.rowOf(run, { nodes: await this.deps.nodes.listNodes({}), mayReadTexts });
  }

  /** `byNode`: runs of the view that each gateway executes. */
  async countRuns(view: OpsView, nodes: readonly KnownNode[]): Promise<{ counts: RunCounts; byNode: Map<string, number> }> {
    const counts = { running: 0, waiting: 0, queued: 0, stuck: 0 };
    const byNode = new Map<string, number>();
    for await (const { status, node, isStuck } of this.readLive(view, nodes)) {
      if (status === 'running' || status === 'waiting' || status === 'queued') counts[status] += 1;
      if (isStuck) counts.stuck += 1;
      if (node !== undefined) byNode.set(node, (byNode.get(node) ?? 0) + 1);
    }
    return { counts, byNode };
  }

  private async readRuns(view: OpsView, filter: RunsFilter, page: PageRequest): Promise<RunList> {
    const { isStuck, ...stored } = filter;
    const isFirst = page.cursor === undefined;
    const at = new Date(this.deps.clock.now()).toISOString();
    const live = isFirst && filter.status === undefined ? await this.listLive(view, filter) : [];
    if (isStuck) return { at, live: live.filter(row => row.isStuck), data: [] };
    const { data, nextCursor }: Page<OpsRunRow> = await this.deps.store.lists.opsRuns.list(view, stored, page);
    const ended = data.filter(row => row.endedAt !== undefined).map(row => toEndedRow(row, view));
    return { at, live, data: ended, nextCursor };
  }

  /**
   * Returns the list once the audit log of each other tenant whose texts it holds names the reader. While the store takes no rows, the list comes
   * without these texts: operators need it most when the store has a problem.
   */
  private async recordTexts({ textReader }: OpsView, all: RunList): Promise<RunList> {
    if (!textReader) return all;
    const list = await this.hidePrivate(textReader, all);
    const tenants = [
      ...list.live.filter(({ firstWords, step }) => firstWords !== undefined || step?.command !== undefined),
      ...list.data.filter(({ firstWords }) => firstWords !== undefined),
    ].map(({ tenantId }) => tenantId);
    try {
      await this.deps.textReads.recordList(textReader, 'runs', tenants);
      return list;
    } catch (thrown) {
      if (toAppError(thrown).code !== 'store_unavailable') throw thrown;
      return withoutTexts(list, textReader.tenantId);
    }
  }

  private async hidePrivate(reader: Principal, { live, data, ...list }: RunList): Promise<RunList> {
    const { privateTexts } = this.deps;
    return {
      ...list,
      live: await privateTexts.hideTexts(reader, live, row => row, withoutLiveText),
      data: await privateTexts.hideTexts(reader, data, row => row, withoutText),
    };
  }

  private async listLive(view: OpsView, filter: RunsFilter): Promise<LiveRunRow[]> {
    const rows = await this.readOldest(view, filter);
    if (!view.textReader) return rows;
    const words = await this.deps.store.lists.opsRuns.firstWords(rows.map(({ tenantId, runId }) => ({ tenantId, id: runId })));
    return rows.map(row => ({ ...row, firstWords: words.get(row.runId) }));
  }

  /** Keeps the oldest MAX_LIVE rows, however many there are. */
  private async readOldest(view: OpsView, filter: RunsFilter): Promise<LiveRunRow[]> {
    let rows: LiveRunRow[] = [];
    for await (const row of this.readLive(view, await this.deps.nodes.listNodes(view))) {
      if (!matches(row, filter)) continue;
      rows.push(row);
      if (rows.length >= 2 * MAX_LIVE) rows = oldest(rows);
    }
    return oldest(rows);
  }

  /** Reads the unfinished runs of the view, a part of them at a time. */
  private async *readLive(view: OpsView, nodes: readonly KnownNode[]): AsyncGenerator<LiveRunRow> {
    const { tenantId } = view;
    let after: RunState | undefined;
    do {
      const runs: RunState[] = await this.deps.store.lists.runs.unfinished({ tenantId, after });
      for (const run of runs) yield this.rowOf(run, { nodes, mayReadTexts: view.textReader !== undefined });
      after = runs.length === RUNS_PER_READ ? runs.at(-1) : undefined;
    } while (after);
  }

  private rowOf(run: RunState, { nodes, mayReadTexts }: { nodes: readonly KnownNode[]; mayReadTexts: boolean }): LiveRunRow {
    const node = nodes.find(({ figures }) => figures.runs[run.id]);
    const row = this.toLiveRow(run, { node, progress: node?.figures.runs[run.id], now: this.deps.clock.now() });
    return mayReadTexts || !row.step ? row : { ...row, step: { ...row.step, command: undefined } };
  }

  private toLiveRow(
    run: RunState,
    { node, progress, now }: { node: KnownNode | undefined; progress: RunProgress | undefined; now: number },
  ): LiveRunRow {
    const step = progress?.step ?? firstStep(run);
    const lastEventAt = progress?.lastEventAt ?? run.startedAt;
    const isWaiting = run.status === 'queued' || run.status === 'waiting' || step?.kind === 'human' || step?.kind === 'child';
    return {
      runId: run.id,
      sessionId: run.sessionId,
      tenantId: run.tenantId,
      parentRunId: run.parent?.runId,
      status: run.status,
      state: run.status === 'queued' ? 'queued' : (step?.kind ?? 'model'),
      step: step && { ...step, since: new Date(step.since).toISOString() },
      door: run.door,
      agent: run.agent,
      keyName: run.keyName,
      node: node?.id ?? run.owner,
      iterations: progress?.iterations ?? 0,
      maxIterations: this.maxIterationsOf(run),
      tokens: progress?.tokens ?? 0,
      costUsd: progress ? progress.costUsd : 0,
      createdAt: toIsoTime(run.createdAt),
      startedAt: run.startedAt === undefined ? undefined : toIsoTime(run.startedAt),
      lastEventAt: lastEventAt === undefined ? undefined : toIsoTime(lastEventAt),
      lastFailure: progress?.lastFailure && { ...progress.lastFailure, at: toIsoTime(progress.lastFailure.at) },
      isStuck: !isWaiting && lastEventAt !== undefined && now - lastEventAt > STUCK_MS,
    };
  }

  /** A request may have asked for less; the row of a run does not say so. */
  private maxIterationsOf({ tenantId, agent, locale }: RunState): number {
    return this.deps.agents.agentFor({ tenantId, agent, locale }).profile.maxToolIterations ?? this.deps.maxToolIterations;
  }
}

/** Keeps the texts of one tenant alone. */
const withoutTexts = ({ live, data, ...list }: RunList, tenantId: string): RunList => ({
  ...list,
  live: live.map(row => (row.tenantId === tenantId ? row : withoutLiveText(row))),
  data: data.map(row => (row.tenantId === tenantId ? row : withoutText(row))),
});

const withoutLiveText = (row: LiveRunRow): LiveRunRow => ({
  ...row,
  firstWords: undefined,
  step: row.step && { ...row.step, command: undefined },
});

const withoutText = (row: EndedRunRow): EndedRunRow => ({ ...row, firstWords: undefined });

const oldest = (rows: readonly LiveRunRow[]): LiveRunRow[] => rows.toSorted((a, b) => (isOlder(a, b) ? -1 : 1)).slice(0, MAX_LIVE);

const isOlder = (a: LiveRunRow, b: LiveRunRow): boolean => a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.runId < b.runId);

/** Returns the step of a run that has published no event here: it waits for its model, or since before a restart for a person. */
function firstStep({ status, startedAt, createdAt }: RunState): RunStep | undefined {
  if (status === 'queued') return undefined;
  return { kind: status === 'waiting' ? 'human' : 'model', since: startedAt ?? createdAt };
}

function matches(row: LiveRunRow, { agent, door, keyName, reason, since, until, id }: RunsFilter): boolean {
  return (
    (agent === undefined || row.agent === agent) &&
    (door === undefined || row.door === door) &&
    (keyName === undefined || row.keyName === keyName) &&
    reason === undefined &&
    (since === undefined || Date.parse(row.createdAt) >= since) &&
    (until === undefined || Date.parse(row.createdAt) < until) &&
    (id === undefined || row.runId === id || row.sessionId === id)
  );
}

function toEndedRow(
  { id, sessionId, usage, createdAt, startedAt, endedAt, firstWords, ...row }: OpsRunRow,
  { textReader }: OpsView,
): EndedRunRow {
  return {
    runId: id,
    sessionId,
    ...row,
    firstWords: textReader ? firstWords : undefined,
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    cachedTokens: usage?.cachedTokens ?? 0,
    costUsd: usage?.costUsd,
    createdAt: toIsoTime(createdAt),
    startedAt: startedAt === undefined ? undefined : toIsoTime(startedAt),
    endedAt: endedAt === undefined ? undefined : toIsoTime(endedAt),
    durationMs: endedAt === undefined ? undefined : Math.max(0, endedAt - (startedAt ?? createdAt)),
  };
}
