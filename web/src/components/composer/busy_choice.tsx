import type { ChatController } from '../../chat/chat_controller';
import type { OnBusy } from '../../connection/protocol';
import { useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
import type { SendKey } from '../../platform/preferences';
import { nameSendKey } from '../../platform/send_key';
import { useStore } from '../../platform/store';

interface BusyChoiceProps {
  controller: ChatController;
  onChoose: (event: Event, onBusy: OnBusy) => void;
}

/** Offers three ways to send a message while the agent works, each with its key. */
export function BusyChoice({ controller, onChoose }: BusyChoiceProps) {
  const messages = useMessages();
  // A steering message is text alone.
  const hasImages = useStore(controller.store, state => state.images.length > 0);
  const sendKey = useStore(controller.preferences, state => state.sendKey);
  const mod = IS_MAC ? '⌘' : 'Ctrl';
  const choices = [
    { onBusy: 'enqueue', name: messages.queueMessage, title: messages.queueTitle, keys: nameSendKey(sendKey) },
    { onBusy: 'steer', name: messages.steerMessage, title: messages.steerTitle, keys: sendKey === 'enter' ? `${mod} Enter` : undefined },
    { onBusy: 'interrupt', name: messages.interruptMessage, title: messages.interruptTitle, keys: `${mod} Shift Enter` },
  ] as const;
  return (
    <fieldset class="busy-choice" data-testid="busy-choice">
      <legend class="visually-hidden">{messages.whileBusy}</legend>
      {choices.map(({ onBusy, name, title, keys }) => (
        <button
          key={onBusy}
          type="button"
          class="busy-button"
          title={title}
          disabled={hasImages && onBusy === 'steer'}
          data-testid={`busy-${onBusy}`}
          onClick={event => onChoose(event, onBusy)}
        >
          {name}
          {keys && <kbd class="key-hint">{keys}</kbd>}
        </button>
      ))}
    </fieldset>
  );
}

/** Returns what the key with Ctrl or Cmd means for a message, besides sending it. */
export function busyKeyOf(event: KeyboardEvent, sendKey: SendKey): OnBusy | undefined {
  if (event.key !== 'Enter' || event.altKey || !(event.ctrlKey || event.metaKey)) return undefined;
  if (event.shiftKey) return 'interrupt';
  return sendKey === 'enter' ? 'steer' : undefined;
}
