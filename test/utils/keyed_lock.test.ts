import { KeyedLock } from '../../src/utils/keyed_lock';

describe('KeyedLock', () => {
  it('runs work on one key in order, one at a time, also after a failure', async () => {
    const lock = new KeyedLock();
    const order: number[] = [];
    const work = (n: number) => async () => {
      order.push(n);
      await Promise.resolve();
      order.push(n);
      if (n === 1) throw new Error('broken');
      return n;
    };
    const results = await Promise.allSettled([1, 2, 3].map(n => lock.run('a', work(n))));
    expect(order).toEqual([1, 1, 2, 2, 3, 3]);
    expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('runs work on different keys in parallel', async () => {
    const lock = new KeyedLock();
    const stuck = Promise.withResolvers<void>();
    const first = lock.run('a', () => stuck.promise);
    expect(await lock.run('b', async () => 'free')).toBe('free');
    stuck.resolve();
    await first;
  });
});
