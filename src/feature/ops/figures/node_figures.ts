/**
 * The figures of every gateway on the store. A gateway writes its own only while an operator looks at some gateway, and at most every 5 seconds, so
 * an idle store gets no commit. A gateway that has written nothing for 30 seconds is not in the list any more.
 */
import type { Clock } from '../../../port/clock';
import type { EventLoopMonitor } from '../../../port/event_loop_monitor';
import type { HostFacts } from '../../../port/host_facts';
import type { InstanceId } from '../../../port/instance_id';
import type { LogError } from '../../../port/logger';
import type { Store } from '../../../port/store/store';
import type { ConnectionRow, OpenSockets } from '../../../service/door/open_sockets';
import type { ActiveReplays } from '../../../service/limits/active_replays';
import type { Slot } from '../../../utils/slot';
import type { OpsView } from '../shared/ops_view';
import type { OpsNode } from '../store/ops_records';
import type { ModelFigurePart } from './model_figures';
import type { RunActivity, RunProgress } from './run_activity';
import type { TrafficMinute } from './traffic';

/** Figures of one gateway that the store does not have. */
export interface NodeFigures {
  version: string;
  nodeVersion: string;
  startedAt: number;
  rssBytes: number;
  heapUsedBytes: number;
  eventLoopP99Ms: number;
  runs: Record<string, RunProgress>;
  /** At most 500 of a tenant, or of all. */
  connections: ConnectionRow[];
  /** Number of connections of each tenant; `*` counts all tenants together. Absent in figures of an earlier version. */
  connectionCounts?: Record<string, number>;
  /** Number of replays and suites of each tenant that call models. Absent in figures of an earlier version. */
  replayCounts?: Record<string, number>;
  /** Minutes of each tenant; `*` counts all tenants together. */
  traffic: Record<string, TrafficMinute[]>;
  models: Record<string, ModelFigurePart[]>;
}

export interface KnownNode {
  id: string;
  isSelf: boolean;
  seenAt: number;
  figures: NodeFigures;
}

const WRITE_MS = 5_000;
const WANTED_MS = 20_000;
const GONE_MS = 30_000;
const MAX_CONNECTIONS = 500;
const MAX_TENANTS = 50;
const ALL = '*';

export interface NodeFiguresDeps {
  version: string;
  store: Store;
  clock: Clock;
  identity: InstanceId;
  host: HostFacts;
  eventLoopMonitor: EventLoopMonitor;
  runActivity: RunActivity;
  activeReplays: Pick<ActiveReplays, 'list'>;
  sockets: Slot<OpenSockets>;
  onError: LogError;
}

export class NodeFiguresStore {
  private writtenAt = 0;
  private wantedUntil = 0;

  constructor(private readonly deps: NodeFiguresDeps) {}

  /** The figures of this gateway and of the others, which write theirs from now on. This gateway comes first. */
  async listNodes(view: OpsView): Promise<KnownNode[]> {
    const { store, identity, clock, onError } = this.deps;
    const now = clock.now();
    this.wantedUntil = now + WANTED_MS;
    // The answer does not wait until the figures are written.
    this.write().catch(thrown => onError('the figures of this gateway cannot be written', thrown));
    const others = (await store.read.ops.listNodes(now - GONE_MS)).filter(({ id }) => id !== identity.self && !identity.isGone(id));
    const own: KnownNode = { id: identity.self, isSelf: true, seenAt: now, figures: this.ownFigures(view.tenantId) };
    return [own, ...others.map(toKnown)];
  }

  /** Writes the figures of this gateway, unless they were written a moment ago. */
  async write(): Promise<void> {
    const { store, identity, clock } = this.deps;
    const now = clock.now();
    if (now - this.writtenAt < WRITE_MS) return;
    this.writtenAt = now;
    const node = { id: identity.self, seenAt: now, wantedUntil: this.wantedUntil, figures: { ...this.ownFigures(undefined) } };
    await store.transaction('none', tx => tx.ops.putNode(node, now - GONE_MS), { isPatient: true });
  }

  /** Writes the figures of this gateway while an operator looks at another one. */
  async writeWhenWanted(): Promise<void> {
    const { store, identity, clock } = this.deps;
    if ((await store.read.ops.figuresWantedUntil(identity.self)) > clock.now()) await this.write();
  }

  private ownFigures(tenantId: string | undefined): NodeFigures {
    const { version, host, eventLoopMonitor, runActivity, clock } = this.deps;
    const { traffic, models } = runActivity.figures;
    const open = this.deps.sockets.current.list();
    const connections = open.filter(row => tenantId === undefined || row.tenantId === tenantId).slice(0, MAX_CONNECTIONS);
    const connectionCounts = { ...countBy(open, row => row.tenantId), [ALL]: open.length };
    const replays = this.deps.activeReplays.list();
    const runs = runActivity.listProgress();
    const tenants = tenantId === undefined ? traffic.tenantNames().slice(0, MAX_TENANTS) : [tenantId];
    return {
      version,
      nodeVersion: host.nodeVersion,
      startedAt: host.startedAt,
      ...host.memory(),
      eventLoopP99Ms: eventLoopMonitor.read().delayP99Ms,
      runs,
      connections,
      connectionCounts,
      replayCounts: { ...countBy(replays, row => row.tenantId), [ALL]: replays.length },
      traffic: Object.fromEntries([ALL, ...tenants].map(name => [name, traffic.minutesOf(name === ALL ? undefined : name, clock.now())])),
      models: Object.fromEntries([ALL, ...tenants].map(name => [name, models.partsOf(name === ALL ? undefined : name)])),
    };
  }
}

/** Returns the number of connections of a tenant, or of all of them. */
export const connectionsOf = ({ connectionCounts = {} }: NodeFigures, { tenantId }: OpsView): number =>
  connectionCounts[tenantId ?? ALL] ?? 0;

/** Returns the number of replays and suites of a tenant that call models, or of all tenants. */
export const replaysOf = ({ replayCounts = {} }: NodeFigures, { tenantId }: OpsView): number => replayCounts[tenantId ?? ALL] ?? 0;

const countBy = <T>(rows: readonly T[], nameOf: (row: T) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, group.length]));

/** The part of a node's figures that belongs to a tenant, or to all of them. */
export const partOf = <T>(parts: Record<string, readonly T[]>, { tenantId }: OpsView): readonly T[] => parts[tenantId ?? ALL] ?? [];

const toKnown = ({ id, seenAt, figures }: OpsNode): KnownNode => ({
  id,
  isSelf: false,
  seenAt,
  // A cast: the figures were written by another gateway of this version or a near one.
  figures: figures as unknown as NodeFigures,
});
