/** Builds the services of the core over the ports, in four steps. Features are built on top: see feature.ts. */
import { createAccessParts } from './access_parts';
import { type CoreInput, createBase } from './core_base';
import { createDoorParts, toServiceSettings } from './door_parts';
import { createRunParts } from './run_parts';
import { createRunServices } from './run_services';
import { DoorActivity } from './service/door/door_activity';
import { Refusals } from './service/limits/refusals';
import { GivenConversations } from './service/run/given_conversation';
import { createRunLogLines } from './service/run/run_log_lines';
import { PersonData } from './service/session/person_data';

/** The services by the names under which doors inject them and features take them. */
export type CoreServices = ReturnType<typeof createCoreServices>;

/** Builds the services. A name must be in the returned object to be injected or to be taken by a feature. */
export function createCoreServices(input: CoreInput) {
  const base = createBase(input);
  const { settings, ports, auditLog, mailer, textReads, configReloads, tools, switches, purge } = base;
  const { crew, memory, recorder, skills, mcpServers, messageSearch, workspaceSync, backupStatus, openSockets } = base;
  const { runWebhooks, uploads, webhookForms, logoutHooks, loginListeners, callerSources, passwordLogin, ownerPeriods } = base;
  const { toolAccess, warnings, toolProblems, figures, storedFigures, checks, routeTokens, exportSources, acceptHooks } = base;
  const { store, clock, observer, logger } = ports;
  observer.listen(createRunLogLines(logger.event));
  const parts = createRunParts(base, input);
  const { profiles, modelCatalog, modelSupervisor, agentDirectory, visibleAgents, toolChoice, toolCounts, sessionWatch } = parts;
  const { runHooks, preparation, capacity, activeReplays, cache, embeddingService } = parts;
  const { rules, budgetListener, limitsSupervisor, dayBudgets, runLimiter, rateLimits, usageRollUp, usageReport } = parts.limits;
  const { questionService, approvalService, approvalPolicies, approverPresence, questionAccess } = parts.questions;
  const { keyRing, keyUsage, authService, apiKeyService, loginService } = parts.auth;
  const { sessionAccess, sessionIds, sessionPresence, sessionSharing, privateTexts, ownedThings } = createAccessParts(base, parts);
  const runs = createRunServices(base, parts, input.resolvers, sessionAccess);
  const { llm, admission, supervisor, remoteRuns, agentExecutor, callerPresence, remoteRequests } = runs;
  const doors = createDoorParts(base, parts, runs, sessionAccess);
  const { undoService, fileService } = doors.files;
  const { imageService, branchRuns, changeService, wholeResults, runService, directCallService, sessionService, answerService } = doors;
  const { runPreviewService, snapshotService, toolService, readinessService, housekeeping } = doors;
  // biome-ignore format: names that were made together stand in one line
  return {
    settings, ports, auditLog, mailer, textReads, configReloads, tools, switches, purge,
    crew, memory, recorder, skills, mcpServers, messageSearch, workspaceSync, backupStatus, openSockets, runWebhooks, uploads, ownerPeriods, webhookForms,
    toolAccess, warnings, toolProblems, figures, storedFigures, checks, routeTokens, exportSources, acceptHooks,
    logoutHooks, loginListeners, callerSources, passwordLogin,
    profiles, modelCatalog, modelSupervisor, agentDirectory, visibleAgents, toolChoice, toolCounts, sessionWatch,
    runHooks, preparation, capacity, activeReplays, cache, embeddingService,
    rules, budgetListener, limitsSupervisor, dayBudgets, runLimiter, rateLimits, usageRollUp, usageReport,
    questionService, approvalService, approvalPolicies, approverPresence, questionAccess,
    llm, admission, supervisor, remoteRuns, agentExecutor, callerPresence, remoteRequests,
    keyRing, keyUsage, authService, apiKeyService, loginService, sessionAccess, sessionIds, sessionPresence, sessionSharing,
    privateTexts, ownedThings,
    undoService, fileService,
    imageService, branchRuns, changeService, wholeResults, runService, directCallService, sessionService, answerService,
    runPreviewService, snapshotService, toolService, readinessService, housekeeping,
    serviceSettings: toServiceSettings(base, input.version),
    givenConversations: new GivenConversations({ store, sessionAccess }),
    personData: new PersonData({ store, sessions: sessionService, sources: exportSources, sessionAccess }),
    refusals: new Refusals({ clock, observer, log: logger.event }),
    doorActivity: new DoorActivity({ clock, observer }),
  };
}
