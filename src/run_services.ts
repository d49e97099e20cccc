/** Builds the services that admit and execute runs, each from what it names. */
import type { CoreBase, CoreInput } from './core_base';
import type { RunParts } from './run_parts';
import { ModelRouter } from './service/model/model_router';
import { AgentExecutor } from './service/run/agent_executor';
import { CallerPresence } from './service/run/caller_presence';
import { followRemoteRequests } from './service/run/remote_requests';
import { RunAdmission } from './service/run/run_admission';
import { RunAssembler, type RunAssemblerDeps } from './service/run/run_assembler';
import { RunCompaction } from './service/run/run_compaction';
import { RunExecution } from './service/run/run_execution';
import { RunSupervisor } from './service/run/run_supervisor';
import { SteeringService } from './service/run/steering_service';
import { StepScheduler } from './service/run/step_scheduler';
import { RemoteRunPoller } from './service/run_log/remote_run_poller';
import { createWriterTicks } from './service/run_log/writer_ticks';
import { TaintService } from './service/tool/taint_service';
import { TerminalService } from './service/tool/terminal_service';

type RunDeps = CoreBase & RunParts & Pick<CoreInput, 'resolvers'>;

export function createRunServices(deps: RunDeps) {
  const { settings, ports, onError, auditLog, agentDirectory: agents, preparation, capacity, resolvers, runHooks: hooks } = deps;
  const { store, clock, ids, identity, observer, failpoints, bus } = ports;
  const steering = new SteeringService({ store, clock, ids, runLimiter: deps.runLimiter });
  const admission = createAdmission(deps, steering);
  const execution = createExecution(deps, { steering, admission });
  const here = { store, bus, clock, capacity, observer, preparation };
  const supervisor = new RunSupervisor({ ...here, identity, agents, onError, admission, execution });
  const remoteRuns = new RemoteRunPoller({ store, clock, isExecutedHere: runId => supervisor.isExecuting(runId) });
  const starting = { admission, supervisor, steering, remoteRuns };
  const agentExecutor = new AgentExecutor({ ...here, ...starting, failpoints, hooks, auditLog });
  const callerPresence = new CallerPresence({ store, clock, identity, supervisor, executor: agentExecutor, onError });
  if (settings.databaseUrl !== undefined) followRemoteRequests({ store, clock, identity, resolvers, capacity, supervisor });
  return { agentExecutor, callerPresence, remoteRuns, admission, supervisor };
}

function createAdmission(deps: RunDeps, steering: SteeringService): RunAdmission {
  const { ports, modelCatalog: models, agentDirectory: agents, toolChoice, questionService, runLimiter, switches } = deps;
  const { clock, ids, identity, observer } = ports;
  const defaultLocale = deps.settings.locale;
  const chosen = { agents, models, toolChoice, runLimiter, switches };
  return new RunAdmission({ ...chosen, clock, ids, identity, observer, questionService, steering, defaultLocale });
}

function createExecution(deps: RunDeps, { steering, admission }: { steering: SteeringService; admission: RunAdmission }): RunExecution {
  const {
    settings,
    ports,
    onError,
    modelCatalog: models,
    toolChoice,
    histories,
    capacity,
    questionService,
    approvalService,
    crew,
    runHooks: hooks,
  } = deps;
  const { store, clock, ids, observer, redactor, failpoints, bus, priceList } = ports;
  const steps = new StepScheduler(clock);
  const llm = new ModelRouter({ clock, priceList, observer, failpoints, steps, catalog: models, onError });
  return new RunExecution({
    store,
    clock,
    ids,
    bus,
    observer,
    redactor,
    failpoints,
    onError,
    assembler: createAssembler(deps, { llm, steering }),
    models,
    toolChoice,
    histories,
    capacity,
    questionService,
    approvalService,
    crew,
    admission,
    steps,
    hooks,
    ...createWriterTicks(clock),
    runTimeoutMs: settings.runTimeoutMs,
    textQuestionTimeoutMs: settings.clarify.textTimeoutMs,
  });
}

function createAssembler(deps: RunDeps, { llm, steering }: Pick<RunAssemblerDeps, 'llm' | 'steering'>): RunAssembler {
  const { settings, ports, onError, tools, switches, crew, memory, toolAccess, modelCatalog: models, agentDirectory: agents } = deps;
  const { histories, questionService, approvalService, cache, fileEditing, results } = deps;
  const { store, clock, ids, observer, redactor, workspaces, web, weather, tokenCounter } = ports;
  const { maxToolIterations, maxContextMessages, compactAt, toolRetries: retries } = settings;
  return new RunAssembler({
    store,
    clock,
    ids,
    observer,
    redactor,
    workspaces,
    web,
    weather,
    llm,
    models,
    agents,
    switches,
    questionService,
    approvalService,
    crew,
    memory,
    steering,
    cache,
    retries,
    results,
    fileEditing,
    toolAccess,
    taint: new TaintService({ store, clock, tools, memory }, settings.web.fetchAllow),
    terminals: new TerminalService({ store, clock }),
    compaction: new RunCompaction({ clock, llm, tokenCounter, histories, onError, compactAt }),
    limits: { maxToolIterations, maxContextMessages },
  });
}
