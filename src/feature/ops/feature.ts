/** The operator console: what operators see of runs, people, tools, models, limits and files, and what they switch, cancel and change. */
import type { CoreServices, Feature } from '../../feature';
import { ConfigFileEditor } from './config/config_files';
import { readConfig } from './config/config_view';
import { NodeFiguresStore } from './figures/node_figures';
import { RunActivity } from './figures/run_activity';
import { OpsActionsController } from './routes/action_routes';
import { OpsAdminController } from './routes/admin_routes';
import { OpsDataController } from './routes/data_routes';
import type { OpsServices } from './routes/ops_services';
import { SavedViewsController } from './routes/saved_view_routes';
import { OpsController } from './routes/view_routes';
import { LiveRuns } from './runs/live_runs';
import { RunDetails } from './runs/run_details';
import { opsStore } from './store/ops_store';
import { AuditVerifier } from './views/audit_check';
import { readConnections } from './views/connections_view';
import { Doctor } from './views/doctor';
import { HistoryReader } from './views/history';
import { readLimits } from './views/limits_view';
import { LogView } from './views/log_view';
import { readModels } from './views/models_view';
import { OpsActions } from './views/ops_actions';
import { OpsStreams } from './views/ops_streams';
import { OverviewReader } from './views/overview';
import { OverviewLimitsReader } from './views/overview_limits';
import { PeopleReader } from './views/people';
import { SavedViewService } from './views/saved_view_service';
import { SessionReader } from './views/session_list';
import { ToolFiguresReader } from './views/tool_view';

/** A page of runs in the live view. */
const PAGE = { limit: 50 };

export const ops: Feature = {
  name: 'ops',
  routes: [OpsController, OpsActionsController, OpsDataController, OpsAdminController, SavedViewsController],
  doorPath: '/ops',
  store: opsStore,
  install(core) {
    const { ports, agentDirectory, modelCatalog, switches } = core;
    const runActivity = new RunActivity({
      clock: ports.clock,
      modelOf: run => modelCatalog.shownName(run.model ?? agentDirectory.agentFor(run).profile.model),
    });
    ports.observer.listen(runActivity.listenToModels());
    const nodes = createNodeFigures(core, runActivity);
    switches.onReading(() => nodes.writeWhenWanted());
    return {
      services: createServices(core, nodes),
      onRun: {
        numbered: (run, events, at) => runActivity.noteEvents(run, events, at),
        closed: run => runActivity.removeRun(run.id),
      },
    };
  },
};

function createNodeFigures(
  { ports, serviceSettings, openSockets, activeReplays }: CoreServices,
  runActivity: RunActivity,
): NodeFiguresStore {
  const { store, clock, identity, host, eventLoopMonitor, logger } = ports;
  const { version } = serviceSettings;
  return new NodeFiguresStore({
    version,
    store,
    clock,
    identity,
    host,
    eventLoopMonitor,
    runActivity,
    activeReplays,
    sockets: openSockets,
    onError: logger.error,
  });
}

function createServices(core: CoreServices, nodes: NodeFiguresStore): OpsServices {
  const { ports, settings, agentDirectory: agents, auditLog, textReads, privateTexts, toolChoice } = core;
  const { store, clock, configFiles, configEditor, logger } = ports;
  const liveRuns = new LiveRuns({ store, clock, agents, maxToolIterations: settings.maxToolIterations, nodes, textReads, privateTexts });
  const runDetails = new RunDetails({ store, clock, agents, toolChoice });
  const views = createViews(core, nodes, liveRuns);
  return {
    opsViews: views,
    opsStreams: new OpsStreams({ clock, readView: (view, scope) => views[view](scope), onError: logger.error }),
    opsActions: createActions(core, liveRuns, runDetails),
    opsSessions: new SessionReader({ store }),
    opsLogs: new LogView({ logTail: logger.tail, clock }),
    liveRuns,
    runDetails,
    configFileEditor: new ConfigFileEditor({ configFiles, configEditor, agents, auditLog, listSettings: settings.listSettings }),
    auditVerifier: new AuditVerifier(auditLog),
    opsDoctor: createDoctor(core),
    opsHistory: new HistoryReader({ store, clock, auditLog, nodes }),
    savedViewService: new SavedViewService({ store, clock }),
  };
}

function createViews(core: CoreServices, nodes: NodeFiguresStore, liveRuns: LiveRuns): OpsServices['opsViews'] {
  const { ports, serviceSettings, settings, auditLog, rules, switches, readinessService: readiness, agentExecutor: executor } = core;
  const { runService, toolService, toolCounts, mcpServers, toolProblems, modelCatalog: models, modelSupervisor } = core;
  const { keyRing, dayBudgets, refusals, configReloads } = core;
  const { store, clock, host, priceList, configEditor } = ports;
  const { concurrentRuns, queuedRuns } = settings.limits;
  const limits = { keyRing, rules, dayBudgets, switches, refusals };
  const overview = new OverviewReader({
    store,
    clock,
    host,
    auditLog,
    rules,
    switches,
    readiness,
    executor,
    nodes,
    liveRuns,
    limits: new OverviewLimitsReader(limits),
    backups: core.backupStatus,
  });
  const people = new PeopleReader({ store, clock, runService, nodes });
  const tools = new ToolFiguresReader({ clock, toolService, toolCounts, switches, mcpServers, toolProblems });
  const modelDeps = { store, clock, host, models, modelSupervisor, priceList, nodes };
  const limitDeps = { ...limits, store, clock, gateway: { concurrentRuns, queuedRuns } };
  const { version } = serviceSettings;
  const { listSettings } = settings;
  const configDeps = { version, clock, host, readiness, models, keyRing, configEditor, configReloads, listSettings };
  return {
    overview: scope => overview.read(scope),
    runs: scope => liveRuns.listRuns(scope, {}, PAGE),
    people: scope => people.read(scope),
    tools: scope => tools.read(scope),
    models: scope => readModels(modelDeps, scope),
    limits: scope => readLimits(limitDeps, scope),
    connections: async scope => readConnections(await nodes.listNodes(scope), scope),
    config: scope => readConfig(configDeps, scope),
  };
}

function createActions(core: CoreServices, liveRuns: LiveRuns, runDetails: RunDetails): OpsActions {
  const { ports, serviceSettings, auditLog, keyRing, rules, switches, toolService, acceptHooks } = core;
  return new OpsActions({
    clock: ports.clock,
    auditLog,
    keyRing,
    rules,
    switches,
    executor: core.agentExecutor,
    toolService,
    sockets: core.openSockets,
    runDetails,
    liveRuns,
    acceptHooks,
    defaultLocale: serviceSettings.defaultLocale,
    onError: ports.logger.error,
  });
}

function createDoctor(core: CoreServices): Doctor {
  const { ports, serviceSettings, auditLog, switches, readinessService: readiness, modelSupervisor, mcpServers, checks } = core;
  const { store, clock, host, eventLoopMonitor } = ports;
  const { version } = serviceSettings;
  return new Doctor({
    version,
    store,
    clock,
    host,
    eventLoopMonitor,
    auditLog,
    switches,
    readiness,
    modelSupervisor,
    mcpServers,
    checks,
  });
}
