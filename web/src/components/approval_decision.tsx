import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useMessages } from '../i18n/language_context';
import type { ApprovalAnswer, ApprovalItem } from '../state/view_types';
import { fromEditable, toEditable } from './approval_arguments';

type Mode = 'choose' | 'edit' | 'deny';

interface DecisionProps {
  item: ApprovalItem;
  onDecide: (requestId: string, answer: ApprovalAnswer) => Promise<boolean>;
  /** Called while the person types changed arguments or a reason. */
  onTyping: (requestId: string) => void;
  card: { readonly current: HTMLElement | null };
  isSettled: boolean;
}

/** The ways to decide about a call that waits: buttons, and a form for changed arguments or a reason. */
export function Decision({ item, card, isSettled, onDecide, onTyping }: DecisionProps) {
  const messages = useMessages();
  const [mode, setMode] = useState<Mode>('choose');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Keep the text while the person looks at the choices again.
  const [edited, setEdited] = useState(() => toEditable(item.args));
  const [reason, setReason] = useState('');
  const decide = async (answer: ApprovalAnswer) => {
    setSending(true);
    setProblem(undefined);
    try {
      await onDecide(item.requestId, answer);
    } catch (error) {
      // The gateway says what is wrong with changed arguments.
      setProblem(answer.args && error instanceof RequestError ? error.message : messages.requestFailed);
      setSending(false);
    }
  };
  const changeMode = (next: Mode) => {
    setProblem(undefined);
    setMode(next);
    // The form and its focus go away.
    if (next === 'choose') card.current?.focus({ preventScroll: true });
  };
  const form = { isSending, onBack: () => changeMode('choose'), onTyping: () => onTyping(item.requestId) };
  return (
    <>
      {mode === 'edit' && (
        <TextForm
          {...form}
          label={messages.changedArguments}
          text={edited}
          onText={setEdited}
          submit={messages.allowChanged}
          onSubmit={() => {
            const args = fromEditable(item.args, edited);
            return args ? void decide({ decision: 'allow_once', args }) : setProblem(messages.notJson);
          }}
        />
      )}
      {mode === 'deny' && (
        <TextForm
          {...form}
          label={messages.denialReason}
          text={reason}
          onText={setReason}
          submit={messages.deny}
          isDangerous
          onSubmit={() => void decide({ decision: 'deny', ...(reason.trim() && { reason: reason.trim().slice(0, 2_000) }) })}
        />
      )}
      {mode === 'choose' && (
        <Choices
          item={item}
          isSending={isSending}
          isSettled={isSettled}
          onDecide={decision => void decide({ decision })}
          onMode={changeMode}
        />
      )}
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="approval-problem">
          {problem}
        </p>
      )}
    </>
  );
}

interface ChoicesProps {
  item: ApprovalItem;
  isSending: boolean;
  isSettled: boolean;
  onDecide: (decision: 'allow_once' | 'allow_session') => void;
  onMode: (mode: Mode) => void;
}

/** The ways to decide, in the order of their numbers. */
function Choices({ item, isSending, isSettled, onDecide, onMode }: ChoicesProps) {
  const messages = useMessages();
  const scopeId = useId();
  const all = [
    { id: 'once', style: 'primary', text: messages.allowOnce, act: () => onDecide('allow_once') },
    { id: 'session', style: '', text: messages.allowSession, act: () => onDecide('allow_session') },
    { id: 'edit', style: '', text: messages.edit, act: () => onMode('edit') },
    { id: 'deny', style: 'danger', text: messages.deny, act: () => onMode('deny') },
  ];
  const choices = all.filter(({ id }) => id !== 'session' || item.sessionScope !== 'none');
  return (
    <>
      <div class="approval-buttons">
        {choices.map(({ id, style, text, act }, index) => (
          <button
            key={id}
            type="button"
            class={`button ${style}`}
            data-testid={`approval-${id}`}
            data-number={index + 1}
            data-shortcut={isSettled ? index + 1 : undefined}
            aria-keyshortcuts={`Alt+${index + 1}`}
            aria-describedby={id === 'session' ? scopeId : undefined}
            aria-disabled={isSending}
            onClick={() => {
              if (!isSending) act();
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <p class="approval-scope" id={scopeId}>
        {messages.sessionScope[item.sessionScope]} <span class="key-hint">{messages.choiceKeys(choices.length)}</span>
      </p>
    </>
  );
}

interface TextFormProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onTyping: () => void;
  submit: string;
  isDangerous?: boolean;
  isSending: boolean;
  onSubmit: () => void;
  onBack: () => void;
}

function TextForm({ label, text, onText, onTyping, submit, isDangerous, isSending, onSubmit, onBack }: TextFormProps) {
  const messages = useMessages();
  const field = useRef<HTMLTextAreaElement>(null);
  const rows = useRef(Math.min(12, Math.max(2, text.split('\n').length))).current;
  // Register before the first paint, so that the next key finds it.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="approval-form"
      onSubmit={event => {
        event.preventDefault();
        if (!isSending) onSubmit();
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing) return;
        // Handle Escape here: outside the form it would stop the agent.
        event.preventDefault();
        onBack();
      }}
    >
      <textarea
        ref={field}
        rows={rows}
        value={text}
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        data-testid="approval-text"
        readOnly={isSending}
        onInput={event => {
          onText(event.currentTarget.value);
          onTyping();
        }}
      />
      <div class="approval-buttons">
        <button
          type="submit"
          class={isDangerous ? 'button danger' : 'button primary'}
          data-testid="approval-submit"
          aria-disabled={isSending}
        >
          {submit}
        </button>
        <button type="button" class="button" disabled={isSending} onClick={onBack}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}
