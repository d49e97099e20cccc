/** Steps of the start of a run that tests may stop or skip. */

import type { Failpoints } from '../../port/failpoints';
import type { RunCapacity } from './run_capacity';
import type { Claimed } from './start_request';

/** Reaches the failpoints between the commit of a run and its launch. Returns undefined when none is set. Rejects as a failpoint does. */
export function reachStartFailpoints(
  { failpoints, capacity }: { failpoints: Failpoints; capacity: Pick<RunCapacity, 'freeSlot'> },
  claimed: Claimed | undefined,
  begun: { discard(): void } | undefined,
): Promise<void> | undefined {
  const reachClaimed = () => (claimed ? failpoints.reach('run_claimed') : undefined);
  const stored = failpoints.reach('message_stored');
  const reached = stored ? stored.then(reachClaimed) : reachClaimed();
  return reached?.catch(thrown => {
    // A heartbeat recovers the stored run later and takes a slot of its own for it.
    if (claimed) capacity.freeSlot();
    begun?.discard();
    throw thrown;
  });
}

/**
 * Returns the active run of a session as the store knows it. While the failpoint `active_check` fails: undefined, so that the unique index of the store
 * alone refuses a second active run.
 */
export async function seenActive<Run>(failpoints: Failpoints, run: Run | undefined): Promise<Run | undefined> {
  const reached = failpoints.reach('active_check');
  return reached
    ? reached.then(
        () => run,
        () => undefined,
      )
    : run;
}

/** Resolves when Node has sent the request of the first model call. Otherwise the commit, which blocks the event loop, would delay the request. */
export async function letCallLeave(failpoints: Failpoints): Promise<void> {
  await nextTick();
  await nextTick();
  const reached = failpoints.reach('run_begun');
  if (reached) await reached;
}

const nextTick = (): Promise<void> => new Promise(resolve => process.nextTick(resolve));
