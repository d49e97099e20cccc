import { memoRecent } from '../../src/utils/memo_recent';

const createKeys = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

it('computes once for an object, and again for an equal one', () => {
  const compute = jest.fn(({ number }: { number: number }) => `value ${number}`);
  const memo = memoRecent(compute, 1_000);
  const keys = [{ number: 1 }, Object.freeze({ number: 1 })];
  expect([...keys, ...keys].map(memo)).toEqual(Array(4).fill('value 1'));
  expect(compute).toHaveBeenCalledTimes(2);
});

it('forgets the oldest values, and keeps the newest ones up to half of the allowed length', () => {
  const compute = jest.fn((_key: object) => '12345');
  const memo = memoRecent(compute, 100);
  // Each half holds ten values.
  const keys = createKeys(45);
  keys.forEach(memo);
  compute.mockClear();
  keys.slice(-15).forEach(memo);
  expect(compute).not.toHaveBeenCalled();
  keys.slice(0, 20).forEach(memo);
  expect(compute).toHaveBeenCalledTimes(20);
});

it('computes again after an error', () => {
  const key = {};
  let fails = 1;
  const fragile = memoRecent((_key: object) => {
    if (fails-- > 0) throw new Error('no');
    return 'value';
  }, 100);
  expect(() => fragile(key)).toThrow('no');
  expect(fragile(key)).toBe('value');
});
