/** What a person can do from the search dialog besides opening a chat. */
import type { ChatController } from '../../chat/chat_controller';
import type { IconName } from '../../components/basic/icon';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { Preferences, Theme } from '../../platform/preferences';
import type { Store } from '../../platform/store';
import { VIEWS } from '../../views/view_registry';
import { searchTexts } from './search_texts';

export interface SearchAction {
  id: string;
  name: string;
  icon: IconName;
  run: () => void;
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };

/** Returns the actions whose name holds every word of the text; without a text, all. */
export function useActions(controller: ChatController, preferences: Store<Preferences>, text: string): SearchAction[] {
  const messages = useMessages();
  const locale = useLocale();
  const texts = searchTexts[locale];
  const actions: SearchAction[] = [
    { id: 'new-chat', name: messages.newChat, icon: 'plus', run: () => controller.open(undefined) },
    ...VIEWS.map(({ name }) => ({
      id: `view-${name}`,
      name: messages.viewTitles[name],
      icon: name,
      run: () => controller.openView({ name }),
    })),
    ...THEMES.map(theme => ({
      id: `theme-${theme}`,
      name: messages.theme[theme],
      icon: THEME_ICONS[theme],
      run: () => preferences.set({ theme }),
    })),
    {
      id: 'language',
      name: texts.otherLanguage,
      icon: 'globe',
      run: () => preferences.set({ locale: locale === 'en' ? 'zh-CN' : 'en' }),
    },
    { id: 'shortcuts', name: texts.shortcuts, icon: 'keyboard', run: () => controller.setSheetOpen(true) },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter(({ name }) => words.every(word => name.toLowerCase().includes(word)));
}
