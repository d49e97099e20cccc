import { useId, useState } from 'preact/hooks';
import type { Prompt } from '../../api/prompt_api';
import type { ChatController } from '../../chat/chat_controller';
import { insertPrompt } from '../../chat/insert_prompt';
import { useLocale, useMessages } from '../../i18n/language_context';
import { InputField } from '../basic/form_field';
import { useModal } from '../basic/use_modal';
import { promptDialogTexts } from './prompt_dialog_texts';
import './prompt_dialog.css';

const MAX_VALUE = 10_000;

interface PromptDialogProps {
  prompt: Prompt;
  controller: ChatController;
}

/** Asks for the variables of a prompt and inserts its text into the message field. */
export function PromptDialog({ prompt, controller }: PromptDialogProps) {
  const messages = useMessages();
  const texts = promptDialogTexts[useLocale()];
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(prompt.variables.map(variable => [variable.name, variable.default ?? ''])),
  );
  const dialog = useModal();
  const titleId = useId();
  const close = () => controller.store.set({ openPrompt: undefined });
  return (
    <dialog ref={dialog} class="dialog prompt-dialog" aria-labelledby={titleId} data-testid="prompt-dialog" onClose={close}>
      <form
        onSubmit={event => {
          event.preventDefault();
          close();
          insertPrompt(controller, prompt, values);
        }}
      >
        <h2 id={titleId}>/{prompt.name}</h2>
        {prompt.variables.map(({ name, label }, index) => (
          <InputField
            key={name}
            label={label ?? name}
            value={values[name] ?? ''}
            problem={undefined}
            testId={`variable-${index}`}
            input={{ maxLength: MAX_VALUE, autocomplete: 'off' }}
            onInput={value => setValues({ ...values, [name]: value })}
          />
        ))}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={close}>
            {messages.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="insert-prompt">
            {texts.insert}
          </button>
        </div>
      </form>
    </dialog>
  );
}
