/** Counts what the observer reports, reads present gauges, and writes all metrics as text. */

import type { Figure } from '../../port/figure';
import type { ObserverListener } from '../../port/observer';
import { DOORS } from '../../port/run_event';
import type { StoreGauges } from '../../port/store/gauges';
import { createExposition } from './exposition';
import { FactMetrics } from './fact_metrics';
import { LabelNames, OTHER } from './label_values';
import { MetricSeries } from './metric_series';
import { type GaugeName, isGauge, type LabelValues } from './metric_table';
import { createZeros } from './metric_zeros';
import type { Exposition, MetricsSources } from './metrics_sources';
import { phaseOf, RUN_PHASES, RunStates } from './run_states';
import { WorkMetrics } from './work_metrics';

/** The store is asked at most this often, however often Prometheus asks. */
const FRESH_MS = 2_000;
const STUCK_MS = 60_000;
const KINDS = ['clarification', 'approval'] as const;
/** The label of ops boards for a clarification. */
const KIND_LABELS = { clarification: 'clarify', approval: 'approval' } as const;
const MS = 1_000;

/** What is read from the store. */
interface Stored {
  gauges: StoreGauges;
  figures: readonly Figure[];
}

/** The services of this feature, as its controllers inject them. */
export interface TelemetryServices {
  metricsCollector: MetricsCollector;
}

export class MetricsCollector {
  readonly listener: Required<Omit<ObserverListener, 'traceOf'>>;
  private readonly facts: FactMetrics;
  private readonly series = new MetricSeries();
  private readonly states = new RunStates();
  private gauges: { readAt: number; value: Promise<Stored | undefined> } | undefined;
  private exposition: Promise<(series: MetricSeries) => Promise<Exposition>> | undefined;

  constructor(private readonly sources: MetricsSources) {
    const { series, states } = this;
    const names = new LabelNames(sources);
    const { storeKind } = sources;
    const deps = { series, states, names, storeKind, now: () => sources.clock.now() };
    const work = new WorkMetrics(deps);
    const facts = new FactMetrics(deps);
    this.facts = facts;
    this.listener = {
      workBegun: begun => work.workBegun(begun),
      workMarked: (begun, mark, sinceMs) => work.workMarked(begun, mark, sinceMs),
      workEnded: (ended, durationMs) => work.workEnded(ended, durationMs),
      factNoted: fact => facts.noteFact(fact),
    };
  }

  /** Numbers of a store that cannot be read are left out. `midway`: the version of the framework. */
  async readText(midway: string): Promise<Exposition> {
    const { series, sources } = this;
    this.exposition ??= createExposition();
    const [write, stored] = await Promise.all([this.exposition, this.readStore()]);
    const agents = sources.listAgents();
    const tools = sources.listTools().filter(({ origin = 'builtin' }) => origin === 'builtin' || origin === 'code');
    createZeros(series, {
      ...sources,
      agents,
      models: sources.listModels(),
      tools: tools.map(({ name: tool, toolset }) => ({ tool, toolset })),
    });
    series.replace(
      'neta_ws_events_total',
      [...sources.doors.sentEvents].map(([event, count]) => [['out', event], count]),
    );
    this.setRuns(stored?.gauges);
    this.setDoors();
    this.setFigures([...this.sources.listFigures(), ...(stored?.figures ?? [])]);
    this.setState(stored?.gauges, midway);
    return write(series);
  }

  private setRuns(stored: StoreGauges | undefined): void {
    const active = new Map(DOORS.flatMap(door => [...RUN_PHASES, 'queued'].map(state => [`${door} ${state}`, 0])));
    const count = (door: string, state: string, by = 1) => active.set(`${door} ${state}`, (active.get(`${door} ${state}`) ?? 0) + by);
    for (const state of this.states.list()) count(state.run.door, phaseOf(state));
    for (const [door, queued] of Object.entries(stored?.queuedRuns ?? {})) count(door, 'queued', queued);
    this.setAll(
      'neta_runs_active',
      [...active].map(([key, value]) => [key.split(' ') as [string, string], value]),
    );
    this.setAll('neta_runs_stuck', [[[], this.sources.countStuckRuns(STUCK_MS)]]);
  }

  private setDoors(): void {
    const sockets = this.sources.listSockets();
    const transports = ['websocket', 'polling'].map(
      transport => [['/', transport], sockets.filter(socket => socket.transport === transport).length] as const,
    );
    this.setAll('neta_ws_connections', transports);
    this.setAll('neta_ws_send_buffer_bytes', [[[], sockets.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0)]]);
    const routes = Object.entries(Object.groupBy(this.sources.doors.listStreams(), route => route));
    this.setAll(
      'neta_sse_streams',
      routes.map(([route, open = []]) => [[route], open.length]),
    );
    const use = this.facts.budgetUse();
    this.setAll('neta_budget_used_ratio', [
      [['key'], use.key],
      [['tenant'], use.tenant],
    ]);
  }

  /** Sets the gauges of other parts of the gateway. */
  private setFigures(all: readonly Figure[]): void {
    for (const [metric, figures = []] of Object.entries(Object.groupBy(all, ({ metric }) => metric))) {
      if (!isGauge(metric)) throw new Error(`The figure ${metric} has no gauge in metric_table.ts.`);
      this.setAll(
        metric,
        figures.map(({ labels, value }) => [labels as LabelValues<GaugeName>, value]),
      );
    }
  }

  private setState(stored: StoreGauges | undefined, midway: string): void {
    const { sources } = this;
    this.setAll('neta_ready', [
      [['store'], stored ? 1 : 0],
      [['accepting'], sources.isAccepting() ? 1 : 0],
    ]);
    const { node = OTHER } = process.versions;
    const schema = stored?.schema ?? '';
    this.setAll('neta_build_info', [[[sources.version, node, midway, schema], 1]]);
    if (!stored) return;
    const now = sources.clock.now();
    const ofKind = (kind: (typeof KINDS)[number]) => stored.pendingQuestions[kind];
    this.setAll(
      'neta_human_pending',
      KINDS.map(kind => [[KIND_LABELS[kind]], ofKind(kind)?.count ?? 0]),
    );
    const age = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, now - since) / MS);
    this.setAll(
      'neta_human_oldest_seconds',
      KINDS.map(kind => [[KIND_LABELS[kind]], age(ofKind(kind)?.oldestAt)]),
    );
    this.setAll('neta_migrations_pending', [[[], stored.missingMigrations]]);
    this.setAll('neta_store_size_bytes', [[[sources.storeKind], stored.sizeBytes]]);
  }

  private setAll<N extends GaugeName>(name: N, values: Iterable<readonly [LabelValues<N>, number]>): void {
    this.series.clear(name);
    for (const [labels, value] of values) this.series.set(name, labels, value);
  }

  /** Resolves with undefined when the store cannot be read. */
  private async readStore(): Promise<Stored | undefined> {
    const { store, clock, readStoredFigures, onError } = this.sources;
    const now = clock.monotonic();
    if (!this.gauges || now - this.gauges.readAt > FRESH_MS) {
      const read = Promise.all([store.lists.gauges.read(clock.now()), readStoredFigures()]);
      const value = read.then(
        ([gauges, figures]) => ({ gauges, figures }),
        thrown => {
          onError('the numbers of the store cannot be read', thrown);
          return undefined;
        },
      );
      this.gauges = { readAt: now, value };
    }
    return this.gauges.value;
  }
}
