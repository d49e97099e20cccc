/** Starts and stops the services of the core. Features start and stop themselves: see feature.ts. */
import type { CoreServices } from './core_services';

/** One step, which ends before the next one begins. */
type Step = (core: CoreServices) => void | Promise<void>;

const START: readonly Step[] = [
  core => core.keyRing.start(),
  core => core.switches.start(),
  core => core.directCallService.endAbandonedCalls(),
  core => core.remoteRequests.start(),
  core => core.agentExecutor.recover(),
  core => core.modelSupervisor.start(),
  core => core.limitsSupervisor.start(),
  core => core.auditLog.start(),
  core => core.housekeeping.start(),
];

const STOP: readonly Step[] = [
  core => core.agentExecutor.stop(),
  core => core.callerPresence.stop(),
  core => core.directCallService.stopBackgroundCalls(),
  core => core.ports.configFiles.close(),
  core => core.housekeeping.stop(),
  core => core.modelSupervisor.stop(),
  core => core.usageRollUp.stop(),
  core => core.rateLimits.stop(),
  core => core.embeddingService.stop(),
  core => core.keyRing.stop(),
  core => core.switches.stop(),
  core => core.keyUsage.writePending(),
  core => core.auditLog.stop(),
  core => core.runService.stopSubscriptions(),
];

/** Called before the doors open, after features have started. */
export async function startCore(core: CoreServices): Promise<void> {
  for (const step of START) await step(core);
}

/**
 * Called while the doors are still open and accept no more runs: drains the runs, releases the leases of the rest, and stops what works in the
 * background. Event streams end properly, so that their readers reconnect with their cursor.
 */
export async function stopCore(core: CoreServices): Promise<void> {
  for (const step of STOP) await step(core);
}
