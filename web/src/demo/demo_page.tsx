import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../components/basic/copy_button';
import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import { LanguageContext } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { ROOT } from '../platform/root';
import { type Store, useStore } from '../platform/store';
import { demoTexts } from './demo_texts';
import { snippetOf, type WidgetChoices } from './snippet';

/** <neta-chat> as a page sees it. */
interface ChatElement extends HTMLElement {
  open(): void;
  send(text: string): void;
}

const EVENTS = ['neta-open', 'neta-close', 'neta-question', 'neta-end'] as const;
const MOST_EVENTS = 6;
const KEY_LINES = `const chat = document.querySelector('neta-chat');
chat.key = await (await fetch('/my-server/chat-key')).text();`;

/** Shows the embedded chat at work, and the lines that put it into another page. */
export function DemoPage({ preferences }: { preferences: Store<Preferences> }) {
  const locale = useStore(preferences, state => state.locale);
  const texts = demoTexts[locale];
  const [choices, setChoices] = useState<WidgetChoices>({ place: 'corner', lang: 'auto', theme: 'auto', title: '' });
  const gateway = new URL(ROOT, location.href).href.replace(/\/$/, '');
  useEffect(() => {
    document.title = `${texts.title} · Neta`;
  }, [texts]);
  return (
    <LanguageContext.Provider value={locale}>
      <header class="demo-header">
        <a class="demo-brand" href={ROOT} aria-label={`Neta: ${texts.toChat}`} title={texts.toChat}>
          <Logo />
          <span>Neta</span>
        </a>
        <PreferenceControls preferences={preferences} />
      </header>
      <main class="demo-main">
        <h1>{texts.title}</h1>
        <p>{texts.about}</p>
        <h2>{texts.allow}</h2>
        <p>{texts.allowText}</p>
        <Lines text="NETA_ORIGINS=https://www.example.com" label={texts.copyLines} />
        <h2>{texts.copy}</h2>
        <p>{texts.copyText}</p>
        <Choices choices={choices} texts={texts} onChoose={change => setChoices({ ...choices, ...change })} />
        <Lines text={snippetOf(gateway, choices)} label={texts.copyLines} testId="snippet" />
        <LiveChat choices={choices} preferences={preferences} texts={texts} />
        <h2>{texts.people}</h2>
        <p>{texts.peopleText}</p>
        <Lines text={KEY_LINES} label={texts.copyLines} />
        <p>
          <a href={`${ROOT}docs#guide:guides/embed`}>{texts.guide}</a>
        </p>
      </main>
    </LanguageContext.Provider>
  );
}

type Texts = (typeof demoTexts)['en'];

function Lines({ text, label, testId }: { text: string; label: string; testId?: string }) {
  return (
    <div class="demo-lines">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <pre tabIndex={0} data-testid={testId}>
        <code>{text}</code>
      </pre>
      <CopyButton text={() => text} label={label} />
    </div>
  );
}

interface ChoicesProps {
  choices: WidgetChoices;
  texts: Texts;
  onChoose: (change: Partial<WidgetChoices>) => void;
}

function Choices({ choices, texts, onChoose }: ChoicesProps) {
  const select = <Name extends 'place' | 'lang' | 'theme'>(name: Name, label: string, names: Record<WidgetChoices[Name], string>) => (
    <label class="demo-choice">
      <span>{label}</span>
      <select
        value={choices[name]}
        data-testid={`choose-${name}`}
        onChange={event => onChoose({ [name]: event.currentTarget.value as WidgetChoices[Name] })}
      >
        {(Object.entries(names) as [string, string][]).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="demo-choices">
      {select('place', texts.place, texts.places)}
      {select('lang', texts.language, texts.languages)}
      {select('theme', texts.theme, texts.themes)}
      <label class="demo-choice">
        <span>{texts.name}</span>
        <input
          value={choices.title}
          maxLength={60}
          data-testid="choose-title"
          onInput={event => onChoose({ title: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

/** The element itself, with the events that it tells of. */
function LiveChat({ choices, preferences, texts }: { choices: WidgetChoices; preferences: Store<Preferences>; texts: Texts }) {
  const locale = useStore(preferences, state => state.locale);
  const theme = useStore(preferences, state => state.theme);
  const place = useRef<HTMLDivElement>(null);
  const chat = useRef<ChatElement>();
  const [events, setEvents] = useState<readonly string[]>([]);
  useEffect(() => {
    const element = document.createElement('neta-chat') as ChatElement;
    const note = (event: Event) => setEvents(before => [toLine(event as CustomEvent), ...before].slice(0, MOST_EVENTS));
    for (const name of EVENTS) element.addEventListener(name, note);
    element.setAttribute('src', ROOT);
    place.current?.append(element);
    chat.current = element;
    return () => element.remove();
  }, []);
  useEffect(() => {
    const { current: element } = chat;
    element?.toggleAttribute('inline', choices.place === 'inline');
    // This page has a language and a theme that a person can choose; most pages have one of each.
    element?.setAttribute('theme', choices.theme === 'auto' ? theme : choices.theme);
    element?.setAttribute('lang', choices.lang === 'auto' ? locale : choices.lang);
    element?.setAttribute('title', choices.title);
  }, [choices, locale, theme]);
  const ask = () => {
    chat.current?.open();
    chat.current?.send(texts.message);
  };
  return (
    <>
      <div ref={place} class="demo-chat" />
      <h2>{texts.events}</h2>
      <p>{texts.eventsText}</p>
      <ul class="demo-events" data-testid="events">
        {events.length === 0 && <li>{texts.noEvents}</li>}
        {events.map((line, index) => (
          <li key={events.length - index}>
            <code>{line}</code>
          </li>
        ))}
      </ul>
      <button type="button" class="button" data-testid="try-it" onClick={ask}>
        {texts.tryIt}
      </button>
    </>
  );
}

const toLine = ({ type, detail }: CustomEvent): string => (detail ? `${type} ${JSON.stringify(detail)}` : type);
