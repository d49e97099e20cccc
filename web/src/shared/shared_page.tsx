import { useEffect, useState } from 'preact/hooks';
import { MarkdownView } from '../components/answer/markdown_view';
import { lazy } from '../components/basic/lazy';
import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import { formatMinute } from '../i18n/format';
import { LanguageContext, useLocale } from '../i18n/language_context';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { ROOT } from '../platform/root';
import { type Store, useStore } from '../platform/store';
import type { GuestChatProps } from './guest_chat';
import { readShared, type SharedAnswer, type SharedChat, type SharedMessage } from './shared_api';
import { sharedTexts } from './shared_texts';

/** A chat with its connection is much more code than a page of texts. */
const GuestChat = lazy<GuestChatProps>(async () => (await import('./guest_chat')).GuestChat);

/** Shows the chat of the link whose token stands behind # in the address: read-only, with the look of the chat; whoever has a link for guests writes in it. */
export function SharedPage({ preferences }: { preferences: Store<Preferences> }) {
  const locale = useStore(preferences, state => state.locale);
  const [answer, setAnswer] = useState<SharedAnswer | { state: 'loading' }>({ state: 'loading' });
  const texts = sharedTexts[locale];
  useEffect(() => {
    const load = () => void readShared(location.hash.slice(1)).then(setAnswer);
    load();
    addEventListener('hashchange', load);
    return () => removeEventListener('hashchange', load);
  }, []);
  const title = answer.state === 'ready' ? answer.chat.title : '';
  useEffect(() => {
    document.title = `${title || texts.untitled} · Neta`;
  }, [title, texts]);
  if (answer.state === 'ready' && answer.chat.role === 'guest')
    return <GuestChat token={location.hash.slice(1)} title={title} preferences={preferences} onEnd={() => setAnswer({ state: 'gone' })} />;
  return (
    <LanguageContext.Provider value={locale}>
      <header class="shared-header">
        <a class="shared-brand" href={ROOT} aria-label={`Neta: ${texts.toChat}`} title={texts.toChat}>
          <Logo />
          <span>Neta</span>
        </a>
        <PreferenceControls preferences={preferences} />
      </header>
      <main class="shared-main">
        {answer.state === 'ready' ? <Chat key={location.hash} first={answer.chat} /> : <Status state={answer.state} />}
      </main>
    </LanguageContext.Provider>
  );
}

function Status({ state }: { state: 'loading' | 'gone' | 'login' | 'failed' }) {
  const texts = sharedTexts[useLocale()];
  return (
    <div class="shared-status" role="status" data-testid="shared-status">
      <h1>{texts.untitled}</h1>
      <p>{texts[state]}</p>
      {state === 'gone' && <p>{texts.goneHint}</p>}
      {state === 'login' && (
        <a class="button primary" href={ROOT}>
          {texts.logIn}
        </a>
      )}
    </div>
  );
}

function Chat({ first }: { first: SharedChat }) {
  const locale = useLocale();
  const texts = sharedTexts[locale];
  const [messages, setMessages] = useState<readonly SharedMessage[]>(first.messages);
  const [cursor, setCursor] = useState(first.nextCursor);
  const [hasFailed, setFailed] = useState(false);
  const loadMore = async () => {
    const answer = await readShared(location.hash.slice(1), cursor);
    setFailed(answer.state !== 'ready');
    if (answer.state !== 'ready') return;
    setMessages([...messages, ...answer.chat.messages]);
    setCursor(answer.chat.nextCursor);
  };
  return (
    <article>
      <h1 data-testid="shared-title">{first.title || texts.untitled}</h1>
      <p class="shared-note">{texts.note(formatMinute(first.sharedAt, locale), formatMinute(first.expiresAt, locale))}</p>
      {messages.length === 0 && !cursor && <p>{texts.empty}</p>}
      {messages.map((message, index) => (
        <Message key={index} message={message} />
      ))}
      {hasFailed && <p role="alert">{texts.failed}</p>}
      {cursor && (
        <button type="button" class="button" data-testid="shared-more" onClick={() => void loadMore()}>
          {texts.more}
        </button>
      )}
    </article>
  );
}

/** Links to files of the workspace are left out: they would open files of the reader. */
function Message({ message: { role, content } }: { message: SharedMessage }) {
  const { you, agent } = messagesFor(useLocale());
  return (
    <section class={`shared-message ${role}`} data-testid="shared-message" dir="auto">
      <h2>{role === 'user' ? you : agent}</h2>
      {role === 'user' ? <p class="shared-text">{content}</p> : <MarkdownView text={content} done hasFiles={false} />}
    </section>
  );
}
