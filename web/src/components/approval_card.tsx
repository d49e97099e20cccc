import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useMessages } from '../i18n/language_context';
import { isWriting } from '../platform/is_writing';
import type { ApprovalAnswer, ApprovalItem } from '../state/view_types';
import { fromEditable, listArguments, toEditable } from './approval_arguments';
import { Countdown } from './countdown';
import { Icon, toolIcon } from './icon';
import { memo } from './memo';

interface ApprovalCardProps {
  item: ApprovalItem;
  clockOffsetMs: number;
  onDecide: (requestId: string, answer: ApprovalAnswer) => Promise<void>;
  onExtend: (requestId: string) => Promise<void>;
}

/** A tool call that runs only after a person's yes. */
export const ApprovalCard = memo((props: ApprovalCardProps) => {
  const messages = useMessages();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const { item } = props;
  const isPending = item.status === 'pending';
  // Only who saw it open can tell that somebody else was quicker; a replay brings question and decision at once.
  const sawPending = useRef(isPending).current;
  // The card takes the focus, not a button in it: an Enter that was meant for something else must not be a yes.
  useEffect(() => {
    if (sawPending && !isWriting()) card.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={card}
      class="clarify-card approval-card"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="approval-card"
      data-status={item.status}
    >
      <header>
        <Icon name="shield" />
        <span id={titleId}>{messages.approvalTitle(item.label)}</span>
        {isPending && <Countdown {...props} testIds="approval" />}
      </header>
      {isPending && <p class="approval-reason">{item.reason}</p>}
      <Arguments tool={item.tool} args={item.said?.args ?? item.args} />
      {isPending ? <Decision {...props} /> : <Outcome item={item} sawPending={sawPending} />}
    </section>
  );
});

function Arguments({ tool, args }: { tool: string; args: unknown }) {
  const rows = listArguments(args);
  return (
    <dl class="approval-arguments" data-testid="approval-arguments">
      {rows.map(({ name, text }) => (
        <div key={name}>
          <dt>
            {rows.length === 1 && <Icon name={toolIcon(tool)} />}
            {rows.length === 1 ? `${tool} ${name}` : name}
          </dt>
          <dd>
            {/* Long arguments scroll, also with the keys. */}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
            <pre tabIndex={0}>{text}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Mode = 'choose' | 'edit' | 'deny';

function Decision({ item, onDecide }: ApprovalCardProps) {
  const messages = useMessages();
  const [mode, setMode] = useState<Mode>('choose');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
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
  };
  const form = { isSending, onBack: () => changeMode('choose') };
  return (
    <>
      {mode === 'edit' && (
        <TextForm
          {...form}
          label={messages.changedArguments}
          initial={toEditable(item.args)}
          submit={messages.allowChanged}
          onSubmit={text => {
            const args = fromEditable(item.args, text);
            return args ? void decide({ decision: 'allow_once', args }) : setProblem(messages.notJson);
          }}
        />
      )}
      {mode === 'deny' && (
        <TextForm
          {...form}
          label={messages.denialReason}
          submit={messages.deny}
          onSubmit={text => void decide({ decision: 'deny', ...(text.trim() && { reason: text.trim().slice(0, 2_000) }) })}
        />
      )}
      {mode === 'choose' && (
        <Choices item={item} isSending={isSending} onDecide={decision => void decide({ decision })} onMode={changeMode} />
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
  onDecide: (decision: 'allow_once' | 'allow_session') => void;
  onMode: (mode: Mode) => void;
}

function Choices({ item, isSending, onDecide, onMode }: ChoicesProps) {
  const messages = useMessages();
  const scopeId = useId();
  return (
    <>
      <div class="approval-buttons">
        <button
          type="button"
          class="button primary"
          data-testid="approval-once"
          disabled={isSending}
          onClick={() => onDecide('allow_once')}
        >
          {messages.allowOnce}
        </button>
        {item.sessionScope !== 'none' && (
          <button
            type="button"
            class="button"
            data-testid="approval-session"
            aria-describedby={scopeId}
            disabled={isSending}
            onClick={() => onDecide('allow_session')}
          >
            {messages.allowSession}
          </button>
        )}
        <button type="button" class="button" data-testid="approval-edit" disabled={isSending} onClick={() => onMode('edit')}>
          {messages.edit}
        </button>
        <button type="button" class="button danger" data-testid="approval-deny" disabled={isSending} onClick={() => onMode('deny')}>
          {messages.deny}
        </button>
      </div>
      <p class="approval-scope" id={scopeId}>
        {messages.sessionScope[item.sessionScope]}
      </p>
    </>
  );
}

interface TextFormProps {
  label: string;
  initial?: string;
  submit: string;
  isSending: boolean;
  onSubmit: (text: string) => void;
  onBack: () => void;
}

function TextForm({ label, initial = '', submit, isSending, onSubmit, onBack }: TextFormProps) {
  const messages = useMessages();
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="approval-form"
      onSubmit={event => {
        event.preventDefault();
        if (!isSending) onSubmit(text);
      }}
      onKeyDown={event => event.key === 'Escape' && onBack()}
    >
      <textarea
        ref={field}
        rows={Math.min(12, Math.max(2, initial.split('\n').length))}
        value={text}
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        data-testid="approval-text"
        disabled={isSending}
        onInput={event => setText(event.currentTarget.value)}
      />
      <div class="approval-buttons">
        <button type="submit" class="button primary" data-testid="approval-submit" disabled={isSending}>
          {submit}
        </button>
        <button type="button" class="button" disabled={isSending} onClick={onBack}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}

function Outcome({ item, sawPending }: { item: ApprovalItem; sawPending: boolean }) {
  const { approvalOutcome, byYou, elsewhere } = useMessages();
  const { said, status } = item;
  if (status !== 'answered' || !said) {
    return (
      <p class="clarify-outcome" data-testid="approval-outcome">
        {status === 'expired' ? approvalOutcome.expired : approvalOutcome.cancelled}
      </p>
    );
  }
  const isYes = said.decision !== 'deny';
  const who = item.mine ? byYou : sawPending ? elsewhere : '';
  return (
    <p class={isYes ? 'clarify-outcome answered' : 'clarify-outcome answered denied'} data-testid="approval-outcome">
      <Icon name={isYes ? 'check' : 'close'} />
      <strong>{said.args ? approvalOutcome.changed : approvalOutcome[said.decision]}</strong>
      {who && <span class="who">{who}</span>}
      {said.reason && <span>“{said.reason}”</span>}
    </p>
  );
}
