/** Metrics of this process, for Prometheus. They are counted from the start on. Traces are in adapter/otel. */
import type { Feature } from '../../feature';
import { MetricsCollector, type TelemetryServices } from './metrics_collector';
import { METRICS_ROUTE, MetricsController } from './routes';

export const telemetry: Feature = {
  name: 'telemetry',
  routes: [MetricsController],
  install({
    ports,
    settings,
    serviceSettings,
    profiles,
    modelCatalog,
    tools,
    figures,
    storedFigures,
    agentExecutor,
    supervisor,
    doorActivity,
    openSockets,
  }) {
    const metricsCollector = new MetricsCollector({
      store: ports.store,
      clock: ports.clock,
      embedding: ports.embedding,
      onError: ports.logger.error,
      version: serviceSettings.version,
      storeKind: settings.databaseUrl === undefined ? 'sqlite' : 'postgres',
      listAgents: () => profiles.listProfiles().map(({ name }) => name),
      listModels: () =>
        modelCatalog
          .listModels()
          .map(({ client, definition }) => ({ provider: client.info.provider, model: modelCatalog.shownName(definition.id) })),
      hasModel: name => modelCatalog.has(name) || profiles.listProfiles().some(({ model }) => model === name),
      listTools: () => tools.list(),
      findTool: name => tools.get(name),
      listFigures: () => figures.list(),
      readStoredFigures: async () => (await Promise.all(storedFigures.map(read => read()))).flat(),
      countStuckRuns: milliseconds => supervisor.countStuckRuns(milliseconds),
      isAccepting: () => !agentExecutor.draining,
      doors: doorActivity,
      listSockets: () => openSockets.current.traffic(),
    });
    ports.observer.listen(metricsCollector.listener);
    return {
      services: { metricsCollector } satisfies TelemetryServices,
      routeTokens: { [METRICS_ROUTE]: settings.metricsToken },
    };
  },
};
