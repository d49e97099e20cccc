/** Backups on a schedule: one gateway makes each, older ones go when the new one is there, and a failure is told and tried again. */
import { BackupScheduler } from '../../../src/feature/backup/backup_scheduler';
import { checkBackups } from '../../../src/feature/backup/check_backups';
import type { BackupMaker } from '../../../src/port/backup_maker';
import { createManualClock } from '../../support/manual_clock';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const HOUR = 3_600_000;

/** A disk of a machine with its archives. */
function createDisk(machine: string) {
  const files = new Set<string>();
  let made = 0;
  const disk = { machine, directory: '/backups', files, failure: undefined as string | undefined, wait: Promise.resolve() };
  const maker: BackupMaker = {
    ...disk,
    async make(directory) {
      await disk.wait;
      if (disk.failure !== undefined) throw new Error(disk.failure);
      made += 1;
      const file = `${directory}/${made}.tar.zst`;
      files.add(file);
      return { file, bytes: 10, rows: 2, files: 1, incomplete: ['/workspace/unreadable'] };
    },
    remove: async file => files.delete(file),
  };
  return { disk, maker };
}

let opened: TemporaryStore;
beforeEach(async () => {
  opened = await openTemporaryStore();
});
afterEach(() => opened.release());

const clock = createManualClock(1_764_000_000_000);
const errors: string[] = [];
let ids = 0;
const schedulerOf = (self: string, maker: BackupMaker) =>
  new BackupScheduler({
    store: opened.store,
    clock,
    ids: { next: prefix => `${prefix}_${++ids}`, uuid: () => '' },
    self,
    maker,
    onError: (_, thrown) => errors.push(String(thrown)),
  });
const setSchedule = (keep?: number) =>
  opened.store.transaction('none', tx => tx.backups.setSchedule({ everyMs: 24 * HOUR, keep, changedAt: clock.now() }));
const describeNow = async () => {
  const { status, message } = await checkBackups(opened.store.read, clock.now());
  return `${status}: ${message.en}`;
};

it('makes a backup when one is due, keeps the newest ones, and says how old the newest is', async () => {
  const { disk, maker } = createDisk('one');
  const scheduler = schedulerOf('a', maker);
  await scheduler.look();
  expect(errors).toEqual([]);
  expect(await describeNow()).toBe('ok: There is no backup yet: make one each day with neta backup --every 1d --keep 14.');
  await setSchedule(2);
  for (let day = 0; day < 4; day += 1) {
    await scheduler.look();
    clock.advance(23 * HOUR);
    await scheduler.look();
    clock.advance(HOUR);
  }
  expect(errors[0]).toBe('Error: /backups/1.tar.zst lacks a file or its whole content: /workspace/unreadable');
  expect([...disk.files]).toEqual(['/backups/3.tar.zst', '/backups/4.tar.zst']);
  expect((await opened.store.read.backups.list()).map(({ file }) => file)).toEqual(['/backups/4.tar.zst', '/backups/3.tar.zst']);
  expect(await describeNow()).toBe('ok: The newest verified backup is 24 h old: /backups/4.tar.zst on one.');
  clock.advance(48 * HOUR);
  expect(await describeNow()).toMatch(/^warn: .* is 3 days old/);
});

it('a gateway that makes the backup has a claim, which another one takes over when it is not renewed', async () => {
  const [first, second] = [createDisk('one'), createDisk('two')];
  await setSchedule();
  const { promise, resolve } = Promise.withResolvers<void>();
  first.disk.wait = promise;
  const making = schedulerOf('a', first.maker).look();
  const claimed = async () => (await opened.store.read.backups.schedule())?.claimedBy;
  while ((await claimed()) === undefined) await new Promise(setImmediate);
  await schedulerOf('b', second.maker).look();
  expect(second.disk.files.size).toBe(0);
  clock.advance(130_000);
  await schedulerOf('b', second.maker).look();
  expect(second.disk.files.size).toBe(1);
  resolve();
  await making;
  await schedulerOf('c', second.maker).look();
  expect(second.disk.files.size).toBe(1);
});

it('a failure deletes no archive, is told to the operator, and is tried again after a quarter of an hour', async () => {
  const { disk, maker } = createDisk('one');
  const scheduler = schedulerOf('a', maker);
  await setSchedule(1);
  await scheduler.look();
  clock.advance(25 * HOUR);
  disk.failure = 'no space left on device';
  await scheduler.look();
  expect([...disk.files]).toEqual(['/backups/1.tar.zst']);
  expect(errors.at(-1)).toContain('no space left on device');
  expect(await describeNow()).toMatch(/^warn: .* The last one failed: no space left on device$/);
  disk.failure = undefined;
  clock.advance(14 * 60_000);
  await scheduler.look();
  expect([...disk.files]).toEqual(['/backups/1.tar.zst']);
  clock.advance(60_000);
  await scheduler.look();
  expect([...disk.files]).toEqual(['/backups/2.tar.zst']);
  expect(await describeNow()).toMatch(/^ok:/);
});
