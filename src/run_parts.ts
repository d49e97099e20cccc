/** Builds what runs are made of: agents, limits, questions, caches. */
import type { CoreBase, CoreInput } from './core_base';
import { listRunListeners } from './run_listeners';
import { ResultCache } from './runtime/tool_runner/result_cache';
import { AgentDirectory } from './service/agent/agent_directory';
import { AllTools, type RunToolChoice } from './service/agent/tool_choice';
import { EmbeddingService } from './service/embedding/embedding_service';
import { createLimitServices } from './service/limits/limit_services';
import { ModelSupervisor } from './service/model/model_supervisor';
import { createQuestionServices } from './service/question/question_services';
import { RunCapacity } from './service/run/run_capacity';
import { RunPreparation } from './service/run/run_preparation';
import { RunHooks } from './service/run_log/run_hooks';
import { HistoryCache } from './service/session/history_cache';
import { createHistoryWindow } from './service/session/history_window';
import { FileEditingService } from './service/tool/file_editing_service';
import { ResultFiles } from './service/tool/result_files';
import { ToolCounts } from './service/tool/tool_counts';
import { Slot } from './utils/slot';

export type RunParts = ReturnType<typeof createRunParts>;

export function createRunParts(base: CoreBase, { profiles, modelCatalog, approvalSettings, limits, resolvers }: CoreInput) {
  const { settings, ports, onError, auditLog, configReloads, tools, switches, skills } = base;
  const { store, clock, ids, failpoints, observer, shell, workspaces, configFiles, priceList, undoStore, patchEngine, cpuTasks } = ports;
  const { maxToolIterations, toolBudget, timeZone } = settings;
  const agentDirectory = new AgentDirectory({
    profiles,
    tools,
    workspacePathOf: tenantId => workspaces.workspaceOf(tenantId).workspace.root,
    timeZone,
    isolation: shell.isolation,
    maxToolIterations,
    toolBudget,
    isToolOff: (tenantId, tool) => switches.isToolOff(tenantId, tool),
    skillsFor: (tenantId, locale) => skills.current.promptSkills(tenantId, locale),
  });
  profiles.followFiles({ configFiles, configReloads }, next => agentDirectory.checkProfiles(next));
  const toolChoice = new Slot<RunToolChoice>('toolChoice', new AllTools(agentDirectory));
  const usual = { maxToolIterations, timeoutMs: settings.runTimeoutMs };
  const limiting = {
    store,
    clock,
    configFiles,
    configReloads,
    priceList,
    observer,
    switches,
    limits,
    models: modelCatalog,
    usual,
    onError,
  };
  const limitServices = createLimitServices(limiting);
  const toolCounts = new ToolCounts({ clock });
  const runHooks = new RunHooks(listRunListeners({ ...limitServices, toolCounts }));
  const asking = { store, clock, ids, failpoints, auditLog, hooks: runHooks, observer, shell, workspaces, configFiles, configReloads };
  const timeoutMs = settings.clarify.declaredTimeoutMs;
  return {
    profiles,
    modelCatalog,
    agentDirectory,
    toolChoice,
    ...limitServices,
    ...createQuestionServices({ ports: asking, resolvers, tools, approvalSettings, timeoutMs }),
    toolCounts,
    runHooks,
    preparation: new RunPreparation({ store, agents: agentDirectory, toolChoice, defaultLocale: settings.locale }),
    capacity: new RunCapacity(settings.limits),
    histories: new HistoryCache(store, createHistoryWindow(settings, modelCatalog)),
    cache: new ResultCache(clock, { ttlMs: settings.toolCacheTtlMs }),
    results: new ResultFiles(workspaces, onError),
    fileEditing: new FileEditingService({ ports: { undoStore, patchEngine, cpuTasks }, onError }),
    embeddingService: new EmbeddingService({ store, clock, embedding: ports.embedding, onError }),
    modelSupervisor: new ModelSupervisor({
      configFiles,
      configReloads,
      clock,
      observer,
      catalog: modelCatalog,
      hasTool: name => tools.has(name),
      onError,
    }),
  };
}
