import type { ChatController } from '../../chat/chat_controller';
import type { OnBusy } from '../../connection/protocol';
import { useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
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
  const mod = IS_MAC ? '⌘' : 'Ctrl';
  const choices = [
    { onBusy: 'enqueue', name: messages.queueMessage, title: messages.queueTitle, keys: 'Enter' },
    { onBusy: 'steer', name: messages.steerMessage, title: messages.steerTitle, keys: `${mod} Enter` },
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
          <kbd class="key-hint">{keys}</kbd>
        </button>
      ))}
    </fieldset>
  );
}

/** Returns what the key with Ctrl or Cmd means for a message. */
export function busyKeyOf(event: KeyboardEvent): OnBusy | undefined {
  if (event.key !== 'Enter' || event.altKey || !(event.ctrlKey || event.metaKey)) return undefined;
  return event.shiftKey ? 'interrupt' : 'steer';
}
