import type { Store } from '../../../src/port/store/store';
import { Housekeeping } from '../../../src/service/housekeeping/housekeeping';
import { Purge } from '../../../src/service/housekeeping/purge';
import { createManualClock } from '../../support/manual_clock';

const failures: string[] = [];
const done: string[] = [];
beforeEach(() => {
  failures.length = 0;
  done.length = 0;
});

/** A store that counts purges and does nothing. */
const store = {
  read: { retention: { pendingPurge: async () => '1' } },
  transaction: async () => 0,
  emptyLog: async () => {
    done.push('purge');
    return true;
  },
} as unknown as Store;

function open() {
  const clock = createManualClock(0);
  const note = (name: string) => async () => void done.push(name);
  const onError = (message: string): void => void failures.push(message);
  const purge = new Purge({ store, clock, onError });
  const housekeeping = new Housekeeping({
    store,
    clock,
    purge,
    rollUpUsage: async () => {
      throw new Error('no');
    },
    endAbandonedCalls: note('calls'),
    deleteOld: note('old'),
    onError,
  });
  housekeeping.add(note('responses'));
  return { clock, housekeeping, purge };
}

test('a part that fails does not keep the others', async () => {
  await open().housekeeping.cleanUp();
  expect(done).toEqual(['calls', 'responses', 'old']);
  expect(failures).toEqual(['a part of the clean-up failed']);
});

test('deletions without a pause do not put off the purge', async () => {
  const { clock, purge } = open();
  for (let second = 0; second < 4; second += 1) {
    purge.schedule();
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect(done.length).toBeGreaterThan(0);
});

test('a purge that a crash prevented is done after the next start', async () => {
  const { clock, housekeeping } = open();
  await housekeeping.cleanUp();
  clock.advance(2_000);
  await new Promise(setImmediate);
  expect(done).toContain('purge');
});
