import { useState } from 'preact/hooks';
import type { Prompt } from '../../api/prompt_api';
import type { ChatController } from '../../chat/chat_controller';
import { choosePrompt } from '../../chat/insert_prompt';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { useReturnFocus } from '../../components/basic/use_return_focus';
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
  const [isEditing, setEditing] = useState(false);
  const editButton = useReturnFocus(isEditing);
  if (isEditing) {
    return (
      <li>
        <PromptForm
          prompt={prompt}
          onSaved={next => {
            setEditing(false);
            onChange(next);
          }}
          onBack={() => setEditing(false)}
        />
      </li>
    );
  }
  const { name, text, variables, updatedAt } = prompt;
  return (
    <li class="view-row" data-testid="prompt" data-name={name}>
      <div class="row-main">
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
      </div>
      <span class="row-actions">
        <button
          type="button"
          class="button"
          aria-label={`${texts.use}: /${name}`}
          data-testid="use-prompt"
          onClick={() => choosePrompt(controller, prompt)}
        >
          {texts.use}
        </button>
        <button
          ref={editButton}
          type="button"
          class="icon-button small"
          title={texts.edit}
          aria-label={`${texts.edit}: /${name}`}
          data-testid="edit-prompt"
          onClick={() => setEditing(true)}
        >
          <Icon name="pencil" />
        </button>
        <button
          type="button"
          class="icon-button small"
          title={texts.remove}
          aria-label={`${texts.remove}: /${name}`}
          data-testid="delete-prompt"
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}
