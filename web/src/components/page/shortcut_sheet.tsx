import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale, useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
import { shortcutTexts } from './shortcut_texts';

const MOD = IS_MAC ? 'Cmd' : 'Ctrl';

/** The keys of each shortcut. */
const KEYS = {
  search: `${MOD} K`,
  sheet: '?',
  send: 'Enter',
  newLine: 'Shift Enter',
  steer: `${MOD} Enter`,
  interrupt: `${MOD} Shift Enter`,
  editLast: '↑',
  stop: 'Esc',
  choose: 'Alt 1–9',
  list: '↑ ↓ Home End',
  menu: '→',
} as const;

/** Lists the keys of the chat page. */
export function ShortcutSheet({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const texts = shortcutTexts[useLocale()];
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => controller.setSheetOpen(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="dialog shortcut-sheet" aria-labelledby={titleId} data-testid="shortcut-sheet" onClose={close}>
      <h2 id={titleId}>{texts.title}</h2>
      <dl>
        {Object.entries(KEYS).map(([name, keys]) => (
          <div key={name}>
            <dt>{texts.about[name as keyof typeof KEYS]}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          {messages.close}
        </button>
      </div>
    </dialog>
  );
}
