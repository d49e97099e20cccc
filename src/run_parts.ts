/** Builds what runs are made of: agents, limits, keys, questions, caches. */
import type { CoreBase, CoreInput } from './core_base';
import { listRunListeners } from './run_listeners';
import { ResultCache } from './runtime/tool_runner/result_cache';
import { SessionAccess } from './service/access/session_access';
import { AgentDirectory } from './service/agent/agent_directory';
import { AllTools, type RunToolChoice } from './service/agent/tool_choice';
import { VisibleAgents } from './service/agent/visible_agents';
import { createAuthServices } from './service/auth/auth_services';
import type { KeyRing } from './service/auth/key_ring';
import { EmbeddingService } from './service/embedding/embedding_service';
import { ActiveReplays } from './service/limits/active_replays';
import { createLimitServices } from './service/limits/limit_services';
import { ModelSupervisor } from './service/model/model_supervisor';
import { ApprovalReviews } from './service/question/approval_reviews';
import { followApprovalRules } from './service/question/approval_rules';
import { ApprovalService } from './service/question/approval_service';
import { ApproverDirectory } from './service/question/approver_directory';
import { ApproverPresence } from './service/question/approver_presence';
import { Clarifications } from './service/question/clarifications';
import { Escalations } from './service/question/escalations';
import { QuestionAccess } from './service/question/question_access';
import { QuestionService } from './service/question/question_service';
import { RunCapacity } from './service/run/run_capacity';
import { RunPreparation } from './service/run/run_preparation';
import { RunHooks } from './service/run_log/run_hooks';
import { HistoryCache } from './service/session/history_cache';
import { createHistoryWindow } from './service/session/history_window';
import { SessionWatch } from './service/session/session_watch';
import { FileEditingService } from './service/tool/file_editing_service';
import { FileHistory } from './service/tool/file_history';
import { ResultFiles } from './service/tool/result_files';
import { ToolCounts } from './service/tool/tool_counts';
import { Slot } from './utils/slot';

export type RunParts = ReturnType<typeof createRunParts>;

/** Builds the parts of runs. `auth`, `limits` and `questions` hold several services each. */
export function createRunParts(base: CoreBase, input: CoreInput) {
  const { settings, ports, onError, workspaceSync } = base;
  const { store, clock, workspaces, undoStore, patchEngine, cpuTasks, embedding } = ports;
  const { modelCatalog } = input;
  const agentDirectory = createAgentDirectory(base, input);
  const toolChoice = new Slot<RunToolChoice>('toolChoice', new AllTools(agentDirectory));
  const activeReplays = new ActiveReplays();
  const limits = createLimits(base, input, activeReplays);
  const { dayBudgets, usageRollUp } = limits;
  const toolCounts = new ToolCounts({ clock });
  const auth = createAuth(base);
  const sessionAccess = new SessionAccess({ store, people: auth.keyRing, nodeBus: ports.nodeBus });
  auth.keyRing.memberships.onChange(() => sessionAccess.checkFollowers());
  const sessionWatch = new SessionWatch(ports.nodeBus);
  const runHooks = new RunHooks(listRunListeners({ dayBudgets, toolCounts, usageRollUp, sessionWatch }));
  return {
    profiles: input.profiles,
    modelCatalog,
    agentDirectory,
    visibleAgents: new VisibleAgents({ profiles: input.profiles, agents: agentDirectory, sessionAccess }),
    toolChoice,
    activeReplays,
    limits,
    auth,
    sessionAccess,
    questions: createQuestions(base, input, { hooks: runHooks, keyRing: auth.keyRing, sessionAccess }),
    toolCounts,
    sessionWatch,
    runHooks,
    preparation: new RunPreparation({ store, agents: agentDirectory, toolChoice, defaultLocale: settings.locale }),
    capacity: new RunCapacity(settings.limits),
    histories: new HistoryCache(store, createHistoryWindow(settings, modelCatalog)),
    cache: new ResultCache(clock, {
      ttlMs: settings.toolCacheTtlMs,
      onChange: tenantId => workspaceSync.current.noteWrite(tenantId),
    }),
    results: new ResultFiles(workspaces, { onError, onWrite: tenantId => workspaceSync.current.noteWrite(tenantId) }),
    fileEditing: new FileEditingService({ ports: { undoStore, patchEngine, cpuTasks }, onError, history: createFileHistory(base) }),
    embeddingService: new EmbeddingService({ store, clock, embedding, onError }),
    modelSupervisor: createModelSupervisor(base, input),
  };
}

