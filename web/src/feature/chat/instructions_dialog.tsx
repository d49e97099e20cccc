import { useId, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useModal } from '../../components/basic/use_modal';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { chatMenuTexts } from './chat_menu_texts';
import './chat_dialogs.css';

/** Characters that the gateway accepts in the instructions of a chat. */
const MAX_INSTRUCTIONS = 4_000;

/** Shows the instructions that the agent gets with every message of the chat, and changes them. */
export function InstructionsDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = chatMenuTexts[useLocale()];
  // A chat that was opened by its address may still be loading: its instructions are not known yet, and must not be replaced.
  const isKnown = useStore(controller.store, ({ sessionId, openSession }) => !sessionId || openSession !== undefined);
  const stored = useStore(controller.store, ({ instructions }) => instructions ?? '');
  const [written, setWritten] = useState<string>();
  const text = written ?? stored;
  const [isSaving, setSaving] = useState(false);
  const dialog = useModal();
  const id = useId();
  const save = async () => {
    if (text === stored) return onClose();
    setSaving(true);
    const isStored = await controller.settings.setInstructions(text);
    setSaving(false);
    if (isStored) onClose();
  };
  return (
    <dialog ref={dialog} class="dialog chat-dialog" aria-labelledby={`${id}-title`} data-testid="instructions-dialog" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 id={`${id}-title`}>{texts.instructionsTitle}</h2>
        <p id={`${id}-note`}>{texts.instructionsNote}</p>
        <textarea
          rows={8}
          value={text}
          disabled={!isKnown}
          maxLength={MAX_INSTRUCTIONS}
          placeholder={texts.instructionsExample}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-note`}
          data-testid="instructions"
          onInput={event => setWritten(event.currentTarget.value)}
        />
        <p class="chat-dialog-count">{texts.characters(text.length, MAX_INSTRUCTIONS)}</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {messages.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="save-instructions" disabled={isSaving || !isKnown}>
            {messages.save}
          </button>
        </div>
      </form>
    </dialog>
  );
}
