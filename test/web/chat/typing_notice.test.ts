import { createTypingNotice } from '../../../web/src/chat/typing_notice';
import { createStore } from '../../../web/src/platform/store';
import { type AppState, INITIAL_STATE } from '../../../web/src/state/app_state';

const person = (handle: string) => ({ handle, name: handle, part: 'driver' as const, typing: false, tabs: 1 });

afterEach(() => jest.useRealTimers());

it('tells others at most every 3 seconds that the person types, and at once after a message was sent', () => {
  jest.useFakeTimers();
  const sent: string[] = [];
  const presence = { sessionId: 's1', people: [person('@anna'), person('@ben')] };
  const store = createStore<AppState>({ ...INITIAL_STATE, sessionId: 's1', presence });
  const socket = { request: (message: { type: string }) => Promise.resolve(sent.push(message.type)) };
  const { noteKey, end } = createTypingNotice({ store, socket } as never);
  noteKey();
  noteKey();
  expect(sent).toHaveLength(1);
  jest.advanceTimersByTime(3000);
  noteKey();
  expect(sent).toHaveLength(2);
  end();
  noteKey();
  expect(sent).toEqual(['typing', 'typing', 'typing']);
  store.set({ presence: { sessionId: 's1', people: [person('@anna')] } });
  end();
  noteKey();
  expect(sent).toHaveLength(3);
});
