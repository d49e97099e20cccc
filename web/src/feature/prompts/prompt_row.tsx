import type { Prompt } from '../../api/prompt_api';
import type { ChatController } from '../../chat/chat_controller';
import { choosePrompt } from '../../chat/insert_prompt';
import { RelativeTime } from '../../components/basic/relative_time';
import { EditableRow } from '../../components/list/editable_row';
import { useLocale } from '../../i18n/language_context';
import { PromptForm } from './prompt_form';
import { promptTexts } from './prompt_texts';

interface PromptRowProps {
  prompt: Prompt;
  controller: ChatController;
  onChange: (prompt: Prompt) => void;
  onRemove: () => void;
}

/** Shows one prompt, or the form that edits it. */
export function PromptRow({ prompt, controller, onChange, onRemove }: PromptRowProps) {
  const texts = promptTexts[useLocale()];
  const { name, text, variables, updatedAt } = prompt;
  const use = (
    <button
      type="button"
      class="button"
      aria-label={`${texts.use}: /${name}`}
      data-testid="use-prompt"
      onClick={() => choosePrompt(controller, prompt)}
    >
      {texts.use}
    </button>
  );
  const form = (close: () => void) => (
    <PromptForm
      prompt={prompt}
      onSaved={next => {
        close();
        onChange(next);
      }}
      onBack={close}
    />
  );
  return (
    <EditableRow
      testId="prompt"
      data={{ 'data-name': name }}
      name={`/${name}`}
      edit={texts.edit}
      remove={{ label: texts.remove, testId: 'delete-prompt' }}
      onRemove={onRemove}
      form={form}
      actions={use}
    >
      <p class="prompt-name">/{name}</p>
      <p class="prompt-text">{text}</p>
      <p class="row-facts">
        {variables.map(variable => (
          <span key={variable.name} class="tag">
            {variable.name}
          </span>
        ))}
        <span>
          {texts.changed} <RelativeTime iso={updatedAt} />
        </span>
      </p>
    </EditableRow>
  );
}
