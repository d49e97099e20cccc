/** Work in parts over a store whose parts take as long as the test says. */
import type { Store, StoreTransaction } from '../../src/port/store/store';
import { workInParts } from '../../src/service/in_parts';
import { createManualClock } from '../support/manual_clock';

/** Works with parts that take `millisecondsOf(size)` each, and resolves with the sizes of the parts and the pauses between them. */
async function work(parts: number, millisecondsOf: (size: number) => number) {
  const manual = createManualClock();
  const sizes: number[] = [];
  const pauses: number[] = [];
  let isLocked = false;
  const clock = {
    ...manual,
    after(milliseconds: number, callback: () => void) {
      expect(isLocked).toBe(false);
      pauses.push(milliseconds);
      setImmediate(callback);
      return () => {};
    },
  };
  const transaction = async <T>(_lock: unknown, doPart: (tx: StoreTransaction) => Promise<T>) => {
    // The wait for the lock is no work.
    manual.advance(1_000);
    isLocked = true;
    const result = await doPart({} as StoreTransaction);
    isLocked = false;
    return result;
  };
  await workInParts({ store: { transaction } as unknown as Store, clock }, 'none', { first: 100, most: 1_000 }, async (_tx, size) => {
    sizes.push(size);
    manual.advance(millisecondsOf(size));
    return sizes.length < parts;
  });
  return { sizes, pauses };
}

it('makes quick parts larger up to the limit, and pauses as long as a part has taken', async () => {
  const { sizes, pauses } = await work(6, size => size / 100);
  expect(sizes).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  expect(pauses).toEqual([2, 2, 4, 8, 10]);
});

it('makes slow parts smaller until they take 20 ms, and never empty', async () => {
  expect((await work(4, size => size)).sizes).toEqual([100, 25, 20, 20]);
  expect((await work(4, () => 5_000)).sizes).toEqual([100, 25, 10, 10]);
});
