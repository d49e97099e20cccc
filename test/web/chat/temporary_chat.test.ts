/** When the page deletes a temporary chat. */
import type { SessionSummary } from '../../../web/src/api/rest_types';
import type { ChatContext } from '../../../web/src/chat/chat_context';
import { settleTemporaryChat } from '../../../web/src/chat/chat_settings';
import { type ConversationDeps, openConversation } from '../../../web/src/chat/conversations';
import { createStore } from '../../../web/src/platform/store';
import { type AppState, INITIAL_STATE } from '../../../web/src/state/app_state';

const session = (id: string, fields: Partial<SessionSummary> = {}) => ({ id, title: id, ...fields }) as SessionSummary;

function openPage() {
  const store = createStore<AppState>({ ...INITIAL_STATE, sessionId: 'secret', isTemporary: true, sessions: [session('listed')] });
  const deleted: string[] = [];
  const context = {
    store,
    rest: { deleteSession: async (id: string) => void deleted.push(id) },
    draftImages: { read: () => [] },
    conversation: { sessionId: 'secret', temporary: true },
  } as unknown as ChatContext;
  const deps = { context, outbox: { waiting: () => [] } } as unknown as ConversationDeps;
  return {
    store,
    deleted,
    open: (id: string | undefined, known?: SessionSummary) => openConversation(deps, id, 'keep', { session: known }),
    load: (loaded: SessionSummary) => settleTemporaryChat(context, context.conversation, loaded),
  };
}

it('keeps a temporary chat while the page shows a member of its crew, and on the way back', () => {
  const { store, deleted, open, load } = openPage();
  open('member');
  load(session('member', { parentSessionId: 'secret', temporary: true }));
  open('member of member');
  open('secret');
  expect(store.get().isTemporary).toBe(true);
  open('branch', session('branch', { temporary: true }));
  expect(store.get().isTemporary).toBe(true);
  expect(deleted).toEqual([]);
});

it.each([
  ['a new chat', undefined],
  ['a chat of the list', 'listed'],
])('deletes a temporary chat when %s is opened, also from a member of its crew', (_, target) => {
  for (const way of [[], ['member']]) {
    const { deleted, open } = openPage();
    for (const id of way) open(id);
    open(target);
    expect(deleted).toEqual(['secret']);
  }
});

it('deletes a temporary chat once the chat after it is loaded and is no part of it', () => {
  const { deleted, open, load } = openPage();
  open('found by a search');
  expect(deleted).toEqual([]);
  load(session('found by a search'));
  open(undefined);
  expect(deleted).toEqual(['secret']);
});
