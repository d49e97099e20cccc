import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { isInDialog, useDiscardGuard } from '../../components/basic/use_discard_guard';
import { useFormDraft } from '../../components/basic/use_form_draft';
import { formatCount } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { addMemory, editMemory, MAX_MEMORY, MEMORY_KINDS, type Memory, type MemoryFields, type MemoryKind } from './memory_api';
import { memoryTexts } from './memory_texts';

interface MemoryFormProps {
  /** The memory to edit; absent for a new one. */
  memory?: Memory;
  onSaved: (memory: Memory) => void;
  onBack: () => void;
}

/** Edits a memory, or writes a new one. The text stays in the form when the gateway refuses it. */
export function MemoryForm({ memory, onSaved, onBack }: MemoryFormProps) {
  const messages = useMessages();
  const locale = useLocale();
  const texts = memoryTexts[locale];
  const draft = useFormDraft(`memory.${memory?.id ?? 'new'}`, memory?.text ?? '');
  const { text } = draft;
  const [kind, setKind] = useState<MemoryKind>(memory?.kind ?? 'fact');
  const { save, isSending, problem, near, forgetNear } = useSaving(memory, saved => {
    draft.clear();
    onSaved(saved);
  });
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const { leave, dialog } = useDiscardGuard(draft.isChanged || kind !== (memory?.kind ?? 'fact'), () => {
    draft.clear();
    onBack();
  });
  const length = [...text].length;
  const canSave = text.trim() !== '' && length <= MAX_MEMORY && !isSending;
  const submit = (event: Event) => {
    event.preventDefault();
    if (canSave) save({ text: text.trim(), kind });
  };
  return (
    <form
      class="view-form"
      aria-label={memory ? texts.editMemory : texts.addMemoryTitle}
      data-testid="memory-form"
      onSubmit={submit}
      onKeyDown={event => {
        if (event.isComposing || event.keyCode === 229 || isInDialog(event)) return;
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        if (event.key !== 'Escape') return;
        event.preventDefault();
        leave();
      }}
    >
      <textarea
        ref={field}
        rows={3}
        value={text}
        aria-label={texts.memoryText}
        placeholder={texts.memoryPlaceholder}
        data-testid="memory-text"
        readOnly={isSending}
        onInput={event => {
          draft.setText(event.currentTarget.value);
          forgetNear();
        }}
      />
      {near && (
        <div class="near-duplicate" role="alert" data-testid="near-duplicate">
          <p>
            {texts.alreadyKnown} <q>{near.text}</q>
          </p>
          <button type="button" class="button" data-testid="save-anyway" onClick={() => save({ text: text.trim(), kind, force: true })}>
            {texts.saveAnyway}
          </button>
        </div>
      )}
      <div class="form-row">
        <select
          class="quiet-select"
          value={kind}
          aria-label={texts.kindLabel}
          data-testid="memory-kind"
          onChange={event => setKind(event.currentTarget.value as MemoryKind)}
        >
          {MEMORY_KINDS.map(option => (
            <option key={option} value={option}>
              {texts.kind[option]}
            </option>
          ))}
        </select>
        <span class={length > MAX_MEMORY ? 'form-count over' : 'form-count'} role={length > MAX_MEMORY ? 'alert' : undefined}>
          {texts.characters(formatCount(length, locale), formatCount(MAX_MEMORY, locale))}
        </span>
        <button type="button" class="button" disabled={isSending} onClick={leave}>
          {messages.cancel}
        </button>
        <button type="submit" class="button primary" disabled={!canSave} data-testid="save-memory">
          {messages.save}
        </button>
      </div>
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="memory-problem">
          {problem}
        </p>
      )}
      {dialog}
    </form>
  );
}

/** Sends the form and keeps its result: the text of a failure, or the memory that says nearly the same. */
function useSaving(memory: Memory | undefined, onSaved: (memory: Memory) => void) {
  const messages = useMessages();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [near, setNear] = useState<Memory>();
  const send = async (fields: MemoryFields & { force?: true }) => {
    setSending(true);
    setProblem(undefined);
    setNear(undefined);
    try {
      if (memory) return onSaved(await editMemory(memory.id, fields));
      const { outcome, ...saved } = await addMemory(fields);
      if (outcome !== 'near_duplicate') return onSaved(saved);
      setNear(saved);
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.requestFailed);
    }
    setSending(false);
  };
  return {
    save: (fields: MemoryFields & { force?: true }) => void send(fields),
    isSending,
    problem,
    near,
    forgetNear: () => setNear(undefined),
  };
}
