import { useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { Menu, type MenuItem } from '../../components/basic/menu';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { chatMenuTexts } from './chat_menu_texts';
import { InstructionsDialog } from './instructions_dialog';

interface ChatMenuProps {
  controller: ChatController;
  anchor: HTMLElement | null;
  onClose: () => void;
}

/** Offers what a person can do with the open chat beside writing in it. */
export function ChatMenu({ controller, anchor, onClose }: ChatMenuProps) {
  const texts = chatMenuTexts[useLocale()];
  const [dialog, setDialog] = useState<'instructions'>();
  const { store } = controller;
  const isEmpty = useStore(store, ({ view, sessionId }) => sessionId === undefined && view.turns.length === 0);
  const isTemporary = useStore(store, state => state.isTemporary);
  if (dialog === 'instructions') return <InstructionsDialog controller={controller} onClose={onClose} />;
  const items: MenuItem[] = [
    { id: 'instructions', name: texts.instructions, icon: 'pencil', onChoose: () => setDialog('instructions') },
    ...(isEmpty
      ? [
          {
            id: 'temporary',
            name: isTemporary ? texts.ordinary : texts.temporary,
            icon: 'clock' as const,
            onChoose: () => controller.settings.setTemporary(!isTemporary),
          },
        ]
      : [{ id: 'print', name: texts.print, icon: 'read_file' as const, onChoose: () => setTimeout(() => print()) }]),
  ];
  const opensDialog = (id: string | undefined) => id === 'instructions';
  return <Menu label={texts.menu} anchor={anchor} items={items} onClose={chosen => !opensDialog(chosen) && onClose()} />;
}
