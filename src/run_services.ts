/** Builds the services that admit and execute runs. */

import type { CoreBase } from './core_base';
import type { RunParts } from './run_parts';
import type { SessionAccess } from './service/access/session_access';
import { RunEstimates } from './service/limits/run_estimate';
import { ModelRouter } from './service/model/model_router';
import type { QuestionResolvers } from './service/question/question_resolvers';
import { AgentExecutor } from './service/run/agent_executor';
import { CallerPresence } from './service/run/caller_presence';
import { NodeLease } from './service/run/node_lease';
import { RemoteRequests } from './service/run/remote_requests';
import { RunAdmission } from './service/run/run_admission';
import { RunAssembler } from './service/run/run_assembler';
import { RunCompaction } from './service/run/run_compaction';
import { RunExecution } from './service/run/run_execution';
import { RunFiles } from './service/run/run_files';
import { RunSupervisor } from './service/run/run_supervisor';
import { SteeringService } from './service/run/steering_service';
import { StepScheduler } from './service/run/step_scheduler';
import { RemoteRunPoller } from './service/run_log/remote_run_poller';
import { DeltaTick, WriteTick } from './service/run_log/writer_ticks';
import { TaintService } from './service/tool/taint_service';
import { TerminalService } from './service/tool/terminal_service';

export type RunServices = ReturnType<typeof createRunServices>;

/** Builds the services, each over those that exist already. `resolvers`: wake the runs that wait for an answer. */
export function createRunServices(base: CoreBase, parts: RunParts, resolvers: QuestionResolvers, sessionAccess: SessionAccess) {
  const { settings, ports, onError, auditLog } = base;
  const { agentDirectory: agents, preparation, capacity, runHooks: hooks, limits } = parts;
  const { store, clock, ids, identity, observer, failpoints, bus, nodeBus, priceList } = ports;
  const steering = new SteeringService({ store, clock, ids, runLimiter: limits.runLimiter, nodeBus });
  const admission = createAdmission(base, parts, steering, sessionAccess);
  const steps = new StepScheduler(clock);
  const llm = new ModelRouter({ clock, priceList, observer, failpoints, steps, catalog: parts.modelCatalog, onError });
  const execution = createExecution(base, parts, { steering, admission, llm, steps, sessionAccess });
  const isShared = settings.databaseUrl !== undefined;
  const nodeLease = new NodeLease({ store, clock, identity, isShared });
  const supervisor = new RunSupervisor({
    store,
    bus,
    clock,
    identity,
    nodeLease,
    agents,
    admission,
    runLimiter: limits.runLimiter,
    preparation,
    execution,
    capacity,
    activeReplays: parts.activeReplays,
    onError,
    observer,
  });
  const remoteRuns = new RemoteRunPoller({ store, clock, isExecutedHere: runId => supervisor.isExecuting(runId) });
  const agentExecutor = new AgentExecutor({
    store,
    bus,
    clock,
    failpoints,
    hooks,
    auditLog,
    admission,
    runLimiter: limits.runLimiter,
    preparation,
    execution,
    supervisor,
    steering,
    remoteRuns,
    capacity,
    observer,
    nodeBus,
    sessionAccess,
  });
  const remote = { store, clock, identity, resolvers, supervisor, steering, capacity, histories: parts.histories, nodeBus, isShared };
  return {
    llm,
    admission,
    supervisor,
    remoteRuns,
    agentExecutor,
    steering,
    callerPresence: new CallerPresence({ store, clock, identity, supervisor, nodeLease, executor: agentExecutor, onError }),
    remoteRequests: new RemoteRequests(remote),
  };
}

function createAdmission(
  { settings, ports, switches, runWebhooks }: CoreBase,
  parts: RunParts,
  steering: SteeringService,
  sessionAccess: SessionAccess,
): RunAdmission {
  const { clock, ids, identity, observer, failpoints } = ports;
  const { agentDirectory: agents, visibleAgents, modelCatalog: models, toolChoice, limits, questions } = parts;
  return new RunAdmission({
    clock,
    ids,
    models,
    identity,
    agents,
    visibleAgents,
    toolChoice,
    questionService: questions.questionService,
    steering,
    runLimiter: limits.runLimiter,
    runEstimates: new RunEstimates(),
    observer,
    failpoints,
    switches,
    runWebhooks,
    defaultLocale: settings.locale,
    sessionAccess,
  });
}

function createExecution(
  base: CoreBase,
  parts: RunParts,
  {
    steering,
    admission,
    llm,
    steps,
    sessionAccess,
  }: { steering: SteeringService; admission: RunAdmission; llm: ModelRouter; steps: StepScheduler; sessionAccess: SessionAccess },
): RunExecution {
  const { settings, ports, onError, crew, recorder, workspaceSync } = base;
  const { store, clock, ids, observer, redactor, failpoints, bus } = ports;
  const { modelCatalog: models, toolChoice, histories, capacity, questions, runHooks: hooks } = parts;
  const files = new RunFiles({ workspaceSync, onError });
  return new RunExecution({
    store,
    bus,
    clock,
    ids,
    failpoints,
    writeTick: new WriteTick(clock),
    deltaTick: new DeltaTick(clock),
    hooks,
    observer,
    files,
    assembler: createAssembler(base, parts, { llm, steering, files, sessionAccess }),
    steering,
    questionService: questions.questionService,
    clarifications: questions.clarifications,
    approvalService: questions.approvalService,
    admission,
    crew,
    recorder,
    capacity,
    histories,
    models,
    toolChoice,
    steps,
    runTimeoutMs: settings.runTimeoutMs,
    textQuestionTimeoutMs: settings.clarify.textTimeoutMs,
    onError,
    redactor,
  });
}

function createAssembler(
  base: CoreBase,
  parts: RunParts,
  { llm, steering, files, sessionAccess }: { llm: ModelRouter; steering: SteeringService; files: RunFiles; sessionAccess: SessionAccess },
): RunAssembler {
  const { settings, ports, onError, tools, switches, crew, memory, recorder, toolAccess } = base;
  const { store, clock, ids, observer, redactor, workspaces, web, weather, tokenCounter } = ports;
  const { modelCatalog: models, agentDirectory: agents, histories, questions, cache, fileEditing, results } = parts;
  const { maxToolIterations, maxContextMessages, compactAt, toolRetries: retries } = settings;
  return new RunAssembler({
    store,
    clock,
    ids,
    workspaces,
    web,
    weather,
    sessionAccess,
    llm,
    models,
    agents,
    crew,
    clarifications: questions.clarifications,
    keyRing: parts.auth.keyRing,
    approvalService: questions.approvalService,
    taint: new TaintService({ store, clock, tools, memory }, settings.web.fetchAllow),
    steering,
    cache,
    retries,
    fileEditing,
    files,
    toolAccess,
    terminals: new TerminalService({ store, clock }),
    results,
    memory,
    recorder,
    compaction: new RunCompaction({ clock, llm, tokenCounter, histories, onError, compactAt }),
    observer,
    redactor,
    onError,
    switches,
    limits: { maxToolIterations, maxContextMessages },
  });
}
