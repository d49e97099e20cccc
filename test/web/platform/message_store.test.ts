import { changeMessages, readMessages } from '../../../web/src/platform/message_store';

const OPEN_LIMIT_MS = 2000;

afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'indexedDB');
});

it('goes on without the store when the database does not open, and waits for it once', async () => {
  jest.useFakeTimers();
  const open = jest.fn(() => ({}));
  Object.assign(globalThis, { indexedDB: { open } });
  let isRead = false;
  const read = readMessages().then(found => {
    isRead = true;
    return found;
  });
  await jest.advanceTimersByTimeAsync(OPEN_LIMIT_MS - 1);
  expect(isRead).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(await read).toEqual([]);
  await changeMessages({ drop: ['later'] });
  expect(open).toHaveBeenCalledTimes(1);
});
