/** Actions that a person finds by name: in the search dialog, and as commands behind a slash in the message field. */
import type { ChatController } from '../chat/chat_controller';
import { downloadChat } from '../chat/download_chat';
import type { IconName } from '../components/basic/icon';
import { chatMenuTexts } from '../feature/chat/chat_menu_texts';
import { useLocale, useMessages } from '../i18n/language_context';
import type { Preferences, Theme } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import type { ChatDialogName } from '../state/app_state';
import { isPerson } from '../state/chat_people';
import { findActiveTurn } from '../state/view_types';
import { VIEWS } from '../views/view_registry';
import { actionTexts } from './action_texts';

export interface Action {
  id: string;
  name: string;
  icon: IconName;
  /** Name behind the slash; the same in all languages. */
  command: string;
  run: () => void;
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };

/** Returns the actions that are possible now. */
export function useActions(controller: ChatController, preferences: Store<Preferences>): Action[] {
  const messages = useMessages();
  const locale = useLocale();
  const texts = actionTexts[locale];
  const ofChat = useChatActions(controller);
  return [
    { id: 'new-chat', name: messages.newChat, icon: 'plus', command: 'new', run: () => controller.open(undefined) },
    ...ofChat,
    ...VIEWS.map(({ name }) => ({
      id: `view-${name}`,
      name: messages.viewTitles[name],
      icon: name,
      command: name,
      run: () => controller.openView({ name }),
    })),
    ...THEMES.map(theme => ({
      id: `theme-${theme}`,
      name: messages.theme[theme],
      icon: THEME_ICONS[theme],
      command: `theme-${theme}`,
      run: () => preferences.set({ theme }),
    })),
    {
      id: 'language',
      name: texts.otherLanguage,
      icon: 'globe',
      command: 'language',
      run: () => preferences.set({ locale: locale === 'en' ? 'zh-CN' : 'en' }),
    },
    { id: 'shortcuts', name: texts.shortcuts, icon: 'keyboard', command: 'shortcuts', run: () => controller.setSheetOpen(true) },
  ];
}

function useChatActions(controller: ChatController): Action[] {
  const messages = useMessages();
  const locale = useLocale();
  const texts = chatMenuTexts[locale];
  const { store } = controller;
  const sessionId = useStore(store, state => state.sessionId);
  const isEmpty = useStore(store, ({ view }) => sessionId === undefined && view.turns.length === 0);
  const isTemporary = useStore(store, state => state.isTemporary);
  const hasPeople = useStore(store, isPerson);
  const runId = useStore(store, state => findActiveTurn(state.view)?.runId);
  const hasModels = useStore(store, state => state.models.length > 1);
  const actions: Action[] = [];
  if (runId !== undefined) {
    actions.push({ id: 'stop', name: messages.stop, icon: 'stop', command: 'stop', run: () => void controller.stop(runId) });
  }
  if (isEmpty) {
    const name = isTemporary ? texts.ordinary : texts.temporary;
    actions.push({ id: 'temporary', name, icon: 'clock', command: 'temporary', run: () => controller.settings.setTemporary(!isTemporary) });
  }
  if (hasModels) actions.push({ id: 'model', name: actionTexts[locale].model, icon: 'thought', command: 'model', run: focusModels });
  const opening = (id: ChatDialogName, name: string, icon: IconName): Action => {
    return { id, name, icon, command: id, run: () => controller.openDialog(id) };
  };
  actions.push(opening('instructions', texts.instructions, 'pencil'));
  if (sessionId !== undefined) {
    if (hasPeople && !isTemporary) actions.push(opening('people', texts.people, 'crew'));
    if (!isTemporary) actions.push(opening('share', texts.share, 'globe'));
    const exporting = (id: string, name: string, query: string): Action => {
      return { id, name, icon: 'down', command: id, run: () => downloadChat(sessionId, query) };
    };
    actions.push(exporting('export', texts.exportMarkdown, `format=markdown&locale=${locale}`));
    actions.push(exporting('export-json', texts.exportJson, 'format=json'));
    actions.push({ id: 'print', name: texts.print, icon: 'read_file', command: 'print', run: () => setTimeout(() => print()) });
  }
  actions.push(opening('import', texts.importChats, 'plus'));
  return actions;
}

/** The dialog or the list that was chosen from gives the focus back first. */
function focusModels(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-testid="model-select"]')?.focus());
}

/** Returns the actions whose name holds every word of the text; without a text, all. */
export function actionsByName(actions: readonly Action[], text: string): Action[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter(({ name }) => words.every(word => name.toLowerCase().includes(word)));
}

/** Returns the actions whose command begins with what is typed, or whose name holds it. */
export function actionsByCommand(actions: readonly Action[], typed: string): Action[] {
  const begun = typed.toLowerCase();
  return actions.filter(({ command, name }) => command.startsWith(begun) || name.toLowerCase().includes(begun));
}
