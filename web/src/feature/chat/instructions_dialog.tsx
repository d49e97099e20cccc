import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale, useMessages } from '../../i18n/language_context';
import { chatMenuTexts } from './chat_menu_texts';
import './chat_dialogs.css';

/** Characters that the gateway accepts in the instructions of a chat. */
const MAX_INSTRUCTIONS = 4_000;

/** Shows the instructions that the agent gets with every message of the chat, and changes them. */
export function InstructionsDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = chatMenuTexts[useLocale()];
  const [text, setText] = useState(controller.store.get().instructions ?? '');
  const [isSaving, setSaving] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const save = async () => {
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
          maxLength={MAX_INSTRUCTIONS}
          placeholder={texts.instructionsExample}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-note`}
          data-testid="instructions"
          onInput={event => setText(event.currentTarget.value)}
        />
        <p class="chat-dialog-count">{texts.characters(text.length, MAX_INSTRUCTIONS)}</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {messages.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="save-instructions" disabled={isSaving}>
            {messages.save}
          </button>
        </div>
      </form>
    </dialog>
  );
}
