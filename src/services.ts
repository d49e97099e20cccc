/** Builds the services over the ports: what the doors call, by the names they inject. */
import type { Settings } from '../config/settings';
import type { Ports } from './ports';
import { AgentAssembly } from './service/agent_assembly';
import { AgentExecutor } from './service/agent_executor';
import type { AgentProfiles } from './service/agent_profiles';
import { ClarificationService, type ClarifyWaiters } from './service/clarification_service';
import { ReadinessService } from './service/readiness_service';
import { RunExecution } from './service/run_execution';
import { RunService } from './service/run_service';
import type { ServiceSettings } from './service/service_settings';
import { SessionService } from './service/session_service';
import { ToolService } from './service/tool_service';
import { builtinTools } from './tools/catalog';

export interface ServiceInput {
  settings: Settings;
  ports: Ports;
  profiles: AgentProfiles;
  waiters: ClarifyWaiters;
  version: string;
  onError: (message: string, error: unknown) => void;
}

export function createServices({ settings, ports, profiles, waiters, version, onError }: ServiceInput) {
  const { locale: defaultLocale, clarify } = settings;
  const serviceSettings: ServiceSettings = { version, defaultLocale, clarify, onError };
  const clarificationService = new ClarificationService({ ...ports, waiters });
  const executionSettings = {
    maxToolIterations: settings.maxToolIterations,
    maxContextMessages: settings.maxContextMessages,
    runTimeoutMs: settings.runTimeoutMs,
    textQuestionTimeoutMs: clarify.textTimeoutMs,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    onError,
  };
  const agentExecutor = new AgentExecutor({
    ports,
    profiles,
    assembly: new AgentAssembly(builtinTools(), ports.workspace.root),
    execution: new RunExecution(ports, executionSettings, clarificationService),
    clarifications: clarificationService,
    defaultLocale,
    onError,
  });
  return {
    serviceSettings,
    agentExecutor,
    clarificationService,
    runService: new RunService(ports),
    sessionService: new SessionService({
      ports,
      isAgent: name => profiles.get(name) !== undefined,
      defaultLocale,
      cancelRuns: (tenantId, sessionId) => agentExecutor.cancelSession(tenantId, sessionId),
    }),
    toolService: new ToolService({ ports, available: builtinTools() }),
    readinessService: new ReadinessService(ports),
  };
}
