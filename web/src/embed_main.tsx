import { render } from 'preact';
import { readAccessKey, setAccessKey } from './api/access_key';
import { callRest } from './api/call_rest';
import type { Me } from './api/rest_types';
import type { Shown } from './api/send_login';
import { type ChatController, createChatController } from './chat/chat_controller';
import { loadMarkdown } from './components/answer/markdown_view';
import { loadToolDetails } from './components/transcript/tool_card';
import { EmbedApp, type Surroundings } from './embed/embed_app';
import { focusChat } from './embed/focus_chat';
import { followDownloads } from './embed/follow_downloads';
import { connectHost } from './embed/host_link';
import { createKeptChat, forgetOthers, type KeptChat } from './embed/kept_chat';
import { reportToHost } from './embed/report_to_host';
import { messagesFor } from './i18n/messages';
import { createFramePreferences } from './platform/preferences';
import { createStore } from './platform/store';
import type { FrameOptions } from './widget/frame_messages';
import './styles/chat_styles';
import './embed/embed.css';

const parameters = new URLSearchParams(location.search);
const preferences = createFramePreferences();
const surroundings = createStore<Surroundings>({ title: '', isPanel: false });
const agent = parameters.get('agent') ?? undefined;

const host = connectHost(parameters.get('origin'));
void host.options.then(options => {
  apply(options);
  setAccessKey(options?.key);
  /** The last key of the page around. The person may have typed another one, which stays while this one does not change. */
  let hostKey = options?.key || undefined;
  const kept = createKeptChat(agent);
  const controller = createChatController(preferences, {
    place: kept,
    // Answers link to files; the other views are pages of the whole gateway.
    isView: name => name === 'files',
    startOver: () => location.reload(),
    single: { agent, logIn },
  });
  continueChat(controller, kept);
  reportToHost(controller, host);
  followDownloads(() => controller.notify(messagesFor(preferences.get().locale).requestFailed));
  host.listen(message => {
    if (message.type === 'options') {
      apply(message.options);
      const key = message.options.key || undefined;
      if (key !== hostKey) showKey(controller, key);
      hostKey = key;
    } else if (message.type === 'send') controller.send(message.text);
    else focusChat();
  });
  const props = { controller, preferences, surroundings, host };
  render(<EmbedApp {...props} />, document.body.querySelector('#app') ?? document.body);
  host.tell({ type: 'ready' });
  setTimeout(() => void Promise.all([loadMarkdown(), loadToolDetails()]).catch(() => undefined));
});

function apply(options: FrameOptions | undefined): void {
  if (!options) return;
  const { lang, theme, title, isPanel } = options;
  preferences.set({ locale: lang, theme: theme === 'auto' ? 'system' : theme });
  surroundings.set({ title, isPanel });
}

/** Opens the chat of the person once the gateway has named them, and a new one in place of a chat that is gone. */
function continueChat({ store, open, clearDraft }: ChatController, kept: KeptChat): void {
  let known: Me | undefined;
  store.subscribe(() => {
    const { me, phase, view } = store.get();
    if (phase === 'missing') return open(undefined);
    if (!me || me === known) return;
    const isFirst = known === undefined;
    known = me;
    if (forgetOthers(me)) clearDraft(undefined);
    // A message that was sent before begins a new chat.
    if (kept.belongTo(me) && !(isFirst && view.turns.length > 0)) open(kept.read());
  });
}

/** The page around has another key: for the person whom the gateway does not know yet, or for another person. */
function showKey({ login, store }: ChatController, key: string | undefined): void {
  if (key === readAccessKey()) return;
  // The login card stays and asks for a key when this one is refused.
  if (key && store.get().isLoginNeeded) void login.logIn({ key }).catch(() => undefined);
  else location.reload();
}

/** A frame of another site gets no cookie, so the key stays in memory. Its card asks for a key alone. */
async function logIn(shown: Shown): Promise<Me> {
  if (!('key' in shown)) throw new Error('A chat in another page takes a key.');
  const before = readAccessKey();
  setAccessKey(shown.key);
  try {
    return await callRest<Me>('GET', '/me');
  } catch (error) {
    setAccessKey(before);
    throw error;
  }
}
