/** Makes backups on the schedule of the store. One gateway makes each of them; the others see its claim. */
import { setInterval } from 'node:timers';
import type { BackupMaker } from '../../port/backup_maker';
import type { Clock, IdSource } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import { outdatedBackups } from '../../utils/outdated_backups';
import type { BackupRecord, BackupSchedule } from './store/backup_records';

/** Milliseconds between two looks at the schedule. */
const LOOK_MS = 10_000;
/** A claim that is not renewed for so long belongs to a gateway that has ended. */
const CLAIM_MS = 120_000;
/** After a failure the next try is at least so much later. */
const RETRY_MS = 15 * 60_000;

export interface BackupSchedulerDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  /** Name of this process. */
  self: string;
  maker: BackupMaker;
  onError: LogError;
}

export class BackupScheduler {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly deps: BackupSchedulerDeps) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  /** Resolves when a backup under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Makes a backup when one is due. Never rejects. */
  look(): Promise<void> {
    this.running ??= this.makeDue()
      .catch((thrown: unknown) => this.deps.onError('scheduled backup', thrown))
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  private async makeDue(): Promise<void> {
    const { store, self } = this.deps;
    if (!(await this.isDue()) || !(await this.claim())) return;
    // Another gateway may have made it before the claim.
    const schedule = await store.read.backups.schedule();
    if (!schedule || !(await this.isDue())) return this.endClaim();
    const renewing = setInterval(() => void this.claim().catch(() => {}), CLAIM_MS / 4);
    try {
      await this.make(schedule);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      await store.transaction('none', tx => tx.backups.endClaim(self, { at: this.deps.clock.now(), error }));
      throw thrown;
    } finally {
      clearInterval(renewing);
    }
  }

  private async isDue(): Promise<boolean> {
    const { store, clock } = this.deps;
    const schedule = await store.read.backups.schedule();
    if (!schedule) return false;
    const newest = await store.read.backups.newest();
    return clock.now() >= dueAt(schedule, newest);
  }

  private claim(): Promise<boolean> {
    const { store, clock, self } = this.deps;
    const now = clock.now();
    return store.transaction('none', tx => tx.backups.claim({ owner: self, now, until: now + CLAIM_MS }));
  }

  private endClaim(): Promise<void> {
    return this.deps.store.transaction('none', tx => tx.backups.endClaim(this.deps.self));
  }

  /** Deletes older archives only when the new one is verified. */
  private async make({ directory = this.deps.maker.directory, keep }: BackupSchedule): Promise<void> {
    const { store, clock, ids, maker, self, onError } = this.deps;
    const createdAt = clock.now();
    const { incomplete, ...made } = await maker.make(directory);
    for (const path of incomplete) onError('scheduled backup', new Error(`${made.file} lacks a file or its whole content: ${path}`));
    const backup: BackupRecord = { id: ids.next('bak'), machine: maker.machine, createdAt, ...made };
    await store.transaction('none', async tx => {
      await tx.backups.add(backup);
      await tx.backups.endClaim(self);
    });
    if (keep !== undefined) await this.deleteOutdated(directory, keep);
  }

  private async deleteOutdated(directory: string, keep: number): Promise<void> {
    const { store, maker } = this.deps;
    for (const { id, file, machine } of outdatedBackups(await store.read.backups.list(), directory, keep)) {
      // The disk of another machine has its own archives.
      if ((await maker.remove(file)) || machine === maker.machine) await store.transaction('none', tx => tx.backups.remove(id));
    }
  }
}

/** The time of the next backup. */
function dueAt({ everyMs, failedAt = 0 }: BackupSchedule, newest: BackupRecord | undefined): number {
  const retryAt = failedAt === 0 ? 0 : failedAt + Math.min(everyMs, RETRY_MS);
  return Math.max(newest ? newest.createdAt + everyMs : 0, retryAt);
}
