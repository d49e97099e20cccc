/**
 * Replays and suites that call models in this process. Each counts like a run of its caller: in `concurrentRuns`, in the drain at a stop and in the
 * figures for operators.
 */
import { AppError } from '../../errors';
import type { Actor } from '../../port/principal';

/** A replay or a suite that goes on. */
export interface ActiveReplay {
  /** Aborts with `draining` when the gateway stops. */
  readonly signal: AbortSignal;
  /** Call it once the work has ended. */
  end(): void;
}

export class ActiveReplays {
  private readonly open = new Set<{ actor: Actor; stop: AbortController }>();

  begin({ tenantId, keyName }: Actor): ActiveReplay {
    const replay = { actor: { tenantId, keyName }, stop: new AbortController() };
    this.open.add(replay);
    return { signal: replay.stop.signal, end: () => this.open.delete(replay) };
  }

  get count(): number {
    return this.open.size;
  }

  /** Counts the replays of a tenant. With `keyName`: those of the key. */
  countOf({ tenantId, keyName }: { tenantId: string; keyName?: string | undefined }): number {
    return this.list().filter(actor => actor.tenantId === tenantId && (keyName === undefined || actor.keyName === keyName)).length;
  }

  /** Lists the callers, each once for each of its replays. */
  list(): Actor[] {
    return [...this.open].map(({ actor }) => actor);
  }

  /** Ends all replays. */
  stop(): void {
    for (const { stop } of this.open) stop.abort(new AppError('draining', { retryAfterMs: 5_000 }));
  }
}
