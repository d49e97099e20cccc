import { useRef, useState } from 'preact/hooks';
import { MarkdownView } from '../../components/answer/markdown_view';
import { Icon } from '../../components/basic/icon';
import { labelOf } from '../../components/calls/tool_label';
import { Decision } from '../../components/questions/approval_decision';
import { CallArguments } from '../../components/questions/call_arguments';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ApprovalItem } from '../../state/view_types';
import { type AskedApproval, type AskedQuestion, type AskedRow, answerAsked, decideAsked } from './asked_api';
import { askedTexts } from './asked_texts';

interface AskedOfYouProps {
  rows: readonly AskedRow[];
  /** Returns the name of a person, else the handle. */
  nameOf: (handle: string) => string;
  /** Reads the rows again. */
  onDone: () => void;
}

/** Shows the requests that a colleague's chat has for this person, who does not see that chat. */
export function AskedOfYou({ rows, nameOf, onDone }: AskedOfYouProps) {
  const texts = askedTexts[useLocale()];
  return (
    <section class="asked-of-you" aria-label={texts.title} data-testid="asked-of-you">
      {rows.map(row =>
        row.kind === 'approval' ? (
          <ApprovalRequest key={row.requestId} row={row} by={nameIf(row.askedBy, nameOf)} onDone={onDone} />
        ) : (
          <QuestionRequest key={row.requestId} row={row} by={nameIf(row.askedBy, nameOf)} onDone={onDone} />
        ),
      )}
    </section>
  );
}

interface RequestProps<Row> {
  row: Row;
  /** Who caused it. */
  by: string | undefined;
  onDone: () => void;
}

function ApprovalRequest({ row, by, onDone }: RequestProps<AskedApproval>) {
  const messages = useMessages();
  const texts = askedTexts[useLocale()];
  const card = useRef<HTMLElement>(null);
  const [hasMyYes, setMyYes] = useState(false);
  const { requestId, tool, label, args, reason, diff } = row;
  const item: ApprovalItem = { ...row, kind: 'approval', id: requestId, status: 'pending', hasMyYes };
  const decide = async (id: string, answer: Parameters<typeof decideAsked>[1]) => {
    const { status } = await decideAsked(id, answer);
    if (status === 'pending') setMyYes(true);
    onDone();
    return true;
  };
  return (
    <article ref={card} class="clarify-card approval-card" tabIndex={-1} data-testid="asked-approval">
      <header>
        <Icon name="shield" />
        <span>{messages.approvalTitle(labelOf({ name: tool, label }, messages))}</span>
      </header>
      <ByWhom name={by} />
      <p class="approval-reason">{reason}</p>
      <CallArguments tool={tool} args={args} diff={diff} />
      {hasMyYes && <p class="approval-note">{texts.othersMissing}</p>}
      <Decision item={item} card={card} isSettled={false} onDecide={decide} onTyping={() => {}} />
    </article>
  );
}

function QuestionRequest({ row, by, onDone }: RequestProps<AskedQuestion>) {
  const messages = useMessages();
  const texts = askedTexts[useLocale()];
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState(false);
  const send = async (answer: string) => {
    if (isSending || answer.trim() === '') return;
    setSending(true);
    setFailed(false);
    await answerAsked(row.requestId, answer).then(onDone, () => setFailed(true));
    setSending(false);
  };
  return (
    <article class="clarify-card" tabIndex={-1} data-testid="asked-question">
      <header>
        <Icon name="question" />
        <span>{messages.question}</span>
      </header>
      <ByWhom name={by} />
      <div class="clarify-question">
        <MarkdownView text={row.question} done />
      </div>
      <div class="approval-buttons">
        {(row.choices ?? []).map(choice => (
          <button key={choice} type="button" class="button" disabled={isSending} onClick={() => void send(choice)}>
            {choice}
          </button>
        ))}
      </div>
      <form
        class="approval-form"
        onSubmit={event => {
          event.preventDefault();
          void send(text);
        }}
      >
        <textarea
          rows={2}
          value={text}
          aria-label={texts.yourAnswer}
          placeholder={texts.yourAnswer}
          onInput={event => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={isSending}>
          {texts.answer}
        </button>
      </form>
      {failed && (
        <p class="form-error" role="alert">
          {texts.failed}
        </p>
      )}
    </article>
  );
}

const nameIf = (handle: string | undefined, nameOf: (handle: string) => string) => (handle === undefined ? undefined : nameOf(handle));

function ByWhom({ name }: { name: string | undefined }) {
  const texts = askedTexts[useLocale()];
  return name === undefined ? null : <p class="approval-note">{texts.byWhom(name)}</p>;
}
