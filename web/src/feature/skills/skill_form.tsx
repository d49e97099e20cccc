import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError, refusalOf } from '../../api/request_error';
import { isInDialog, useDiscardGuard } from '../../components/basic/use_discard_guard';
import { type FormDraft, useFormDraft } from '../../components/basic/use_form_draft';
import { useLocale, useMessages } from '../../i18n/language_context';
import { hasSkill, type Skill, writeSkill } from './skill_api';
import { readName, toSkillName, withName } from './skill_document';
import { skillTexts } from './skill_texts';

interface NewSkillFormProps {
  /** Names of the skills that exist. */
  taken: readonly string[];
  onSaved: (skill: Skill) => void;
  onBack: () => void;
}

/** Writes a new skill, starting from a template. The name field and the front matter stay the same. */
export function NewSkillForm({ taken, onSaved, onBack }: NewSkillFormProps) {
  const texts = skillTexts[useLocale()];
  const draft = useFormDraft('skill.new', texts.template);
  const [name, setName] = useState(draft.isChanged ? readName(draft.text) : '');
  const isTaken = taken.includes(finishName(name));
  const write = async (finished: string, content: string) => {
    // The list may have more pages, and saving replaces the text of a skill that exists.
    if (await hasSkill(finished)) throw new RequestError('name_taken', texts.nameTaken, false);
    return writeSkill(finished, content);
  };
  return (
    <SkillEditor name={finishName(name)} draft={draft} canSave={name !== '' && !isTaken} write={write} onSaved={onSaved} onBack={onBack}>
      <label class="skill-name-field">
        <span>{texts.skillName}</span>
        <input
          value={name}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="skill-name-hint"
          aria-invalid={isTaken}
          data-testid="skill-name"
          onInput={event => {
            const next = toSkillName(event.currentTarget.value);
            setName(next);
            draft.setText(withName(draft.text, finishName(next)));
          }}
        />
      </label>
      <p id="skill-name-hint" class={isTaken ? 'field-hint bad' : 'field-hint'} role={isTaken ? 'alert' : undefined}>
        {isTaken ? texts.nameTaken : texts.nameHint}
      </p>
    </SkillEditor>
  );
}

/** While a person types, the name may end with a hyphen. */
const finishName = (name: string): string => name.replace(/-$/, '');

interface EditSkillFormProps {
  skill: Skill;
  onSaved: (skill: Skill) => void;
  onBack: () => void;
}

export function EditSkillForm({ skill, onSaved, onBack }: EditSkillFormProps) {
  const draft = useFormDraft(`skill.${skill.name}`, skill.content ?? '');
  return <SkillEditor name={skill.name} draft={draft} canSave write={writeSkill} onSaved={onSaved} onBack={onBack} />;
}

interface SkillEditorProps {
  name: string;
  draft: FormDraft;
  canSave: boolean;
  write: (name: string, content: string) => Promise<Skill>;
  onSaved: (skill: Skill) => void;
  onBack: () => void;
  children?: preact.ComponentChildren;
}

/** Edits the whole SKILL.md. The text stays in the form when the gateway refuses it, which says the line. */
function SkillEditor({ name, draft, canSave, write, onSaved, onBack, children }: SkillEditorProps) {
  const messages = useMessages();
  const texts = skillTexts[useLocale()];
  const content = draft.text;
  const { leave, dialog } = useDiscardGuard(draft.isChanged, () => {
    draft.clear();
    onBack();
  });
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const saved = await write(name, content);
      draft.clear();
      onSaved(saved);
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.requestFailed);
      setSending(false);
    }
  };
  return (
    <form
      ref={form}
      class="view-form"
      data-testid="skill-form"
      onSubmit={event => {
        event.preventDefault();
        if (canSave && !isSending) void save();
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229 || isInDialog(event)) return;
        event.preventDefault();
        leave();
      }}
    >
      {children}
      <textarea
        class="skill-text"
        rows={Math.min(28, Math.max(10, content.split('\n').length + 1))}
        value={content}
        spellcheck={false}
        readOnly={isSending}
        aria-label={texts.skillContent}
        data-testid="skill-text"
        onInput={event => draft.setText(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="skill-problem">
          {problem}
        </p>
      )}
      <div class="form-row end">
        <button type="button" class="button" disabled={isSending} onClick={leave}>
          {messages.cancel}
        </button>
        <button type="submit" class="button primary" disabled={!canSave || isSending} data-testid="save-skill">
          {messages.save}
        </button>
      </div>
      {dialog}
    </form>
  );
}
