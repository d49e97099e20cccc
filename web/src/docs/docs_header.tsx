import { Icon, type IconName } from '../components/icon';
import { Logo } from '../components/logo';
import { useMessages } from '../i18n/language_context';
import type { Locale, Preferences, Theme } from '../platform/preferences';
import { type Store, useStore } from '../state/store';
import { useTexts } from './docs_context';

const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };
const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function DocsHeader({ preferences, version }: { preferences: Store<Preferences>; version: string | undefined }) {
  const texts = useTexts();
  const messages = useMessages();
  const theme = useStore(preferences, state => state.theme);
  const locale = useStore(preferences, state => state.locale);
  return (
    <header class="docs-header">
      <a class="docs-brand" href="/" aria-label={texts.toChat}>
        <Logo />
        <span>Neta</span>
      </a>
      <h1>{texts.title}</h1>
      {version && <span class="docs-version">{texts.version(version)}</span>}
      <nav class="docs-links">
        <a href="/">{texts.toChat}</a>
        <a href="/openapi.json">{texts.toDocument}</a>
      </nav>
      <select
        class="quiet-select"
        aria-label={messages.switchLanguage}
        data-testid="language"
        value={locale}
        onChange={event => preferences.set({ locale: event.currentTarget.value as Locale })}
      >
        <option value="en">EN</option>
        <option value="zh-CN">中文</option>
      </select>
      <button
        type="button"
        class="icon-button"
        aria-label={`${messages.switchTheme}. ${messages.theme[theme]}`}
        title={messages.theme[theme]}
        data-testid="theme"
        onClick={() => preferences.set({ theme: NEXT_THEME[theme] })}
      >
        <Icon name={THEME_ICONS[theme]} />
      </button>
    </header>
  );
}