/** Without Postgres there are no other gateways. */
function createFileHistory({ settings, ports: { store, identity } }: CoreBase): FileHistory | undefined {
  if (settings.databaseUrl === undefined) return undefined;
  return new FileHistory({ store, self: identity.self, hasOwnFiles: settings.workspaceStore.kind === 'local' });
}

function createAgentDirectory(base: CoreBase, { profiles }: CoreInput): AgentDirectory {
  const { settings, ports, configReloads, tools, switches, skills } = base;
  const { shell, workspaces, configFiles } = ports;
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
  return agentDirectory;
}

function createLimits(base: CoreBase, { limits, modelCatalog: models }: CoreInput, activeReplays: ActiveReplays) {
  const { settings, ports, configReloads, switches, onError } = base;
  const { store, clock, configFiles, priceList, observer } = ports;
  const usual = { maxToolIterations: settings.maxToolIterations, timeoutMs: settings.runTimeoutMs };
  const deps = { store, clock, configFiles, configReloads, limits, usual, models, priceList, switches, activeReplays, onError, observer };
  return createLimitServices(deps);
}

function createAuth({ settings, ports, auditLog, onError, logoutHooks, callerSources }: CoreBase) {
  const { store, clock, ids, createSecret, nodeBus, logger } = ports;
  return createAuthServices({ store, clock, ids, createSecret, auditLog, nodeBus, onError, logger, logoutHooks, callerSources }, settings);
}

function createQuestions(
  base: CoreBase,
  { approvalSettings, resolvers }: CoreInput,
  { hooks, keyRing, sessionAccess }: { hooks: RunHooks; keyRing: Pick<KeyRing, 'callersOf'>; sessionAccess: SessionAccess },
) {
  const { settings, ports, auditLog, configReloads, tools, onError } = base;
  const { store, clock, ids, failpoints, observer, shell, workspaces, configFiles, nodeBus } = ports;
  const questionService = new QuestionService({ store, clock, ids, failpoints, auditLog, hooks, observer, nodeBus }, resolvers);
  const policies = followApprovalRules({ shell, workspaces, configFiles, configReloads }, approvalSettings);
  const approvers = new ApproverPresence(nodeBus);
  const directory = new ApproverDirectory(keyRing);
  const questionAccess = new QuestionAccess({ sessionAccess, approvers: directory });
  const escalations = new Escalations({ store, clock, hooks, onError });
  const reviews = new ApprovalReviews({ store, clock, auditLog, nodeBus, escalations, approvers: directory, questionService });
  const timeoutMs = settings.clarify.declaredTimeoutMs;
  const clarifications = new Clarifications({ questionService, escalations, colleagueTimeoutMs: timeoutMs });
  const workspacePathOf = (tenantId: string) => workspaces.workspaceOf(tenantId).workspace.root;
  const deps = { store, clock, questionService, questionAccess, policies, approvers, reviews, tools, timeoutMs, workspacePathOf };
  const approvalService = new ApprovalService(deps);
  return { questionService, clarifications, approvalService, approvalPolicies: policies, approverPresence: approvers, questionAccess };
}

function createModelSupervisor({ ports, configReloads, tools, onError }: CoreBase, { modelCatalog: catalog }: CoreInput): ModelSupervisor {
  const { configFiles, clock, observer } = ports;
  return new ModelSupervisor({ catalog, configFiles, configReloads, clock, hasTool: name => tools.has(name), onError, observer });
}
