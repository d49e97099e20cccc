/** The outbox of the chat page with a socket and a store that the test controls. */
import type { ChatContext } from '../../../web/src/chat/chat_context';
import type { Author, KeptMessages, OutgoingMessage } from '../../../web/src/chat/kept_messages';
import { createOutbox } from '../../../web/src/chat/outbox';
import { createStore } from '../../../web/src/platform/store';
import { type AppState, INITIAL_STATE } from '../../../web/src/state/app_state';

const ANNA: Author = { tenant: 'acme', keyName: 'anna' };
const BOB: Author = { tenant: 'acme', keyName: 'bob' };
const HOUR_MS = 3_600_000;

const message = (text: string, fields: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  clientMessageId: text,
  text,
  images: [],
  conversation: { sessionId: 'ses_1' },
  ...fields,
});
const settle = () => new Promise(resolve => setImmediate(resolve));

function startOutbox() {
  const store = createStore<AppState>(INITIAL_STATE);
  const sent: string[] = [];
  const held: string[] = [];
  const dropped: string[] = [];
  const kept = new Map<string, { sessionId: string | undefined; author: Author | undefined }>();
  /** Messages of closed pages. */
  const left: OutgoingMessage[] = [];
  const answers: ((sessionId?: string) => void)[] = [];
  const request = ({ text }: { text: string }) => {
    sent.push(text);
    return new Promise(resolve => answers.push((sessionId = 'ses_1') => resolve({ sessionId, runId: `run of ${text}` })));
  };
  const context = { store, socket: { isOnline: () => true, request }, locale: () => 'en' } as unknown as ChatContext;
  const keptMessages: KeptMessages = {
    change: async ({ keep = [], drop }) => {
      for (const { clientMessageId, conversation, author } of keep)
        kept.set(clientMessageId, { sessionId: conversation.sessionId, author });
      if (!drop) return;
      kept.delete(drop.clientMessageId);
      dropped.push(drop.clientMessageId);
    },
    take: async () => left.splice(0),
    isOfThisTab: () => true,
  };
  const listeners = {
    onSession: async () => {},
    onStored: (stored: OutgoingMessage, ack: { sessionId: string }) => {
      stored.conversation.sessionId = ack.sessionId;
    },
    onRefused: () => {},
    onHeld: ({ text }: OutgoingMessage, hold: string) => held.push(`${text}: ${hold}`),
    onRestored: () => {},
  };
  let closePage = () => {};
  const outbox = createOutbox(context, listeners, onPageClosed => {
    closePage = onPageClosed;
    return keptMessages;
  });
  const logIn = (author: Author) => {
    store.set({ me: { ...author, scopes: ['chat'], operator: false, loginRequired: true } });
    return outbox.open(async () => author);
  };
  return { outbox, sent, held, dropped, kept, left, answers, logIn, keptMessages, closePage: () => closePage() };
}

it('sends a message that was written before the gateway named the login, and keeps it under that login', async () => {
  const { outbox, sent, kept, logIn } = startOutbox();
  outbox.add(message('early'));
  await settle();
  expect(sent).toEqual([]);
  expect(kept.get('early')?.author).toBeUndefined();
  await logIn(ANNA);
  await settle();
  expect(sent).toEqual(['early']);
  expect(kept.get('early')?.author).toEqual(ANNA);
});

it('sends nothing between the loss of the connection and the answer to who the person is', async () => {
  const { outbox, sent, logIn } = startOutbox();
  await logIn(ANNA);
  outbox.close();
  outbox.add(message('offline'));
  const { promise: login, resolve: answerLogin } = Promise.withResolvers<Author>();
  const opened = outbox.open(() => login);
  await settle();
  expect(sent).toEqual([]);
  answerLogin(ANNA);
  await opened;
  await settle();
  expect(sent).toEqual(['offline']);
});

it('does not open for a login that was read before the connection was lost', async () => {
  const { outbox, sent } = startOutbox();
  const { promise: login, resolve: answerLogin } = Promise.withResolvers<Author>();
  const opened = outbox.open(() => login);
  outbox.close();
  answerLogin(ANNA);
  await opened;
  outbox.add(message('later'));
  await settle();
  expect(sent).toEqual([]);
});

it('holds a message of another login until the person sends it again', async () => {
  const { outbox, sent, held, logIn } = startOutbox();
  await logIn(ANNA);
  outbox.close();
  outbox.add(message('by Anna'));
  await logIn(BOB);
  await settle();
  expect(sent).toEqual([]);
  expect(held).toEqual(['by Anna: unsent_other_login']);
  expect(outbox.waiting('ses_1')).toMatchObject([{ hold: 'unsent_other_login' }]);
  outbox.add(message('by Anna'));
  await settle();
  expect(sent).toEqual(['by Anna']);
});

it('holds messages of closed pages that are older than 20 hours', async () => {
  const { sent, held, left, logIn } = startOutbox();
  left.push(message('old', { author: ANNA, at: Date.now() - 21 * HOUR_MS }));
  left.push(message('recent', { author: ANNA, at: Date.now() - 19 * HOUR_MS }));
  await logIn(ANNA);
  await settle();
  expect(held).toEqual(['old: unsent_too_old']);
  expect(sent).toEqual(['recent']);
});

it('takes messages of closed pages at every opening', async () => {
  const { outbox, sent, left, logIn } = startOutbox();
  await logIn(ANNA);
  outbox.close();
  left.push(message('left behind', { author: ANNA, at: Date.now() }));
  await logIn(ANNA);
  await settle();
  expect(sent).toEqual(['left behind']);
});

it('takes the messages of a page that closes, also while the outbox opens', async () => {
  const { sent, left, logIn, keptMessages, closePage } = startOutbox();
  const closed = message('closed during the opening', { author: ANNA, at: Date.now() });
  jest.spyOn(keptMessages, 'take').mockImplementationOnce(async () => {
    left.push(closed);
    closePage();
    return [];
  });
  await logIn(ANNA);
  await settle();
  expect(sent).toEqual(['closed during the opening']);
});

it('removes the stored message, not one that was taken over during its request', async () => {
  const { outbox, sent, dropped, left, answers, logIn } = startOutbox();
  await logIn(ANNA);
  outbox.add(message('own'));
  await settle();
  left.push(message('taken', { author: ANNA, at: Date.now() }));
  await logIn(ANNA);
  answers[0]?.();
  await settle();
  expect(dropped).toEqual(['own']);
  expect(sent).toEqual(['own', 'taken']);
});

it('writes the session of a new chat to its waiting messages as soon as the first is stored', async () => {
  const { outbox, kept, answers, logIn } = startOutbox();
  await logIn(ANNA);
  const conversation = {};
  outbox.add(message('first', { conversation }));
  outbox.add(message('second', { conversation }));
  await settle();
  expect(kept.get('second')?.sessionId).toBeUndefined();
  answers[0]?.('ses_new');
  await settle();
  expect([...kept]).toEqual([['second', { sessionId: 'ses_new', author: ANNA }]]);
});
