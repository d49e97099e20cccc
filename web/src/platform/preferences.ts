/** Theme and language of this browser. They are stored in localStorage where that is allowed. */
import { createStore, type Store } from './store';

export type Theme = 'system' | 'light' | 'dark';
export type Locale = 'en' | 'zh-CN';

export interface Preferences {
  theme: Theme;
  locale: Locale;
}

/** Reads the preferences, and applies and stores them at every change. */
export function createPreferences(): Store<Preferences> {
  const store = createStore<Preferences>({ theme: readTheme(), locale: readLocale() });
  const apply = () => {
    const { theme, locale } = store.get();
    document.documentElement.lang = locale;
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  };
  apply();
  store.subscribe(() => {
    apply();
    write('neta.theme', store.get().theme);
    write('neta.locale', store.get().locale);
  });
  return store;
}

function readTheme(): Theme {
  const theme = read('neta.theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function readLocale(): Locale {
  const locale = read('neta.locale') ?? navigator.language;
  return locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
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
