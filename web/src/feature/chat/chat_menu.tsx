import { useState } from 'preact/hooks';
import { THINKING_LEVELS } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { downloadChat } from '../../chat/download_chat';
import { Menu, type MenuItem } from '../../components/basic/menu';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { ChatDialogName } from '../../state/app_state';
import { isPerson } from '../../state/chat_people';
import { ChatDialog } from './chat_dialog';
import { chatMenuTexts } from './chat_menu_texts';

interface ChatMenuProps {
  controller: ChatController;
  anchor: HTMLElement | null;
  onClose: () => void;
}

/** Items that open something in the place of the menu. */
const OPENING: ReadonlySet<string | undefined> = new Set(['instructions', 'people', 'share', 'import', 'thinking']);
/** The top bar of a narrower page has no room for the thinking level. */
const NARROW = '(max-width: 520px)';

/** Offers what a person can do with the open chat beside writing in it. */
export function ChatMenu({ controller, anchor, onClose }: ChatMenuProps) {
  const locale = useLocale();
  const texts = chatMenuTexts[locale];
  const messages = useMessages();
  const [dialog, setDialog] = useState<ChatDialogName>();
  const [isAtLevels, setAtLevels] = useState(false);
  const sessionId = useStore(controller.store, state => state.sessionId);
  const isEmpty = useStore(controller.store, ({ view }) => sessionId === undefined && view.turns.length === 0);
  const isTemporary = useStore(controller.store, state => state.isTemporary);
  const hasPeople = useStore(controller.store, isPerson);
  const level = useStore(controller.store, state => state.thinkingLevel);
  if (dialog) return <ChatDialog name={dialog} controller={controller} onClose={onClose} />;
  if (isAtLevels) return <LevelMenu controller={controller} anchor={anchor} onClose={onClose} />;
  const opening = (id: ChatDialogName, name: string, icon: MenuItem['icon']): MenuItem => ({
    id,
    name,
    icon,
    onChoose: () => setDialog(id),
  });
  const items: MenuItem[] = [opening('instructions', texts.instructions, 'pencil')];
  if (matchMedia(NARROW).matches) {
    const name = `${messages.thinkingLevel}: ${messages.thinkingLevels[level]}`;
    items.push({ id: 'thinking', name, icon: 'thought', onChoose: () => setAtLevels(true) });
  }
  if (isEmpty) {
    const name = isTemporary ? texts.ordinary : texts.temporary;
    items.push({ id: 'temporary', name, icon: 'clock', onChoose: () => controller.settings.setTemporary(!isTemporary) });
  }
  if (hasPeople && sessionId !== undefined && !isTemporary) items.push(opening('people', texts.people, 'crew'));
  if (sessionId !== undefined && !isTemporary) items.push(opening('share', texts.share, 'globe'));
  if (sessionId !== undefined) {
    items.push(
      {
        id: 'markdown',
        name: texts.exportMarkdown,
        icon: 'down',
        onChoose: () => downloadChat(sessionId, `format=markdown&locale=${locale}`),
      },
      { id: 'json', name: texts.exportJson, icon: 'down', onChoose: () => downloadChat(sessionId, 'format=json') },
      { id: 'print', name: texts.print, icon: 'read_file', onChoose: () => setTimeout(() => print()) },
    );
  }
  items.push(opening('import', texts.importChats, 'plus'));
  return <Menu label={texts.menu} anchor={anchor} items={items} onClose={chosen => !OPENING.has(chosen) && onClose()} />;
}

function LevelMenu({ controller, anchor, onClose }: ChatMenuProps) {
  const messages = useMessages();
  const current = useStore(controller.store, state => state.thinkingLevel);
  const items = THINKING_LEVELS.map((level): MenuItem => {
    const name = messages.thinkingLevels[level];
    return { id: level, name, icon: level === current ? 'check' : 'none', onChoose: () => void controller.setThinkingLevel(level) };
  });
  return <Menu label={messages.thinkingLevel} anchor={anchor} items={items} onClose={onClose} />;
}
