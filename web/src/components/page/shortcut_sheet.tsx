import { useId } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useActions } from '../../commands/actions';
import { useLocale, useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
import type { SendKey } from '../../platform/preferences';
import { nameSendKey } from '../../platform/send_key';
import { useStore } from '../../platform/store';
import { useModal } from '../basic/use_modal';
import { shortcutTexts } from './shortcut_texts';

const MOD = IS_MAC ? 'Cmd' : 'Ctrl';

/** Returns the keys of each shortcut. */
const keysFor = (sendKey: SendKey) => ({
  search: `${MOD} K`,
  sheet: '?',
  send: nameSendKey(sendKey),
  newLine: sendKey === 'enter' ? 'Shift Enter' : 'Enter',
  steer: sendKey === 'enter' ? `${MOD} Enter` : undefined,
  interrupt: `${MOD} Shift Enter`,
  editLast: '↑',
  stop: 'Esc',
  choose: 'Alt 1–9',
  list: '↑ ↓ Home End',
  menu: '→',
});

/** Lists the keys of the chat page, and the commands that are possible now. */
export function ShortcutSheet({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const texts = shortcutTexts[useLocale()];
  const sendKey = useStore(controller.preferences, state => state.sendKey);
  const dialog = useModal();
  const titleId = useId();
  const commandsId = useId();
  const actions = useActions(controller, controller.preferences);
  const close = () => controller.setSheetOpen(false);
  return (
    <dialog ref={dialog} class="dialog shortcut-sheet" aria-labelledby={titleId} data-testid="shortcut-sheet" onClose={close}>
      <h2 id={titleId}>{texts.title}</h2>
      <dl>
        {Object.entries(keysFor(sendKey)).map(
          ([name, keys]) =>
            keys && (
              <div key={name}>
                <dt>{texts.about[name as keyof typeof texts.about]}</dt>
                <dd>
                  <kbd>{keys}</kbd>
                </dd>
              </div>
            ),
        )}
      </dl>
      <h3 id={commandsId}>{texts.commands}</h3>
      <dl aria-labelledby={commandsId} data-testid="sheet-commands">
        {actions.map(({ id, name, command }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <kbd>/{command}</kbd>
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
