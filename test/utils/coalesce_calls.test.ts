import { coalesceCalls } from '../../src/utils/coalesce_calls';

/** Work whose runs the test ends one by one. */
function playWork() {
  const ends: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { ends, call: coalesceCalls(work) };
}

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

it('shares one further run among the calls that arrive during a run', async () => {
  const { ends, call } = playWork();
  const first = call();
  const later = [call(), call()];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(later);
  expect(ends).toHaveLength(2);
});

it('runs again after a run that failed, and only its own callers get the error', async () => {
  const { ends, call } = playWork();
  const first = call();
  const later = call();
  ends[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settle();
  ends[1]?.resolve();
  await expect(later).resolves.toBeUndefined();
});
