/** The first page of operators: one state with its reasons, and the figures behind it. */
import type { Clock } from '../../../port/clock';
import type { HostFacts } from '../../../port/host_facts';
import type { Store } from '../../../port/store/store';
import { wordsOf } from '../../../service/audit/audit_actions';
import type { AuditLog } from '../../../service/audit/audit_log';
import type { LimitRules } from '../../../service/limits/limit_rules';
import type { Switches } from '../../../service/limits/switches';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { BackupStatus } from '../../../service/status/backup_status';
import type { ReadinessService } from '../../../service/status/readiness_service';
import { fromNanoDollars } from '../../../utils/dollars';
import type { Slot } from '../../../utils/slot';
import { connectionsOf, type KnownNode, type NodeFiguresStore, partOf, replaysOf } from '../figures/node_figures';
import { summarizeTraffic } from '../figures/traffic';
import type { LiveRuns } from '../runs/live_runs';
import type { OpsOverview } from '../schemas/view_schemas';
import { readAccepting } from '../shared/accepting';
import { toNotice } from '../shared/notices';
import { type OpsView, seesMachine } from '../shared/ops_view';
import type { OverviewLimitsReader } from './overview_limits';
import { reasonsOf, stateOf } from './overview_state';

/** The store is tested by a write at most this often. */
const STORE_CHECK_MS = 30_000;
const MAX_AUDIT_ROWS = 50;
const MAX_CHANGES = 10;
/** Acts on the gateway itself. */
const OPERATED = /^(?:config|tool|runs|limit|socket|key|skill|webhook|job)\./;

export interface OverviewDeps {
  store: Store;
  clock: Clock;
  host: HostFacts;
  auditLog: AuditLog;
  rules: LimitRules;
  switches: Switches;
  readiness: ReadinessService;
  executor: AgentExecutor;
  nodes: NodeFiguresStore;
  liveRuns: LiveRuns;
  limits: OverviewLimitsReader;
  backups: Slot<BackupStatus>;
}

export class OverviewReader {
  private storeProblem: string | undefined;
  private storeCheckedAt = 0;

  constructor(private readonly deps: OverviewDeps) {}

  async read(view: OpsView): Promise<OpsOverview> {
    const { clock, readiness, switches, executor, liveRuns } = this.deps;
    const now = clock.now();
    const nodes = await this.deps.nodes.listNodes(view);
    const replays = nodes.reduce((sum, { figures }) => sum + replaysOf(figures, view), 0);
    const [live, today, people, limits, stored, changes] = await Promise.all([
      liveRuns.countRuns(view, nodes),
      this.readToday(view, now),
      this.readPeople(view, now),
      this.deps.limits.read(view, now),
      seesMachine(view) ? this.readMachine() : {},
      this.readChanges(view),
      this.checkStore(now),
    ]);
    const { minutes, ...traffic } = summarizeTraffic(
      nodes.flatMap(({ figures }) => partOf(figures.traffic, view)),
      now,
    );
    const accepting = readAccepting(switches, view);
    const warnings = [...readiness.listWarnings()];
    const connections = nodes.reduce((sum, { figures }) => sum + connectionsOf(figures, view), 0);
    const machine = { connections, ...(seesMachine(view) && processOf(nodes)), ...stored };
    const counts = { ...live.counts, replays };
    const facts = { live: counts, traffic, people, limits, process: machine, warnings, accepting, isDraining: executor.draining, now };
    const reasons = reasonsOf({ ...facts, ...this.storeProblemFor(view) });
    return {
      at: new Date(now).toISOString(),
      state: stateOf(reasons),
      reasons,
      accepting,
      live: counts,
      traffic,
      minutes,
      today,
      limits,
      people,
      process: machine,
      nodes: nodes.map(node => toNodeRow(node, { view, runs: live.byNode.get(node.id) ?? 0 })),
      warnings,
      notices: warnings.map(toNotice),
      changes,
    };
  }

