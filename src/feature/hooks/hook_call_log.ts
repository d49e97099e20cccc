/** Remembers the last requests to each hook with their outcome, so that a person sees why nothing happens. */
import { toAppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import { AddressCounts } from '../../service/auth/address_counts';
import type { HookCallRecord, HookRecord } from './store/hook_records';

/** Requests that are kept of a hook. */
const KEPT_CALLS = 50;
/** The most refused requests of one hook that are kept in a minute: more of them would only push out the others. */
const MAX_REFUSED = 20;

/** Says how a request ended. `code` is that of the error. */
export type CallEnd = Pick<HookCallRecord, 'outcome' | 'code' | 'runId' | 'messageId'>;

export class HookCallLog {
  private readonly refused: AddressCounts;

  constructor(private readonly deps: { store: Store; clock: Clock; ids: IdSource; onError: LogError }) {
    this.refused = new AddressCounts(deps);
  }

  /** Never rejects: the request has its answer whether or not it can be remembered. */
  async note(hook: HookRecord, address: string, end: CallEnd): Promise<void> {
    const { store, clock, ids, onError } = this.deps;
    const { tenantId, id: hookId } = hook;
    if (end.code !== undefined && this.isFlooded(hookId)) return;
    const call = { tenantId, id: ids.next('hkc'), hookId, address, createdAt: clock.now(), ...end };
    try {
      await store.transaction('none', async tx => {
        await tx.hooks.insertCall(call);
        await tx.hooks.deleteOldCalls(tenantId, hookId, KEPT_CALLS);
      });
    } catch (thrown) {
      onError('a request to a hook cannot be remembered', thrown);
    }
  }

  private isFlooded(hookId: string): boolean {
    const kind = 'refused requests';
    if (this.refused.windowOf(hookId, kind).count >= MAX_REFUSED) return true;
    this.refused.add(hookId, kind);
    return false;
  }
}

/** Says how a request ended that was refused. */
export function refusedEnd(thrown: unknown): CallEnd {
  const { code } = toAppError(thrown);
  return { outcome: code === 'rate_limited' || code === 'quota_exceeded' ? 'limited' : 'refused', code };
}
