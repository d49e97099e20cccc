/** Builds what doors call, over runs. */
import type { CoreBase } from './core_base';
import type { RunParts } from './run_parts';
import type { RunServices } from './run_services';
import type { SessionAccess } from './service/access/session_access';
import { createFileServices } from './service/file/file_services';
import { createHousekeeping } from './service/housekeeping/housekeeping';
import { ImageService } from './service/image/image_service';
import { AnswerService } from './service/question/answer_service';
import { BranchRuns } from './service/run/branch_runs';
import { RunPreviewService } from './service/run/run_preview';
import { RunService } from './service/run_log/run_service';
import type { ServiceSettings } from './service/service_settings';
import { SessionService } from './service/session/session_service';
import { SnapshotService } from './service/session/snapshot_service';
import { ReadinessService } from './service/status/readiness_service';
import { ChangeService } from './service/tool/change_service';
import { DirectCallService } from './service/tool/direct_call_service';
import { ToolService } from './service/tool/tool_service';
import type { UndoService } from './service/tool/undo_service';
import { WholeResults } from './service/tool/whole_results';

/** Builds the services of the doors. `files` holds several services. */
export function createDoorParts(base: CoreBase, parts: RunParts, runs: RunServices, sessionAccess: SessionAccess) {
  const { settings, ports, onError, auditLog, tools, switches, purge, memory, workspaceSync, uploads, ownerPeriods } = base;
  const { store, clock, ids, identity, undoStore, workspaces, web, bus, tokenCounter } = ports;
  const { agentDirectory: agents, visibleAgents, modelCatalog: models, preparation, toolChoice, toolCounts, cache, limits } = parts;
  const { questionService, questionAccess } = parts.questions;
  const { locale: defaultLocale, retention: days } = settings;
  const { usageRollUp } = limits;
  const runService = new RunService({
    store,
    bus,
    clock,
    remoteRuns: runs.remoteRuns,
    storeShownEvents: runId => runs.supervisor.storeShownEvents(runId),
    isShared: settings.databaseUrl !== undefined,
    maxReaders: settings.limits.readers,
  });
  const directCallService = createDirectCalls(base, parts, sessionAccess);
  const files = createFileServices({ store, clock, ids, identity, undoStore, workspaces, auditLog, cache, workspaceSync, onError });
  const sessionService = createSessions(base, parts, { executor: runs.agentExecutor, undo: files.undoService, sessionAccess });
  const imageService = new ImageService({ store, workspaces, workspaceSync, ids, web, uploads });
  return {
    files,
    imageService,
    branchRuns: new BranchRuns({ store, clock, sessions: sessionService, images: imageService }),
    changeService: new ChangeService({ store, undo: files.undoService, assertSession: (...key) => sessionService.getSession(...key) }),
    wholeResults: new WholeResults({ store, results: parts.results, bring: tenantId => workspaceSync.current.bring(tenantId) }),
    runService,
    directCallService,
    sessionService,
    answerService: new AnswerService({
      questionService,
      questionAccess,
      executor: runs.agentExecutor,
      runs: runService,
      steering: runs.steering,
    }),
    runPreviewService: new RunPreviewService({
      store,
      clock,
      models,
      agents,
      visibleAgents,
      memory,
      toolChoice,
      preparation,
      tokenCounter,
      llm: runs.llm,
      defaultLocale,
    }),
    snapshotService: new SnapshotService({ sessions: sessionService, runs: runService, questionService }),
    toolService: new ToolService({ ports: { store }, tools, models, toolCounts, switches, onError }),
    readinessService: createReadiness(base, parts),
    housekeeping: createHousekeeping({
      store,
      clock,
      auditLog,
      purge,
      directCallService,
      usageRollUp,
      sessionService,
      days,
      ownerPeriods,
      onError,
    }),
  };
}

/** Picks the settings that doors need. */
export function toServiceSettings({ settings, ports, onError }: CoreBase, version: string): ServiceSettings {
  const { locale: defaultLocale, timeZone, clarify, publicShares } = settings;
  const { transcription: speech, logger } = ports;
  const transcription = speech && { provider: speech.provider, model: speech.model };
  return { version, defaultLocale, timeZone, publicShares, transcription, clarify, onError, onEvent: logger.event };
}

function createDirectCalls(base: CoreBase, parts: RunParts, sessionAccess: SessionAccess): DirectCallService {
  const { settings, ports, onError, tools, switches, toolAccess, workspaceSync } = base;
  const { store, clock, ids, identity, observer, redactor, workspaces, web, weather } = ports;
  const { cache, fileEditing, toolCounts, questions } = parts;
  return new DirectCallService({
    ports: { sessionAccess, workspaces, clock, web, weather, store, ids, identity, observer, redactor },
    tools,
    fileEditing,
    toolAccess,
    workspaceSync,
    cache,
    retries: settings.toolRetries,
    policies: questions.approvalPolicies,
    toolCounts,
    switches,
    onError,
  });
}

function createSessions(
  base: CoreBase,
  parts: RunParts,
  { executor, undo, sessionAccess }: { executor: RunServices['agentExecutor']; undo: UndoService; sessionAccess: SessionAccess },
): SessionService {
  const { settings, ports, auditLog, purge, exportSources, ownerPeriods } = base;
  const { store, clock, ids } = ports;
  const { visibleAgents: agents, modelCatalog: models, results, histories } = parts;
  return new SessionService({
    store,
    clock,
    ids,
    agents,
    models,
    defaultLocale: settings.locale,
    keptDaysOf: async (tenantId, owner) => (await ownerPeriods.current.daysOf(tenantId, owner)) ?? settings.retention.sessions,
    keptDays: settings.retention.sessions,
    results,
    histories,
    undo,
    exportSources,
    cancelRuns: (tenantId, sessionId) => executor.cancelSession(tenantId, sessionId),
    sessionWatch: parts.sessionWatch,
    sessionAccess,
    onDelete: () => purge.schedule(),
    auditLog,
  });
}

/** Adds the warnings of the core to the list, which /readyz and the operator pages show. */
function createReadiness({ ports, configReloads, warnings, toolProblems }: CoreBase, parts: RunParts): ReadinessService {
  const { store, shell, eventLoopMonitor } = ports;
  const { agentDirectory, modelCatalog: models, modelSupervisor, limits, embeddingService } = parts;
  for (const part of [modelSupervisor, limits.limitsSupervisor, agentDirectory, configReloads]) warnings.add(() => part.warnings());
  warnings.add(() => embeddingService.listWarnings());
  const listWarnings = () => [...warnings.list(), ...toolProblems.list()];
  return new ReadinessService({ store, shell, eventLoopMonitor, models, listWarnings });
}
