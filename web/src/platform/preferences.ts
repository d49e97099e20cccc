/** What a person has chosen in this browser. It is stored in localStorage where that is allowed, and all open tabs follow a change. */
import { ROOT } from './root';
import type { SpeechWay } from './speech_ways';
import { createStore, type Store } from './store';

export type Theme = 'system' | 'light' | 'dark';
export type Locale = 'en' | 'zh-CN';
export type Density = 'comfortable' | 'compact';
/** The key that sends a message: Enter, or Enter with Ctrl or Cmd. */
export type SendKey = 'enter' | 'mod_enter';

export type Switch = 'off' | 'on';

export interface Preferences {
  theme: Theme;
  locale: Locale;
  density: Density;
  sendKey: SendKey;
  notifications: Switch;
  sounds: Switch;
  /** Keep opened chats on this device. */
  keepChats: Switch;
  /** What turns speech into text, where both ways work. */
  speechWay: SpeechWay;
  /** The language that the person speaks, such as `de` or `en-GB`; '': what turns speech into text finds out, or takes that of the browser. */
  speechLanguage: string;
  /** Read the answer aloud when the person spoke the question. */
  readSpoken: Switch;
}

type Name = keyof Preferences;

/** Decodes each stored preference; null: nothing is stored. */
const DECODERS: { readonly [N in Name]: (stored: string | null) => Preferences[N] } = {
  theme: stored => oneOf(['system', 'light', 'dark'], stored),
  locale: stored => ((stored ?? navigator.language).toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'),
  density: stored => oneOf(['comfortable', 'compact'], stored),
  sendKey: stored => oneOf(['enter', 'mod_enter'], stored),
  notifications: stored => oneOf(['off', 'on'], stored),
  sounds: stored => oneOf(['off', 'on'], stored),
  keepChats: stored => oneOf(['on', 'off'], stored),
  speechWay: stored => oneOf(['gateway', 'browser'], stored),
  speechLanguage: stored => (/^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(stored ?? '') ? (stored ?? '') : ''),
  readSpoken: stored => oneOf(['off', 'on'], stored),
};

const NAMES = Object.keys(DECODERS) as Name[];

/** Reads the preferences, and applies and stores them at every change. */
export function createPreferences(): Store<Preferences> {
  let stored = readAll();
  const store = createStore<Preferences>(stored);
  apply(stored);
  store.subscribe(() => {
    const chosen = store.get();
    apply(chosen);
    // Nothing else is written: what another tab has just chosen may not have come here yet.
    for (const name of NAMES) if (chosen[name] !== stored[name]) write(keyOf(name), chosen[name]);
    stored = chosen;
  });
  // Another tab has changed something; `key` is null when it has removed everything.
  addEventListener('storage', ({ key }) => {
    if (key !== null && !NAMES.some(name => keyOf(name) === key)) return;
    stored = readAll();
    store.set(stored);
  });
  return store;
}

/** Reads and applies the preferences, and stores no change: the page around a frame decides them. */
export function createFramePreferences(): Store<Preferences> {
  const store = createStore<Preferences>(readAll());
  apply(store.get());
  store.subscribe(() => apply(store.get()));
  return store;
}

function readAll(): Preferences {
  return Object.fromEntries(NAMES.map(name => [name, DECODERS[name](read(keyOf(name)))])) as unknown as Preferences;
}

/** public/first_paint.js does the same before the first paint. */
function apply({ theme, locale, density }: Preferences): void {
  const { documentElement } = document;
  documentElement.lang = locale;
  if (theme === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = theme;
  if (density === 'comfortable') delete documentElement.dataset['density'];
  else documentElement.dataset['density'] = density;
  // The name of an installed app is in the language of the page.
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (manifest) manifest.href = `${ROOT}manifest${locale === 'en' ? '' : `.${locale}`}.webmanifest`;
}

const keyOf = (name: Name): string => `neta.${name}`;

/** Returns the stored value when it is one of the values, else the first of them. */
function oneOf<const T extends string>(values: readonly [T, ...T[]], stored: string | null): T {
  return values.find(value => value === stored) ?? values[0];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is forbidden or full: the choice lasts as long as the page.
  }
}
