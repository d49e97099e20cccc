import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { variablesOf } from '../../../../src/utils/prompt_variables';
import { addPrompt, editPrompt, type Prompt, type PromptFields } from '../../api/prompt_api';
import { refusalOf } from '../../api/request_error';
import { FormField, InputField } from '../../components/basic/form_field';
import { isInDialog, useDiscardGuard } from '../../components/basic/use_discard_guard';
import { useLocale, useMessages } from '../../i18n/language_context';
import { promptTexts } from './prompt_texts';

/** As the gateway takes it. */
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const MAX_NAME = 40;
const MAX_TEXT = 20_000;
const MAX_LABEL = 100;
const MAX_DEFAULT = 2_000;

type Variable = Prompt['variables'][number];

interface PromptFormProps {
  /** The prompt to edit; absent for a new one. */
  prompt?: Prompt;
  onSaved: (prompt: Prompt) => void;
  onBack: () => void;
}

/** Edits a prompt, or writes a new one. The text decides which variables there are. */
export function PromptForm({ prompt, onSaved, onBack }: PromptFormProps) {
  const messages = useMessages();
  const texts = promptTexts[useLocale()];
  const [name, setName] = useState(prompt?.name ?? '');
  const [text, setText] = useState(prompt?.text ?? '');
  const [described, setDescribed] = useState<readonly Variable[]>(prompt?.variables ?? []);
  const { save: store, isSending, problem } = useSaving(prompt, onSaved);
  const isChanged = name !== (prompt?.name ?? '') || text !== (prompt?.text ?? '') || described !== prompt?.variables;
  const { leave, dialog } = useDiscardGuard(isChanged && (name + text).trim() !== '', onBack);
  const variables = variablesOf(text, described);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const canSave = name.trim() !== '' && text.trim() !== '' && !isSending;
  const [isTried, setTried] = useState(false);
  const isNamed = NAME.test(name.trim());
  const save = () => {
    setTried(true);
    if (canSave && isNamed) void store({ name: name.trim(), text, variables: variables.map(withoutBlanks) });
  };
  return (
    <form
      ref={form}
      class="view-form prompt-form"
      aria-label={prompt ? texts.edit : texts.addTitle}
      data-testid="prompt-form"
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
      onKeyDown={event => {
        if (event.isComposing || event.keyCode === 229 || isInDialog(event)) return;
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        leave();
      }}
    >
      <InputField
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        problem={isTried && !isNamed ? texts.nameProblem : undefined}
        testId="prompt-name"
        input={{ maxLength: MAX_NAME, spellcheck: false, autocomplete: 'off' }}
        onInput={setName}
      />
      <FormField label={texts.text} hint={texts.textHint} problem={undefined}>
        {control => (
          <textarea
            {...control}
            rows={5}
            maxLength={MAX_TEXT}
            value={text}
            data-testid="prompt-text"
            onInput={event => setText(event.currentTarget.value)}
          />
        )}
      </FormField>
      {variables.length > 0 && (
        <Variables
          variables={variables}
          onChange={next => setDescribed([...described.filter(variable => variable.name !== next.name), next])}
        />
      )}
      <div class="form-row">
        <button type="button" class="button" disabled={isSending} onClick={leave}>
          {messages.cancel}
        </button>
        <button type="submit" class="button primary" disabled={!canSave} data-testid="save-prompt">
          {messages.save}
        </button>
      </div>
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="prompt-problem">
          {problem}
        </p>
      )}
      {dialog}
    </form>
  );
}

/** Sends the form, and keeps why it was refused. */
function useSaving(prompt: Prompt | undefined, onSaved: (prompt: Prompt) => void) {
  const messages = useMessages();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (fields: PromptFields) => {
    setSending(true);
    setProblem(undefined);
    try {
      onSaved(await (prompt ? editPrompt(prompt.id, fields) : addPrompt(fields)));
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.requestFailed);
      setSending(false);
    }
  };
  return { save, isSending, problem };
}

/** Questions and defaults of the variables in the text. */
function Variables({ variables, onChange }: { variables: readonly Variable[]; onChange: (variable: Variable) => void }) {
  const texts = promptTexts[useLocale()];
  return (
    <fieldset class="prompt-variables">
      <legend>{texts.variables}</legend>
      {variables.map((variable, index) => (
        <div key={variable.name} class="prompt-variable">
          <InputField
            label={texts.question(variable.name)}
            value={variable.label ?? ''}
            problem={undefined}
            testId={`label-${index}`}
            input={{ maxLength: MAX_LABEL, autocomplete: 'off' }}
            onInput={label => onChange({ ...variable, label })}
          />
          <InputField
            label={texts.defaultValue(variable.name)}
            value={variable.default ?? ''}
            problem={undefined}
            testId={`default-${index}`}
            input={{ maxLength: MAX_DEFAULT, autocomplete: 'off' }}
            onInput={value => onChange({ ...variable, default: value })}
          />
        </div>
      ))}
    </fieldset>
  );
}

const withoutBlanks = ({ name, label, default: value }: Variable): Variable => ({
  name,
  label: label || undefined,
  default: value || undefined,
});
