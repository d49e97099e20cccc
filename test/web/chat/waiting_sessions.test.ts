/** Which work of the chats a hidden page announces, with a gateway that the test controls. */
import type { WorkingRun } from '../../../web/src/api/rest_types';
import type { ChatContext } from '../../../web/src/chat/chat_context';
import { createWaitingSessions } from '../../../web/src/chat/waiting_sessions';
import { compareWork, findWork } from '../../../web/src/notices/compare_work';
import { createStore } from '../../../web/src/platform/store';
import { type AppState, INITIAL_STATE } from '../../../web/src/state/app_state';

const run = (sessionId: string, fields: Partial<WorkingRun> = {}): WorkingRun => ({
  sessionId,
  door: 'socketio',
  keyName: 'anna',
  ...fields,
});

beforeAll(() => {
  jest.useFakeTimers();
  globalThis.addEventListener ??= () => undefined;
});
afterAll(() => jest.useRealTimers());

function watch() {
  const me = { keyName: 'anna', tenant: 'acme', scopes: ['chat' as const], operator: false, loginRequired: true };
  const store = createStore<AppState>({ ...INITIAL_STATE, connection: 'online', me });
  const answers: { running: WorkingRun[]; waiting: WorkingRun[]; crews: string[] }[] = [];
  const announced: string[] = [];
  const next = (name: 'running' | 'waiting') => async () => answers[0]?.[name] ?? [];
  const rest = {
    listWaitingRuns: next('waiting'),
    listOpenApprovals: async () => answers[0]?.crews.map(parentSessionId => ({ parentSessionId })) ?? [],
    // The last of the three requests of a reading.
    listRunningRuns: async () => answers.shift()?.running ?? [],
  };
  let before = findWork(store.get());
  store.subscribe(() => {
    const now = findWork(store.get());
    for (const [id, kind] of compareWork(before, now)) announced.push(`${id} ${kind}`);
    before = now;
  });
  const waiting = createWaitingSessions({ store, rest } as unknown as ChatContext, () => undefined);
  return async (...readings: { running?: WorkingRun[]; waiting?: WorkingRun[]; crews?: string[] }[]) => {
    answers.push(...readings.map(reading => ({ running: [], waiting: [], crews: [], ...reading })));
    await waiting.refresh();
    return announced.splice(0);
  };
}

it('announces that a chat waits and that it has ended, each once, and no end while the run goes on', async () => {
  const read = watch();
  expect(await read({ running: [run('a')] })).toEqual([]);
  expect(await read({ waiting: [run('a')] })).toEqual(['a waiting']);
  // The run went on between the requests of the first reading, so it was in neither list.
  expect(await read({}, { running: [run('a')] })).toEqual([]);
  expect(await read({ running: [run('a')], crews: ['a'] })).toEqual(['a waiting']);
  expect(await read({}, {})).toEqual(['a ended']);
});

it('announces nothing of other people, of programs and of crew members', async () => {
  const read = watch();
  const others = [run('b', { keyName: 'bob' }), run('c', { door: 'rest' }), run('d', { parentSessionId: 'a' })];
  expect(await read({ running: others })).toEqual([]);
  expect(await read({ waiting: others })).toEqual([]);
  expect(await read({})).toEqual([]);
});
