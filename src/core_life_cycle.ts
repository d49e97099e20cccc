/** Starts and stops the services of the core, each in its order. Features start and stop themselves: see feature.ts. */
import type { CoreServices } from './core_services';

/** Called before the doors open, after features have started. */
export async function startCore(core: CoreServices): Promise<void> {
  await core.keyRing.start();
  await core.switches.start();
  await core.directCallService.endAbandonedCalls();
  await core.agentExecutor.recover();
  core.modelSupervisor.start();
  core.limitsSupervisor.start();
  core.housekeeping.start();
}

/**
 * Called while the doors are still open and accept no more runs: drains the runs, releases the leases of the rest, and stops what works in the
 * background. Event streams end properly, so that their readers reconnect with their cursor.
 */
export async function stopCore(core: CoreServices): Promise<void> {
  await core.agentExecutor.stop();
  core.callerPresence.stop();
  await core.directCallService.stopBackgroundCalls();
  core.ports.configFiles.close();
  core.housekeeping.stop();
  core.modelSupervisor.stop();
  core.usageRollUp.stop();
  await core.rateLimits.stop();
  core.embeddingService.stop();
  core.keyRing.stop();
  core.switches.stop();
  await core.keyUsage.writePending();
  core.runService.stopSubscriptions();
}
