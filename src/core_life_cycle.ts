/** Starts and stops the services of the core. Features start and stop themselves: see feature.ts. */
import type { CoreServices } from './core_services';
import type { StopSteps } from './stop';

/** One step, which ends before the next one begins. */
type Step = (core: CoreServices) => void | Promise<void>;

const START: readonly Step[] = [
  core => core.keyRing.start(),
  core => core.sessionAccess.start(),
  core => core.switches.start(),
  core => core.directCallService.endAbandonedCalls(),
  core => core.remoteRequests.start(),
  // A rehearsal would go on with the runs of another gateway.
  core => (core.settings.isRehearsal ? undefined : core.agentExecutor.recover()),
  core => core.modelSupervisor.start(),
  core => core.limitsSupervisor.start(),
  core => core.auditLog.start(),
  core => core.housekeeping.start(),
];

/** The names are for the log. */
const STOP: Readonly<Record<string, Step>> = {
  agentExecutor: core => core.agentExecutor.stop(),
  callerPresence: core => core.callerPresence.stop(),
  directCallService: core => core.directCallService.stopBackgroundCalls(),
  configFiles: core => core.ports.configFiles.close(),
  housekeeping: core => core.housekeeping.stop(),
  modelSupervisor: core => core.modelSupervisor.stop(),
  usageRollUp: core => core.usageRollUp.stop(),
  rateLimits: core => core.rateLimits.stop(),
  embeddingService: core => core.embeddingService.stop(),
  keyRing: core => core.keyRing.stop(),
  switches: core => core.switches.stop(),
  keyUsage: core => core.keyUsage.writePending(),
  auditLog: core => core.auditLog.stop(),
  sessionPresence: core => core.sessionPresence.stop(),
  runService: core => core.runService.stopSubscriptions(),
};

/** Called before the doors open, after features have started. */
export async function startCore(core: CoreServices): Promise<void> {
  for (const step of START) await step(core);
}

/**
 * Called while the doors are still open and accept no more runs: drains the runs, releases the leases of the rest, and stops what works in the
 * background. Event streams end properly, so that their readers reconnect with their cursor.
 */
export async function stopCore(core: CoreServices, steps: StopSteps): Promise<void> {
  for (const [name, step] of Object.entries(STOP)) await steps.run(name, () => step(core));
}
