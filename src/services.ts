/** Builds the services over the ports: what the doors call, by the names they inject. */
import type { Settings } from '../config/settings';
import type { Ports } from './ports';
import { type ApprovalSettings, createApprovalPolicy } from './runtime/approval/approval_policy';
import { ResultCache } from './runtime/tool_runner/result_cache';
import { AgentDirectory } from './service/agent/agent_directory';
import type { AgentProfiles } from './service/agent/agent_profiles';
import { Housekeeping } from './service/ops/housekeeping';
import { ReadinessService } from './service/ops/readiness_service';
import { AnswerService } from './service/question/answer_service';
import { ApprovalService } from './service/question/approval_service';
import { ApproverPresence } from './service/question/approver_presence';
import type { QuestionResolvers } from './service/question/question_resolvers';
import { QuestionService } from './service/question/question_service';
import { AgentExecutor } from './service/run/agent_executor';
import { LateMessages } from './service/run/late_messages';
import { RemoteRuns } from './service/run/remote_runs';
import { RunAdmission } from './service/run/run_admission';
import { RunAssembler } from './service/run/run_assembler';
import { RunCapacity } from './service/run/run_capacity';
import { RunExecution } from './service/run/run_execution';
import { RunService } from './service/run/run_service';
import { RunSupervisor } from './service/run/run_supervisor';
import { SteeringService } from './service/run/steering_service';
import type { ServiceSettings } from './service/service_settings';
import { SessionService } from './service/session/session_service';
import { FileEditingService } from './service/tool/file_editing_service';
import { ResultFiles } from './service/tool/result_files';
import { TaintService } from './service/tool/taint_service';
import { TerminalService } from './service/tool/terminal_service';
import { ToolService } from './service/tool/tool_service';
import { UndoService } from './service/tool/undo_service';
import { builtinTools } from './tools/catalog';
import { ToolRegistry } from './tools/registry';

export interface ServiceInput {
  settings: Settings;
  ports: Ports;
  profiles: AgentProfiles;
  approvalSettings: ApprovalSettings;
  resolvers: QuestionResolvers;
  version: string;
}

export function createServices({ settings, ports, profiles, approvalSettings, resolvers, version }: ServiceInput) {
  const onError = ports.logger.error;
  const { locale: defaultLocale, clarify } = settings;
  const serviceSettings: ServiceSettings = { version, defaultLocale, clarify, onError };
  const tools = new ToolRegistry(builtinTools());
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const agents = new AgentDirectory({
    profiles,
    tools,
    workspacePath: ports.workspace.root,
    timeZone,
    isolation: ports.shell.isolation,
    maxToolIterations: settings.maxToolIterations,
  });
  const questions = new QuestionService(ports, resolvers);
  const { isolation, isUnsandboxedByChoice } = ports.shell;
  const policy = createApprovalPolicy({
    ...approvalSettings,
    isIsolated: isolation !== 'none',
    asksAboutAllCommands: !isUnsandboxedByChoice,
  });
  const approverPresence = new ApproverPresence();
  const approvalService = new ApprovalService({
    ports,
    questions,
    policy,
    approvers: approverPresence,
    tools,
    timeoutMs: clarify.declaredTimeoutMs,
  });
  const steering = new SteeringService(ports);
  const admission = new RunAdmission({ ports, agents, questions, steering, defaultLocale });
  const lateMessages = new LateMessages({ ...ports, admission });
  const capacity = new RunCapacity(settings.limits);
  const fileEditing = new FileEditingService({ ports, onError });
  const cache = new ResultCache(ports.clock, { ttlMs: settings.toolCacheTtlMs });
  const results = new ResultFiles(ports.workspace, onError);
  const assembler = new RunAssembler({
    ...ports,
    agents,
    questions,
    approvals: approvalService,
    taint: new TaintService(ports, settings.web.fetchAllow),
    steering,
    cache,
    fileEditing,
    terminals: new TerminalService(ports),
    results,
    limits: {
      maxToolIterations: settings.maxToolIterations,
      maxContextMessages: settings.maxContextMessages,
      contextTokens: settings.contextTokens,
    },
  });
  const execution = new RunExecution({
    ...ports,
    assembler,
    questions,
    approvals: approvalService,
    lateMessages,
    capacity,
    runTimeoutMs: settings.runTimeoutMs,
    textQuestionTimeoutMs: clarify.textTimeoutMs,
    onError,
  });
  const supervisor = new RunSupervisor({ ports, agents, admission, execution, capacity, onError });
  const elsewhere = new RemoteRuns(ports, runId => supervisor.isExecuting(runId));
  const agentExecutor = new AgentExecutor({ ports, admission, supervisor, steering, lateMessages, capacity, elsewhere });
  const runService = new RunService(ports, settings.limits.readers, elsewhere);
  const toolService = new ToolService({ ports, tools, fileEditing, cache, policy, onError });
  return {
    serviceSettings,
    agentDirectory: agents,
    agentExecutor,
    questionService: questions,
    answerService: new AnswerService({ questions, executor: agentExecutor, runs: runService }),
    approvalService,
    approverPresence,
    runService,
    sessionService: new SessionService({
      ports,
      agents,
      defaultLocale,
      results,
      cancelRuns: (tenantId, sessionId) => agentExecutor.cancelSession(tenantId, sessionId),
    }),
    toolService,
    undoService: new UndoService({ ports, onChange: () => cache.invalidate() }),
    readinessService: new ReadinessService(ports),
    housekeeping: new Housekeeping(ports, onError, () => toolService.endAbandonedCalls()),
  };
}
