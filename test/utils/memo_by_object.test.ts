import { memoByObject } from '../../src/utils/memo_by_object';

it('computes once for an object, also for a frozen one, and again for an equal one', () => {
  const compute = jest.fn(({ text }: { text: string }) => text.length);
  const lengthOf = memoByObject(compute);
  const keys = [{ text: 'abc' }, Object.freeze({ text: 'abc' })];
  expect([...keys, ...keys].map(lengthOf)).toEqual([3, 3, 3, 3]);
  expect(compute).toHaveBeenCalledTimes(2);
});

it('keeps the values of several functions apart, and computes again after an error', () => {
  const key = { text: 'abc' };
  let fails = 1;
  const fragile = memoByObject((_key: typeof key) => {
    if (fails-- > 0) throw new Error('no');
    return 'value';
  });
  expect(() => fragile(key)).toThrow('no');
  expect([fragile(key), memoByObject(() => 7)(key)]).toEqual(['value', 7]);
});

it('leaves the object as it is: its JSON, its keys and its copies', () => {
  const key = { text: 'abc' };
  memoByObject(() => 1)(key);
  expect(JSON.stringify(key)).toBe('{"text":"abc"}');
  expect(Reflect.ownKeys(key)).toEqual(['text']);
  expect(memoByObject(() => 2)({ ...key })).toBe(2);
});
