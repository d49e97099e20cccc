/** The list of chats with a gateway that the test controls. */
import { RequestError } from '../../../web/src/api/request_error';
import type { SessionSummary } from '../../../web/src/api/rest_types';
import type { ChatContext } from '../../../web/src/chat/chat_context';
import { createSessionDirectory } from '../../../web/src/chat/session_directory';
import { messagesFor } from '../../../web/src/i18n/messages';
import { createStore } from '../../../web/src/platform/store';
import { type AppState, INITIAL_STATE } from '../../../web/src/state/app_state';

const chat = (id: string, fields: Partial<SessionSummary> = {}) => ({ id, title: id, ...fields }) as SessionSummary;
const settle = () => new Promise(resolve => setImmediate(resolve));

function openList(rest: Partial<ChatContext['rest']>) {
  const store = createStore<AppState>({ ...INITIAL_STATE, connection: 'online' });
  const notices: string[] = [];
  const none = async () => ({ data: [] });
  const context = {
    store,
    rest: { listSessions: none, listPinnedSessions: async () => [], listProjects: none, ...rest },
    notify: (text: string) => notices.push(text),
  } as unknown as ChatContext;
  return {
    store,
    notices,
    list: createSessionDirectory(context, () => messagesFor('en')),
    shown: () => store.get().sessions.map(({ id }) => id),
  };
}

beforeAll(() => {
  globalThis.addEventListener ??= () => undefined;
});

it('shows what the newest reading found, also when it was asked for during an earlier one', async () => {
  const answers: ((ids: string[]) => void)[] = [];
  const listSessions = () =>
    new Promise<{ data: SessionSummary[] }>(resolve => answers.push(ids => resolve({ data: ids.map(id => chat(id)) })));
  const { list, shown } = openList({ listSessions });
  const first = list.refresh();
  const second = list.refresh();
  const third = list.refresh();
  expect(answers).toHaveLength(1);
  answers[0]?.(['old']);
  await first;
  await settle();
  expect(answers).toHaveLength(2);
  answers[1]?.(['new', 'old']);
  await Promise.all([second, third]);
  expect(shown()).toEqual(['new', 'old']);
});

it('reads the list again after a failure while the connection stands', async () => {
  jest.useFakeTimers();
  let isAway = true;
  const listSessions = async () => {
    if (isAway) throw new RequestError('store_unavailable', 'The database does not answer.', true);
    return { data: [chat('ses_1')] };
  };
  const { list, shown } = openList({ listSessions });
  await list.refresh();
  isAway = false;
  await jest.advanceTimersByTimeAsync(6_000);
  jest.useRealTimers();
  expect(shown()).toEqual(['ses_1']);
});

it('deletes the other chats when one cannot be deleted, counts a deleted one as deleted, and says how many failed', async () => {
  const deleteSession = async (id: string) => {
    if (id === 'gone') throw new RequestError('not_found', 'There is no such session.', false);
    if (id === 'busy') throw new RequestError('store_unavailable', 'The database does not answer.', true);
  };
  const { list, notices } = openList({ deleteSession } as Partial<ChatContext['rest']>);
  expect(await list.remove(['gone', 'busy', 'other'])).toEqual(['gone', 'other']);
  expect(notices).toEqual(['That did not work for 1 of 3 chats. Try again.']);
});

it('shows every chat of a project page by page, and reads on when the newest chats are all in projects', async () => {
  const pages: Record<string, { data: SessionSummary[]; nextCursor?: string }> = {
    '{}': { data: [chat('a', { project: 'Garden' })], nextCursor: 'after a' },
    '{"cursor":"after a"}': { data: [chat('loose')] },
    '{"project":"Garden"}': { data: [chat('a', { project: 'Garden' })], nextCursor: 'after a in Garden' },
    '{"project":"Garden","cursor":"after a in Garden"}': { data: [chat('b', { project: 'Garden' })] },
  };
  const { store, list, shown } = openList({ listSessions: async query => pages[JSON.stringify(query ?? {})] ?? { data: [] } });
  await list.refresh();
  expect(shown()).toEqual(['a', 'loose']);
  const folder = { project: 'Garden' };
  await list.toggleFolder(folder);
  await list.loadMoreOf(folder);
  expect(Object.values(store.get().folders)[0]).toEqual({ rows: [chat('a', folder), chat('b', folder)], cursor: undefined });
});

it.each([
  ['none of them', ['new 2', 'new 1'], ['new 2', 'new 1'], 'after new 1'],
  ['one that was used since', ['b', 'new 1'], ['b', 'new 1'], 'after new 1'],
  ['their newest', ['new 1', 'a'], ['new 1', 'a', 'b', 'c'], undefined],
])('keeps the older chats only when the first page leaves no gap before them: it has %s', async (_, newest, rows, cursor) => {
  let first = { data: [chat('a'), chat('b')], nextCursor: 'after b' };
  const listSessions = async (query?: { cursor?: string }) => (query?.cursor ? { data: [chat('c')] } : first);
  const { store, list, shown } = openList({ listSessions });
  await list.refresh();
  await list.loadMore();
  expect(shown()).toEqual(['a', 'b', 'c']);
  first = { data: newest.map(id => chat(id)), nextCursor: `after ${newest.at(-1)}` };
  await list.refresh();
  expect(shown()).toEqual(rows);
  expect(store.get().sessionsCursor).toBe(cursor);
});
