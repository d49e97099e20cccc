/** Builds the services, which the doors call, over the ports. */
import type { Settings } from '../config/settings';
import { hasSearchService } from '../config/settings/search_service';
import type { Ports } from './ports';
import { listRunListeners } from './run_listeners';
import { createRunServices } from './run_services';
import type { ApprovalSettings } from './runtime/approval/approval_policy';
import { ResultCache } from './runtime/tool_runner/result_cache';
import { AgentDirectory } from './service/agent/agent_directory';
import type { AgentProfiles } from './service/agent/agent_profiles';
import { type AgentSkills, NO_SKILLS } from './service/agent/agent_skills';
import { AllTools, type RunToolChoice } from './service/agent/tool_choice';
import { AuditLog } from './service/audit/audit_log';
import { ConfigReloads } from './service/audit/config_reloads';
import { RouteTokens } from './service/auth/route_tokens';
import { DoorActivity } from './service/door/door_activity';
import { NO_SOCKETS, type OpenSockets } from './service/door/open_sockets';
import { createDoorServices } from './service/door_services';
import { EmbeddingService } from './service/embedding/embedding_service';
import { createFileServices } from './service/file/file_services';
import { createHousekeeping } from './service/housekeeping/housekeeping';
import { Purge } from './service/housekeeping/purge';
import { createLimitServices } from './service/limits/limit_services';
import type { LimitSet } from './service/limits/limits_file';
import { Refusals } from './service/limits/refusals';
import { Switches } from './service/limits/switches';
import type { ModelCatalog } from './service/model/model_catalog';
import { ModelSupervisor } from './service/model/model_supervisor';
import { AnswerService } from './service/question/answer_service';
import type { QuestionResolvers } from './service/question/question_resolvers';
import { createQuestionServices } from './service/question/question_services';
import { RunCapacity } from './service/run/run_capacity';
import { createRunLogLines } from './service/run/run_log_lines';
import { RunPreparation } from './service/run/run_preparation';
import { RunPreviewService } from './service/run/run_preview';
import { RunHooks } from './service/run_log/run_hooks';
import { RunService } from './service/run_log/run_service';
import type { ServiceSettings } from './service/service_settings';
import type { ExportSource } from './service/session/data_export';
import { HistoryCache } from './service/session/history_cache';
import { createHistoryWindow } from './service/session/history_window';
import { type MessageSearcher, NO_SEARCH } from './service/session/message_searcher';
import { SessionService } from './service/session/session_service';
import { SnapshotService } from './service/session/snapshot_service';
import type { DoctorChecks } from './service/status/doctor_checks';
import { Figures } from './service/status/figures';
import { ReadinessService } from './service/status/readiness_service';
import { Warnings } from './service/status/warnings';
import { DirectCallService } from './service/tool/direct_call_service';
import { FileEditingService } from './service/tool/file_editing_service';
import { type McpServerList, NO_MCP_SERVERS } from './service/tool/mcp_server_list';
import { ResultFiles } from './service/tool/result_files';
import { ToolAccessSources } from './service/tool/tool_access';
import { ToolCounts } from './service/tool/tool_counts';
import { ToolService } from './service/tool/tool_service';
import { builtinTools } from './tools/catalog';
import { ToolRegistry } from './tools/registry';
import { disableSearchTools } from './tools/search_service';
import { Slot } from './utils/slot';

export interface ServiceInput {
  settings: Settings;
  ports: Ports;
  profiles: AgentProfiles;
  modelCatalog: ModelCatalog;
  approvalSettings: ApprovalSettings;
  /** Absent without limits.yaml. */
  limits: LimitSet | undefined;
  resolvers: QuestionResolvers;
  version: string;
}

/** The ports and the services that every other service may use. */
type Given = ServiceInput & { ports: Ports & { auditLog: AuditLog; configReloads: ConfigReloads } };

