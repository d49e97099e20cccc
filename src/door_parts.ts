/** Builds what doors call, over runs. */

import type { CoreBase } from './core_base';
import type { RunParts } from './run_parts';
import type { createRunServices } from './run_services';
import { DoorActivity } from './service/door/door_activity';
import { createDoorServices } from './service/door_services';
import { createFileServices } from './service/file/file_services';
import { createHousekeeping } from './service/housekeeping/housekeeping';
import { Refusals } from './service/limits/refusals';
import { AnswerService } from './service/question/answer_service';
import { RunPreviewService } from './service/run/run_preview';
import { RunService } from './service/run_log/run_service';
import type { ServiceSettings } from './service/service_settings';
import { SessionService } from './service/session/session_service';
import { SnapshotService } from './service/session/snapshot_service';
import { ReadinessService } from './service/status/readiness_service';
import { DirectCallService } from './service/tool/direct_call_service';
import { ToolService } from './service/tool/tool_service';

type Built = RunParts & ReturnType<typeof createRunServices>;

export function createDoorParts(base: CoreBase, built: Built & { version: string }) {
  const { settings, ports, onError, auditLog, tools, switches, purge, toolAccess, warnings, toolProblems, exportSources, memory } = base;
  const { store, clock, ids, identity, observer, redactor, workspaces, web, weather, bus, undoStore, shell, eventLoopMonitor } = ports;
  const {
    agentDirectory: agents,
    modelCatalog: models,
    agentExecutor,
    questionService,
    approvalService,
    cache,
    results,
    fileEditing,
    toolCounts,
  } = built;
  const { locale: defaultLocale, clarify, toolRetries: retries } = settings;
  const runService = new RunService({ store, bus, clock, remoteRuns: built.remoteRuns, maxReaders: settings.limits.readers });
  const calling = { workspaces, clock, web, weather, store, ids, identity, observer, redactor };
  const direct = { ports: calling, tools, fileEditing, toolAccess, cache, retries, toolCounts, switches, policy: built.policy, onError };
  const directCallService = new DirectCallService(direct);
  const fileServices = createFileServices({ store, clock, ids, identity, undoStore, workspaces, auditLog, cache, onError });
  const sessionService = new SessionService({
    store,
    clock,
    ids,
    auditLog,
    agents,
    models,
    defaultLocale,
    results,
    histories: built.histories,
    exportSources,
    undo: fileServices.undoService,
    cancelRuns: (tenantId, sessionId) => agentExecutor.cancelSession(tenantId, sessionId),
    onDelete: () => purge.schedule(),
  });
  for (const service of [built.modelSupervisor, built.limitsSupervisor, agents, base.configReloads]) warnings.add(() => service.warnings());
  warnings.add(() => built.embeddingService.listWarnings());
  const listWarnings = () => [...warnings.list(), ...toolProblems.list()];
  const { usageRollUp, toolChoice, preparation, callerPresence } = built;
  const days = settings.retention;
  const { createSecret, logger } = ports;
  const entering = { store, clock, ids, createSecret, auditLog, logger, workspaces, web, callerPresence, onError };
  return {
    serviceSettings: { version: built.version, defaultLocale, clarify, onError, onEvent: logger.event } satisfies ServiceSettings,
    ...createDoorServices(entering, settings),
    ...fileServices,
    runService,
    directCallService,
    sessionService,
    questionService,
    answerService: new AnswerService({ questionService, executor: agentExecutor, runs: runService }),
    approvalService,
    runPreviewService: new RunPreviewService({ store, clock, models, agents, memory, toolChoice, preparation, defaultLocale }),
    snapshotService: new SnapshotService({ sessions: sessionService, runs: runService, questionService }),
    toolService: new ToolService({ ports: { store }, tools, models, toolCounts, switches, onError }),
    readinessService: new ReadinessService({ store, shell, eventLoopMonitor, models, listWarnings }),
    refusals: new Refusals({ clock, observer }),
    doorActivity: new DoorActivity({ clock, observer }),
    housekeeping: createHousekeeping({ store, clock, auditLog, purge, directCallService, usageRollUp, sessionService, days, onError }),
  };
}
