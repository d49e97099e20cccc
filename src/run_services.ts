/** Builds the services that admit and execute runs, with the crew and the jobs that start runs of their own. */
import type { Settings } from '../config/settings';
import type { Ports } from './ports';
import { ResultCache } from './runtime/tool_runner/result_cache';
import { AgentDirectory } from './service/agent/agent_directory';
import type { RunToolChoice } from './service/agent/tool_choice';
import { AuditLog } from './service/audit/audit_log';
import type { RunLimiter } from './service/limits/run_limiter';
import type { Switches } from './service/limits/switches';
import type { ModelCatalog } from './service/model/model_catalog';
import { ModelRouter } from './service/model/model_router';
import type { ApprovalService } from './service/question/approval_service';
import type { QuestionResolvers } from './service/question/question_resolvers';
import type { QuestionService } from './service/question/question_service';
import { AgentExecutor } from './service/run/agent_executor';
import { CallerPresence } from './service/run/caller_presence';
import { LateMessages } from './service/run/late_messages';
import { followRemoteRequests } from './service/run/remote_requests';
import { RunAdmission } from './service/run/run_admission';
import { RunAssembler } from './service/run/run_assembler';
import { RunCapacity } from './service/run/run_capacity';
import { RunCompaction } from './service/run/run_compaction';
import { NO_CREW, type RunCrew } from './service/run/run_crew';
import { RunExecution } from './service/run/run_execution';
import { NO_MEMORY, type RunMemory } from './service/run/run_memory';
import { RunPreparation } from './service/run/run_preparation';
import { RunSupervisor } from './service/run/run_supervisor';
import { SteeringService } from './service/run/steering_service';
import { StepScheduler } from './service/run/step_scheduler';
import { RemoteRunPoller } from './service/run_log/remote_run_poller';
import type { RunHooks } from './service/run_log/run_hooks';
import { createWriterTicks } from './service/run_log/writer_ticks';
import { HistoryCache } from './service/session/history_cache';
import { FileEditingService } from './service/tool/file_editing_service';
import { ResultFiles } from './service/tool/result_files';
import { TaintService } from './service/tool/taint_service';
import { TerminalService } from './service/tool/terminal_service';
import type { ToolAccessSources } from './service/tool/tool_access';
import { ToolRegistry } from './tools/registry';
import { Slot } from './utils/slot';

interface RunInput {
  settings: Settings;
  ports: Ports & { auditLog: AuditLog };
  modelCatalog: ModelCatalog;
  resolvers: QuestionResolvers;
}

/** What runs use, built before them. */
export interface RunParts {
  hooks: RunHooks;
  tools: ToolRegistry;
  agents: AgentDirectory;
  toolChoice: Slot<RunToolChoice>;
  preparation: RunPreparation;
  histories: HistoryCache;
  capacity: RunCapacity;
  runLimiter: RunLimiter;
  switches: Switches;
  questions: QuestionService;
  approvals: ApprovalService;
  cache: ResultCache;
  retries: Settings['toolRetries'];
  fileEditing: FileEditingService;
  results: ResultFiles;
  toolAccess: ToolAccessSources;
}

export function createRunServices({ settings, ports, modelCatalog, resolvers }: RunInput, parts: RunParts) {
  const { maxToolIterations, maxContextMessages, runTimeoutMs, clarify } = settings;
  const steps = new StepScheduler(ports.clock);
  const llm = new ModelRouter({ ...ports, steps, catalog: modelCatalog, onError: ports.logger.error });
  const deps = { ...ports, ...parts, resolvers, steps, models: modelCatalog, llm, onError: ports.logger.error };
  const steering = new SteeringService(deps);
  const admission = new RunAdmission({ ...deps, steering, defaultLocale: settings.locale });
  const lateMessages = new LateMessages({ ...deps, admission });
  const remoteRuns = new RemoteRunPoller({ ...ports, isExecutedHere: (runId): boolean => supervisor.isExecuting(runId) });
  const crew = new Slot<RunCrew>(NO_CREW);
  const memory = new Slot<RunMemory>(NO_MEMORY);
  const assembler = new RunAssembler({
    ...deps,
    crew,
    memory,
    taint: new TaintService({ ...deps, memory }, settings.web.fetchAllow),
    steering,
    terminals: new TerminalService(ports),
    compaction: new RunCompaction({ ...deps, compactAt: settings.compactAt }),
    limits: { maxToolIterations, maxContextMessages },
  });
  const executionDeps = { ...deps, crew, assembler, lateMessages, ...createWriterTicks(ports.clock) };
  const execution = new RunExecution({ ...executionDeps, runTimeoutMs, textQuestionTimeoutMs: clarify.textTimeoutMs });
  const callerPresence: CallerPresence = new CallerPresence({ ...deps, cancelRun: (...run) => agentExecutor.cancel(...run) });
  const supervisor = new RunSupervisor({ ...deps, admission, execution, callerPresence });
  const agentExecutor = new AgentExecutor({ ...deps, admission, supervisor, steering, lateMessages, remoteRuns });
  if (settings.databaseUrl !== undefined) followRemoteRequests({ ...deps, supervisor });
  return { agentExecutor, callerPresence, remoteRuns, admission, supervisor, crew, memory };
}
