import type { ChatContext, Conversation } from '../../../web/src/chat/chat_context';
import type { LiveEvents } from '../../../web/src/chat/live_events';
import { setThinkingLevel } from '../../../web/src/chat/session_choices';
import { createSessionLoader } from '../../../web/src/chat/session_loader';
import { createStore } from '../../../web/src/platform/store';
import { INITIAL_STATE } from '../../../web/src/state/app_state';

it('shows the chosen thinking level when the answer of a subscription has the earlier one', async () => {
  const conversation: Conversation = { sessionId: 'ses_1' };
  const store = createStore(INITIAL_STATE);
  const { promise: isStored, resolve: setStored } = Promise.withResolvers<object>();
  const subscribed = { session: { id: 'ses_1', thinkingLevel: 'off' }, clarifications: [], approvals: [] };
  const socket = { request: ({ type }: { type: string }) => (type === 'subscribe' ? Promise.resolve(subscribed) : isStored) };
  const context = { store, socket, conversation, notify: () => {} } as unknown as ChatContext;
  const loader = createSessionLoader(context, { noteDeadlines: () => {} } as unknown as LiveEvents);

  const chosen = setThinkingLevel(context, 'low', () => ({}) as never);
  await loader.subscribe(conversation);
  expect(store.get().thinkingLevel).toBe('low');
  setStored({});
  await chosen;
  expect(conversation.thinkingLevel).toBeUndefined();
});
