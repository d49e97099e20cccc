/**
 * The metrics of this process for Prometheus. They are counted from the start on.
 */
import type { AppError } from '../../errors';
import type { Logger } from '../../port/logger';
import type { Observer, ObserverListener } from '../../port/observer';
import type { ToolRegistry } from '../../tools/registry';
import { contentHash } from '../../utils/content_hash';
import type { AgentProfiles } from '../agent/agent_profiles';
import type { McpManager } from '../mcp/mcp_manager';
import type { ModelCatalog } from '../model/model_catalog';
import type { AgentExecutor } from '../run/agent_executor';
import { MetricsCollector } from './metrics_collector';
import type { Exposition, Framework, MetricsSources } from './metrics_sources';

export interface MetricsServiceDeps extends MetricsSources {
  observer: Observer;
  /** NETA_METRICS_TOKEN. */
  token: string | undefined;
}

/** The parts of an HTTP request that are counted. `state.route` is set when a route serves it. */
interface WatchedRequest {
  method: string;
  state: { route?: { path: string } };
  res: { statusCode: number; getHeader(name: string): unknown; once(event: 'close', listener: () => void): unknown };
}

export class MetricsService {
  private readonly collector: MetricsCollector;
  private readonly openRequests = new Set<WatchedRequest>();
  private framework: Framework = { listSockets: () => [], readVersion: () => '' };
  /**
   * Number of events that were sent to Socket.IO clients, by type. The senders count here themselves, because it happens too often for an observer.
   */
  readonly sentEvents = new Map<string, number>();

  constructor(private readonly deps: MetricsServiceDeps) {
    this.collector = new MetricsCollector(deps);
    const listener: Required<Omit<ObserverListener, 'traceOf'>> = {
      workBegun: work => this.collector.work.workBegun(work),
      workMarked: (work, mark, sinceMs) => this.collector.work.workMarked(work, mark, sinceMs),
      workEnded: (work, durationMs) => this.collector.work.workEnded(work, durationMs),
      factNoted: fact => this.collector.facts.noteFact(fact),
    };
    deps.observer.listen(listener);
  }

  /** Numbers of a store that cannot be read are left out. */
  readText(): Promise<Exposition> {
    const streams = [...this.openRequests].flatMap(({ state, res }) =>
      String(res.getHeader('content-type')).startsWith('text/event-stream') ? [state.route?.path ?? 'other'] : [],
    );
    const { framework, sentEvents } = this;
    return this.collector.readText({ sentEvents, sockets: framework.listSockets(), streams, midway: framework.readVersion() });
  }

  /** Counts the request when its answer has ended. */
  watchRequest(request: WatchedRequest): void {
    const { clock, observer } = this.deps;
    const begunAt = clock.monotonic();
    this.openRequests.add(request);
    request.res.once('close', () => {
      this.openRequests.delete(request);
      const { method, state, res } = request;
      const durationMs = clock.monotonic() - begunAt;
      observer.note({ type: 'http_request', method, status: res.statusCode, durationMs, route: state.route?.path });
    });
  }

  /** Counts a request that a door refuses. */
  noteRefusal(door: 'socketio' | 'http', { code, details = {} }: AppError): void {
    const { scope, limit } = details;
    const ofLimit = { scope: typeof scope === 'string' ? scope : undefined, limit: typeof limit === 'string' ? limit : undefined };
    this.deps.observer.note({ type: 'request_refused', door, code, ...ofLimit });
  }

  /** Reports figures that only the framework below the doors knows. */
  watchFramework(framework: Framework): void {
    this.framework = framework;
  }

  /** Compares hashes, so that the time tells nothing about the token. False without the setting. */
  isMetricsToken(secret: string | undefined): boolean {
    const { token } = this.deps;
    if (token === undefined || secret === undefined) return false;
    return contentHash(secret) === contentHash(token);
  }
}

export interface MetricsInput {
  ports: Pick<MetricsServiceDeps, 'store' | 'clock' | 'observer' | 'embedding'> & { logger: Logger };
  settings: { metricsToken?: string; databaseUrl?: string };
  profiles: AgentProfiles;
  modelCatalog: ModelCatalog;
  version: string;
  tools: ToolRegistry;
  mcpManager: McpManager;
  agentExecutor: AgentExecutor;
}

/** Creates the service of metrics from the parts of the gateway that it reads. */
export function createMetricsService(input: MetricsInput): MetricsService {
  const { ports, settings, profiles, modelCatalog, version, tools, mcpManager, agentExecutor } = input;
  const agentNames = () => profiles.listProfiles().map(({ name }) => name);
  return new MetricsService({
    ...ports,
    onError: ports.logger.error,
    version,
    storeKind: settings.databaseUrl === undefined ? 'sqlite' : 'postgres',
    token: settings.metricsToken,
    listAgents: agentNames,
    listModels: () =>
      modelCatalog
        .listModels()
        .map(({ client, definition }) => ({ provider: client.info.provider, model: modelCatalog.shownName(definition.id) })),
    hasModel: name => modelCatalog.has(name) || profiles.listProfiles().some(({ model }) => model === name),
    listTools: () => tools.list(),
    findTool: name => tools.get(name),
    listMcpServers: () => mcpManager.listServers(),
    countStuckRuns: milliseconds => agentExecutor.countStuckRuns(milliseconds),
    isAccepting: () => !agentExecutor.draining,
  });
}
