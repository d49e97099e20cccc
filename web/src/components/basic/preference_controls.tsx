/** Controls for the language and the theme, in the top bar of every page. */
import { useMessages } from '../../i18n/language_context';
import type { Locale, Preferences, Theme } from '../../platform/preferences';
import { type Store, useStore } from '../../platform/store';
import { Icon, type IconName } from './icon';

const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };
const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function PreferenceControls({ preferences }: { preferences: Store<Preferences> }) {
  return (
    <>
      <LanguageSelect preferences={preferences} />
      <ThemeButton preferences={preferences} />
    </>
  );
}

function LanguageSelect({ preferences }: { preferences: Store<Preferences> }) {
  const messages = useMessages();
  const locale = useStore(preferences, state => state.locale);
  return (
    <select
      class="quiet-select language-select"
      aria-label={messages.switchLanguage}
      data-testid="language"
      value={locale}
      onChange={event => preferences.set({ locale: event.currentTarget.value as Locale })}
    >
      <option value="en">EN</option>
      <option value="zh-CN">中文</option>
    </select>
  );
}

function ThemeButton({ preferences }: { preferences: Store<Preferences> }) {
  const messages = useMessages();
  const theme = useStore(preferences, state => state.theme);
  return (
    <button
      type="button"
      class="icon-button theme-button"
      aria-label={`${messages.switchTheme}. ${messages.theme[theme]}`}
      title={messages.theme[theme]}
      data-testid="theme"
      onClick={() => preferences.set({ theme: NEXT_THEME[theme] })}
    >
      <Icon name={THEME_ICONS[theme]} />
    </button>
  );
}