/** Builds every service. The keys are the names under which doors inject them. */
export function createServices(given: ServiceInput) {
  const { settings, version, modelCatalog } = given;
  const onError = given.ports.logger.error;
  const auditLog = new AuditLog({ ...given.ports, onError });
  const ports = { ...given.ports, auditLog, configReloads: new ConfigReloads({ ...given.ports, auditLog, onError }) };
  const input = { ...given, ports };
  const { locale: defaultLocale, clarify } = settings;
  ports.observer.listen(createRunLogLines(ports.logger.event));
  const skills = new Slot<AgentSkills>(NO_SKILLS);
  const tools = new ToolRegistry(builtinTools());
  if (!hasSearchService(settings)) disableSearchTools(tools);
  const mcpServers = new Slot<McpServerList>(NO_MCP_SERVERS);
  const switches = new Switches({ ...ports, onToolsChanged: () => tools.noteChange(), onError });
  const agentDirectory = createAgentDirectory(input, { tools, skills, switches });
  const purge = new Purge({ ...ports, onError });
  const toolServices = createToolServices(input);
  const { cache, retries, results, fileEditing, toolCounts, embeddings } = toolServices;
  const capacity = new RunCapacity(settings.limits);
  const limitServices = createLimits(input, { switches });
  const { dayBudgets, usageRollUp, runLimiter } = limitServices;
  const runHooks = new RunHooks(listRunListeners({ dayBudgets, toolCounts, usageRollUp }));
  const questionServices = createQuestionServices({
    ...input,
    ports: { ...ports, hooks: runHooks },
    tools,
    timeoutMs: clarify.declaredTimeoutMs,
  });
  const choices = { agents: agentDirectory, models: modelCatalog };
  const toolChoice = new Slot<RunToolChoice>(new AllTools(agentDirectory));
  const preparation = new RunPreparation({ ...ports, agents: agentDirectory, toolChoice, defaultLocale });
  const { questions, approvals, approverPresence, policy } = questionServices;
  const histories = new HistoryCache(ports.store, createHistoryWindow(settings, modelCatalog));
  const modelSupervisor = new ModelSupervisor({ ...ports, catalog: modelCatalog, hasTool: name => tools.has(name), onError });
  const toolAccess = new ToolAccessSources();
  const runServices = createRunServices(input, {
    tools,
    agents: agentDirectory,
    toolChoice,
    preparation,
    histories,
    capacity,
    runLimiter,
    switches,
    questions,
    approvals,
    cache,
    retries,
    fileEditing,
    results,
    toolAccess,
    hooks: runHooks,
  });
  const { agentExecutor, callerPresence, remoteRuns, memory } = runServices;
  const warnings = new Warnings([
    () => settings.warnings,
    ...[modelSupervisor, limitServices.limitsSupervisor, agentDirectory, ports.configReloads].map(service => () => service.warnings()),
    () => embeddings.listWarnings(),
  ]);
  const figures = new Figures();
  const toolProblems = new Warnings();
  const listWarnings = () => [...warnings.list(), ...toolProblems.list()];
  const readinessService = new ReadinessService({ ...ports, models: modelCatalog, listWarnings });
  const refusals = new Refusals(ports);
  const openSockets = new Slot<OpenSockets>(NO_SOCKETS);
  const exportSources: ExportSource[] = [];
  const acceptHooks: (() => void)[] = [];
  const runService = new RunService({ ...ports, remoteRuns, maxReaders: settings.limits.readers });
  const directCallService = new DirectCallService({
    ports,
    tools,
    fileEditing,
    toolAccess,
    cache,
    retries,
    toolCounts,
    switches,
    policy,
    onError,
  });
  const cancelRuns = (tenantId: string, sessionId: string) => agentExecutor.cancelSession(tenantId, sessionId);
  const fileServices = createFileServices({ ...ports, cache, onError });
  const deletion = { undo: fileServices.undoService, cancelRuns, onDelete: () => purge.schedule() };
  const sessionService = new SessionService({ ...ports, ...choices, defaultLocale, results, histories, exportSources, ...deletion });
  const toolService = new ToolService({ ports, tools, models: modelCatalog, toolCounts, switches, onError });
  const left = { purge, directCallService, usageRollUp, sessionService };
  const housekeeping = createHousekeeping({ ...ports, onError, days: settings.retention, ...left });
  const doors = createDoorServices({ ...ports, callerPresence, onError }, settings);
  return {
    serviceSettings: { version, defaultLocale, clarify, onError, onEvent: ports.logger.event } satisfies ServiceSettings,
    auditLog,
    agentDirectory,
    modelCatalog,
    modelSupervisor,
    ...limitServices,
    ...runServices,
    ...doors,
    questionService: questions,
    answerService: new AnswerService({ questions, executor: agentExecutor, runs: runService }),
    approvalService: approvals,
    approverPresence,
    runService,
    runPreviewService: new RunPreviewService({ ...ports, ...choices, memory, toolChoice, preparation, defaultLocale }),
    sessionService,
    messageSearch: new Slot<MessageSearcher>(NO_SEARCH),
    snapshotService: new SnapshotService({ sessions: sessionService, runs: runService, questions }),
    toolService,
    directCallService,
    settings,
    ports,
    tools,
    configReloads: ports.configReloads,
    runHooks,
    toolAccess,
    warnings,
    figures,
    toolProblems,
    checks: new Map<string, DoctorChecks[string]>(),
    exportSources,
    acceptHooks,
    preparation,
    profiles: given.profiles,
    routeTokens: new RouteTokens(),
    doorActivity: new DoorActivity(ports),
    capacity,
    mcpServers,
    toolChoice,
    skills,
    purge,
    embeddingService: embeddings,
    ...fileServices,
    switches,
    refusals,
    openSockets,
    readinessService,
    toolCounts,
    housekeeping,
  };
}

/** The services by the names under which doors inject them. */
export type Services = ReturnType<typeof createServices>;

function createAgentDirectory(
  { settings, ports, profiles }: Given,
  { tools, skills, switches }: { tools: ToolRegistry; skills: Slot<AgentSkills>; switches: Switches },
): AgentDirectory {
  const agents = new AgentDirectory({
    profiles,
    tools,
    workspacePathOf: tenantId => ports.workspaces.workspaceOf(tenantId).workspace.root,
    timeZone: settings.timeZone,
    isolation: ports.shell.isolation,
    maxToolIterations: settings.maxToolIterations,
    toolBudget: settings.toolBudget,
    isToolOff: (tenantId, tool) => switches.isToolOff(tenantId, tool),
    skillsFor: (tenantId, locale) => skills.current.promptSkills(tenantId, locale),
  });
  profiles.followFiles(ports, next => agents.checkProfiles(next));
  return agents;
}

/** Builds the services that runs and direct tool calls share. */
function createToolServices({ settings, ports }: Given) {
  const onError = ports.logger.error;
  return {
    cache: new ResultCache(ports.clock, { ttlMs: settings.toolCacheTtlMs }),
    retries: settings.toolRetries,
    fileEditing: new FileEditingService({ ports, onError }),
    results: new ResultFiles(ports.workspaces, onError),
    toolCounts: new ToolCounts(ports),
    embeddings: new EmbeddingService({ ...ports, onError }),
  };
}

function createLimits({ settings, ports, limits, modelCatalog }: Given, shared: { switches: Switches }) {
  const usual = { maxToolIterations: settings.maxToolIterations, timeoutMs: settings.runTimeoutMs };
  return createLimitServices({ ...ports, ...shared, limits, models: modelCatalog, usual, onError: ports.logger.error });
}