  private async readToday({ tenantId }: OpsView, now: number): Promise<OpsOverview['today']> {
    const { store, rules } = this.deps;
    const day = new Date(now).toISOString().slice(0, 10);
    const rows = await store.lists.usage.listDays({ tenantId, from: day, to: day });
    const sum = (amountOf: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + amountOf(row), 0);
    const { tokensPerDay, costPerDayUsd } = tenantId === undefined ? {} : rules.limitsOfTenant(tenantId);
    return {
      day,
      tokens: sum(row => row.inputTokens + row.outputTokens),
      costUsd: fromNanoDollars(sum(row => row.nanoDollars)),
      unpricedRuns: sum(row => row.unpricedRuns),
      tokensPerDay,
      costPerDayUsd,
    };
  }

  private async readPeople(view: OpsView, now: number): Promise<OpsOverview['people']> {
    const counts = await this.deps.store.lists.ops.countOpenQuestions(view, now);
    const countOf = (kind: 'clarification' | 'approval') => counts.find(row => row.kind === kind)?.count ?? 0;
    const oldestAt = Math.min(...counts.map(row => row.oldestAt));
    return {
      questions: countOf('clarification'),
      approvals: countOf('approval'),
      oldestAt: Number.isFinite(oldestAt) ? new Date(oldestAt).toISOString() : undefined,
    };
  }

  private async readMachine(): Promise<Pick<OpsOverview['process'], 'diskFreeBytes' | 'diskTotalBytes' | 'backupAt'>> {
    const at = await this.deps.backups.current.newestAt();
    return { ...(await this.readDisk()), backupAt: at === undefined ? undefined : new Date(at).toISOString() };
  }

  /** A system that does not tell leaves the fields out. */
  private async readDisk(): Promise<{ diskFreeBytes?: number; diskTotalBytes?: number }> {
    const disk = await this.deps.host.readDisk().catch(() => undefined);
    return disk ? { diskFreeBytes: disk.freeBytes, diskTotalBytes: disk.totalBytes } : {};
  }

  /** The audit log of today's operators; its rows about questions and runs are on other pages. */
  private async readChanges(view: OpsView): Promise<OpsOverview['changes']> {
    const { data } = await this.deps.auditLog.listRecords(view, { limit: MAX_AUDIT_ROWS });
    return data
      .filter(({ action }) => OPERATED.test(action))
      .slice(0, MAX_CHANGES)
      .map(({ at, actor, action, target }) => ({ at: new Date(at).toISOString(), actor, action, ...wordsOf(action), target }));
  }

  /** The words of the database may hold a path. */
  private storeProblemFor(view: OpsView): { storeProblem?: string } {
    if (this.storeProblem === undefined) return {};
    return { storeProblem: seesMachine(view) ? this.storeProblem : '-' };
  }

  /** Checks the store. Never rejects. */
  private async checkStore(now: number): Promise<void> {
    if (now - this.storeCheckedAt < STORE_CHECK_MS && this.storeProblem === undefined) return;
    this.storeCheckedAt = now;
    try {
      await this.deps.store.check();
      this.storeProblem = undefined;
    } catch (thrown) {
      this.storeProblem = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }
}

/** The worst gateway counts for the event loop; memory adds up. */
function processOf(nodes: readonly KnownNode[]): Pick<OpsOverview['process'], 'eventLoopP99Ms' | 'rssBytes' | 'heapUsedBytes'> {
  return {
    eventLoopP99Ms: Math.max(...nodes.map(({ figures }) => figures.eventLoopP99Ms)),
    rssBytes: nodes.reduce((sum, { figures }) => sum + figures.rssBytes, 0),
    heapUsedBytes: nodes.reduce((sum, { figures }) => sum + figures.heapUsedBytes, 0),
  };
}

function toNodeRow(
  { id, isSelf, seenAt, figures }: KnownNode,
  { view, runs }: { view: OpsView; runs: number },
): OpsOverview['nodes'][number] {
  const { version, nodeVersion, startedAt, rssBytes, eventLoopP99Ms } = figures;
  return {
    id,
    isSelf,
    version,
    nodeVersion,
    startedAt: new Date(startedAt).toISOString(),
    seenAt: new Date(seenAt).toISOString(),
    runs,
    connections: connectionsOf(figures, view),
    rssBytes: seesMachine(view) ? rssBytes : undefined,
    eventLoopP99Ms: seesMachine(view) ? eventLoopP99Ms : undefined,
  };
}
