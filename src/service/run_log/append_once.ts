/** Stores events of a run exactly once, also when an earlier attempt succeeded and the store could not say so. */
import type { RunEvent } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreTransaction } from '../../port/store/store';

/** Returns the work that stores the events, and makes the other writes in the same transaction. Call it again after `store_unavailable`. */
export function appendOnce(
  store: Store,
  run: RunRecord,
  events: readonly RunEvent[],
  writes: readonly ((tx: StoreTransaction) => Promise<unknown>)[],
): () => Promise<void> {
  let isRepeated = false;
  return () =>
    store.transaction(async tx => {
      if (isRepeated && (await isStored(tx, run, events))) return;
      isRepeated = true;
      await tx.events.append(run, events);
      for (const write of writes) await write(tx);
    });
}

/** Only one writer advances a run in an epoch, so an earlier attempt stored events up to its last number. */
async function isStored(tx: StoreTransaction, { tenantId, id, epoch }: RunRecord, events: readonly RunEvent[]): Promise<boolean> {
  const state = await tx.runs.getState(tenantId, id);
  return state?.epoch === epoch && state.lastSeq >= (events.at(-1)?.seq ?? 0);
}
