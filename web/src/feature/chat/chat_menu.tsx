import { useState } from 'preact/hooks';
import { API_BASE } from '../../api/call_rest';
import { createRestClient } from '../../api/rest_client';
import type { ChatController } from '../../chat/chat_controller';
import { Menu, type MenuItem } from '../../components/basic/menu';
import { formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { saveFile } from '../../platform/save_file';
import { useStore } from '../../platform/store';
import { findTitle } from '../../state/app_state';
import { chatMenuTexts } from './chat_menu_texts';
import { fileNameOf, readAllMessages, toMarkdown } from './export_chat';
import { ImportDialog } from './import_dialog';
import { InstructionsDialog } from './instructions_dialog';

import { ShareDialog } from './share_dialog';

interface ChatMenuProps {
  controller: ChatController;
  anchor: HTMLElement | null;
  onClose: () => void;
}

const DIALOGS = { instructions: InstructionsDialog, share: ShareDialog, import: ImportDialog } as const;
type DialogName = keyof typeof DIALOGS;

/** Offers what a person can do with the open chat beside writing in it. */
export function ChatMenu({ controller, anchor, onClose }: ChatMenuProps) {
  const locale = useLocale();
  const texts = chatMenuTexts[locale];
  const [dialog, setDialog] = useState<DialogName>();
  const sessionId = useStore(controller.store, state => state.sessionId);
  const isEmpty = useStore(controller.store, ({ view }) => sessionId === undefined && view.turns.length === 0);
  const isTemporary = useStore(controller.store, state => state.isTemporary);
  if (dialog) {
    const Dialog = DIALOGS[dialog];
    return <Dialog controller={controller} onClose={onClose} />;
  }
  const opening = (id: DialogName, name: string, icon: MenuItem['icon']): MenuItem => ({ id, name, icon, onChoose: () => setDialog(id) });
  const items: MenuItem[] = [opening('instructions', texts.instructions, 'pencil')];
  if (isEmpty) {
    const name = isTemporary ? texts.ordinary : texts.temporary;
    items.push({ id: 'temporary', name, icon: 'clock', onChoose: () => controller.settings.setTemporary(!isTemporary) });
  }
  if (sessionId !== undefined && !isTemporary) items.push(opening('share', texts.share, 'globe'));
  if (sessionId !== undefined) {
    items.push(
      { id: 'markdown', name: texts.exportMarkdown, icon: 'down', onChoose: () => void exportMarkdown(controller, sessionId, locale) },
      { id: 'json', name: texts.exportJson, icon: 'down', onChoose: () => exportJson(sessionId) },
      { id: 'print', name: texts.print, icon: 'read_file', onChoose: () => setTimeout(() => print()) },
    );
  }
  items.push(opening('import', texts.importChats, 'plus'));
  return <Menu label={texts.menu} anchor={anchor} items={items} onClose={chosen => !(chosen && chosen in DIALOGS) && onClose()} />;
}

async function exportMarkdown(controller: ChatController, sessionId: string, locale: Locale): Promise<void> {
  const { exportWords, exportFailed } = chatMenuTexts[locale];
  const title = findTitle(controller.store.get()) || sessionId;
  try {
    const messages = await readAllMessages(createRestClient(), sessionId);
    const when = formatMinute(new Date().toISOString(), locale);
    saveFile(fileNameOf({ id: sessionId, title }, 'md'), toMarkdown(title, messages, exportWords, when), 'text/markdown');
  } catch {
    controller.notify(exportFailed);
  }
}

/** The gateway sends the file as a download, a row at a time, so that the page need not hold it. */
function exportJson(sessionId: string): void {
  const link = document.createElement('a');
  link.href = `${API_BASE}/sessions/${encodeURIComponent(sessionId)}/export`;
  link.download = '';
  link.click();
}
