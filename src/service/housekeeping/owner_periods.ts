/** For how long chats of people are kept, where that differs from the setting of the gateway. */
import { isDeepStrictEqual } from 'node:util';
import type { OwnerDays } from '../../port/store/retention';
import type { Store } from '../../port/store/store';

export interface OwnerPeriods {
  /** The days of all owners who have days of their own. */
  listDays(): Promise<OwnerDays[]>;
  /** The days of one owner; 0: for ever. Undefined: the setting of the gateway counts. */
  daysOf(tenantId: string, owner: string): Promise<number | undefined>;
}

export const NO_OWNER_PERIODS: OwnerPeriods = { listDays: async () => [], daysOf: async () => undefined };

/** Stores the days of all owners for the deletion of old chats; writes nothing when they are as before. */
export async function storeOwnerDays(store: Store, periods: OwnerPeriods): Promise<void> {
  const days = (await periods.listDays()).sort(byOwner);
  if (isDeepStrictEqual(days, (await store.read.retention.listOwnerDays()).sort(byOwner))) return;
  await store.transaction({ leader: 'housekeeping' }, tx => tx.retention.setOwnerDays(days));
}

const byOwner = (a: OwnerDays, b: OwnerDays): number => (keyOf(a) < keyOf(b) ? -1 : 1);

const keyOf = ({ tenantId, owner }: OwnerDays): string => `${tenantId} ${owner}`;
