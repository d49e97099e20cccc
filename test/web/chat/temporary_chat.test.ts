/** When the page deletes a temporary chat. */
import type { SessionSummary } from '../../../web/src/api/rest_types';
import type { ChatContext } from '../../../web/src/chat/chat_context';
import { settleTemporaryChat } from '../../../web/src/chat/chat_settings';
import { type ConversationDeps, openConversation, showNewSession } from '../../../web/src/chat/conversations';
import { createOutbox, type OutboxListeners } from '../../../web/src/chat/outbox';
import { sendMessage } from '../../../web/src/chat/send_message';
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

it.each([undefined, 'found by a search'])(
  'left for %s before it has a session, sends nothing more and has that session deleted',
  async target => {
    const me = { tenant: 'acme', keyName: 'anna', scopes: ['chat' as const], operator: false, loginRequired: true };
    const created = Promise.withResolvers<SessionSummary>();
    const deleted: string[] = [];
    const sent: object[] = [];
    const context = {
      store: createStore<AppState>({ ...INITIAL_STATE, isTemporary: true, me }),
      rest: { createSession: () => created.promise, deleteSession: async (id: string) => void deleted.push(id) },
      socket: { isOnline: () => true, request: async (message: object) => sent.push(message) },
      draftImages: { read: () => [] },
      locale: () => 'en',
      conversation: { temporary: true },
    } as unknown as ChatContext;
    const loader = {} as ConversationDeps['loader'];
    const listeners = {
      onSession: conversation => showNewSession(context, conversation, loader),
      onRestored: () => {},
    } as Partial<OutboxListeners> as OutboxListeners;
    const outbox = createOutbox(context, listeners, () => ({ change: async () => {}, take: async () => [], isOfThisTab: () => true }));
    await outbox.open(async () => me);
    sendMessage({ context, outbox }, 'a secret', []);
    sendMessage({ context, outbox }, 'another one', []);
    openConversation({ context, outbox, loader }, target, 'keep');
    created.resolve(session('secret'));
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    expect(deleted).toEqual(['secret']);
    expect(sent).toEqual([]);
  },
);
