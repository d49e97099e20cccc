/**
 * The lease of this process among the processes on its store. While the lease lasts, no other process acquires the runs of this one or cancels the runs
 * of its callers.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { Store } from '../../port/store/store';

/** Milliseconds for which a renewal keeps the lease. */
export const LEASE_MS = 15_000;
/** Leases that have been over for longer than this are deleted. */
const FORGET_MS = 24 * 3_600_000;

interface NodeLeaseDeps {
  store: Store;
  clock: Clock;
  identity: InstanceId;
  /** Other gateways can be on the store. They would acquire a run that starts while the lease of its process is over. */
  isShared: boolean;
}

export class NodeLease {
  /** The time just before the last renewal, by both clocks: one may be set, and the other may stand still while the machine sleeps. */
  private renewedAt: { wall: number; monotonic: number } | undefined;
  private renewing: Promise<void> | undefined;
  private afterGap: () => Promise<void> = async () => {};
  private readonly needs: (() => boolean)[] = [];

  constructor(private readonly deps: NodeLeaseDeps) {}

  /** Renews the lease at heartbeats while `isNeeded`. A gateway that is alone on its store writes nothing while it has nothing to do. */
  keepWhile(isNeeded: () => boolean): void {
    this.needs.push(isNeeded);
  }

  /** Calls `check` after a renewal that may have come too late, before the lease counts as certain: another process may have acquired runs. */
  onGap(check: () => Promise<void>): void {
    this.afterGap = check;
  }

  get isNeeded(): boolean {
    return this.deps.isShared || this.needs.some(isNeeded => isNeeded());
  }

  /** True while the lease has certainly not expired. */
  get isCertain(): boolean {
    const { clock } = this.deps;
    const { wall, monotonic } = this.renewedAt ?? { wall: -LEASE_MS, monotonic: -LEASE_MS };
    return clock.now() - wall < LEASE_MS && clock.monotonic() - monotonic < LEASE_MS;
  }

  /** Renews the lease. Those who ask during a renewal share it. */
  renew(): Promise<void> {
    this.renewing ??= this.renewNow().finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private async renewNow(): Promise<void> {
    const { store, clock, identity } = this.deps;
    const before = { wall: clock.now(), monotonic: clock.monotonic() };
    await store.transaction('none', tx => tx.nodeLeases.renew(identity.self, { now: before.wall, lengthMs: LEASE_MS }));
    if (!this.isCertain) await this.afterGap();
    this.renewedAt = before;
  }

  /** Takes the first lease of this process, and ends the leases of processes of this machine that have died. */
  async start(): Promise<void> {
    const { store, clock, identity } = this.deps;
    await this.renew();
    const dead = (await store.read.nodeLeases.list()).filter(({ owner }) => identity.isGone(owner));
    for (const { owner } of dead) await store.transaction('none', tx => tx.nodeLeases.end(owner));
    await store.transaction('none', tx => tx.nodeLeases.deleteExpired({ now: clock.now(), agoMs: FORGET_MS }));
  }

  /** Ends the lease when this process stops. */
  async end(): Promise<void> {
    const { store, identity } = this.deps;
    await store.transaction('none', tx => tx.nodeLeases.end(identity.self));
  }
}
