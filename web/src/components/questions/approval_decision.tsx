import { useId, useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { useLocale, useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
import { mayDecide } from '../../state/chat_people';
import { usePeople } from '../../state/people_context';
import { useScope } from '../../state/scope_context';
import type { ApprovalAnswer, ApprovalItem } from '../../state/view_types';
import { fromEditable, toEditable } from '../calls/approval_arguments';
import { approvalNotes } from './approval_notes';
import { NumberedButton } from './numbered_button';
import { TextForm } from './text_form';

/** Characters that the gateway accepts as a reason. */
const MAX_REASON = 2_000;

type Mode = 'choose' | 'edit' | 'deny';

interface DecisionProps {
  item: ApprovalItem;
  onDecide: (requestId: string, answer: ApprovalAnswer) => Promise<boolean>;
  /** Called while the person types changed arguments or a reason. */
  onTyping: (requestId: string) => void;
  card: { readonly current: HTMLElement | null };
  isSettled: boolean;
}

/** Decides about a tool call that waits for approval: buttons, and a form for changed arguments or for a reason. */
export function Decision(props: DecisionProps) {
  const messages = useMessages();
  const notes = approvalNotes[useLocale()];
  const { part } = usePeople();
  if (useScope('approve')) return <DecisionParts {...props} />;
  return (
    <p class="approval-scope" data-testid="cannot-decide">
      {mayDecide(part) ? messages.cannotDecide : notes.otherPart}
    </p>
  );
}

function DecisionParts({ item, card, isSettled, onDecide, onTyping }: DecisionProps) {
  const [mode, setMode] = useState<Mode>('choose');
  const { decide, isSending, problem, setProblem } = useDecision(item.requestId, onDecide);
  // Keep the text while the person looks at the choices again.
  const [edited, setEdited] = useState(() => toEditable(item.args));
  const [reason, setReason] = useState('');
  const changeMode = (next: Mode) => {
    setProblem(undefined);
    setMode(next);
    // The form disappears and would take the focus with it.
    if (next === 'choose') card.current?.focus({ preventScroll: true });
  };
  const form = { isSending, onBack: () => changeMode('choose'), onTyping: () => onTyping(item.requestId) };
  return (
    <>
      {mode === 'edit' && <EditForm {...form} item={item} text={edited} onText={setEdited} onDecide={decide} onProblem={setProblem} />}
      {mode === 'deny' && <DenyForm {...form} text={reason} onText={setReason} onDecide={decide} />}
      {mode === 'choose' && (
        <Choices item={item} isSending={isSending} isSettled={isSettled} onDecide={decision => decide({ decision })} onMode={changeMode} />
      )}
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="approval-problem">
          {problem}
        </p>
      )}
    </>
  );
}

/** Sends a decision and keeps the text of its failure. */
function useDecision(requestId: string, onDecide: DecisionProps['onDecide']) {
  const messages = useMessages();
  const locale = useLocale();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (answer: ApprovalAnswer) => {
    setSending(true);
    setProblem(undefined);
    try {
      await onDecide(requestId, answer);
      // The card stays when more people must say yes.
      setSending(false);
    } catch (error) {
      const notes = approvalNotes[locale].refused;
      const note = error instanceof RequestError ? notes[error.code as keyof typeof notes] : undefined;
      // The gateway says what is wrong with changed arguments.
      setProblem(note ?? (answer.args && error instanceof RequestError ? error.message : messages.requestFailed));
      setSending(false);
    }
  };
  return { decide: (answer: ApprovalAnswer) => void send(answer), isSending, problem, setProblem };
}

interface DecisionFormProps {
  text: string;
  onText: (text: string) => void;
  onTyping: () => void;
  isSending: boolean;
  onBack: () => void;
  onDecide: (answer: ApprovalAnswer) => void;
}

interface EditFormProps extends DecisionFormProps {
  item: ApprovalItem;
  onProblem: (problem: string) => void;
}

function EditForm({ item, onDecide, onProblem, ...form }: EditFormProps) {
  const messages = useMessages();
  const submit = () => {
    const args = fromEditable(item.args, form.text);
    if (args) onDecide({ decision: 'allow_once', args });
    else onProblem(messages.notJson);
  };
  const hint = messages.editKeys(IS_MAC ? 'Cmd' : 'Ctrl');
  return <TextForm {...form} label={messages.changedArguments} submit={messages.allowChanged} hint={hint} onSubmit={submit} />;
}

function DenyForm({ onDecide, ...form }: DecisionFormProps) {
  const messages = useMessages();
  const submit = () => {
    const reason = form.text.trim().slice(0, MAX_REASON);
    onDecide({ decision: 'deny', reason: reason || undefined });
  };
  return (
    <TextForm {...form} label={messages.denialReason} submit={messages.deny} hint={messages.denyKeys} sendsOnEnter onSubmit={submit} />
  );
}

interface ChoicesProps {
  item: ApprovalItem;
  isSending: boolean;
  isSettled: boolean;
  onDecide: (decision: 'allow_once' | 'allow_session') => void;
  onMode: (mode: Mode) => void;
}

/** Colleagues decide about exactly this call, and each of them says yes once. */
function isOffered(id: string, { sessionScope, needed, hasMyYes }: ApprovalItem): boolean {
  if (needed === undefined) return id !== 'session' || sessionScope !== 'none';
  return id === 'deny' || (id === 'once' && !hasMyYes);
}

/** Shows the possible decisions in the order of their numbers. */
function Choices({ item, isSending, isSettled, onDecide, onMode }: ChoicesProps) {
  const messages = useMessages();
  const notes = approvalNotes[useLocale()];
  const scopeId = useId();
  // The filled button is the safe one.
  const isDestructive = item.risk === 'destructive';
  const all = [
    { id: 'once', style: isDestructive ? 'danger' : 'primary', text: messages.allowOnce, act: () => onDecide('allow_once') },
    { id: 'deny', style: isDestructive ? 'primary' : 'strong', text: messages.deny, act: () => onMode('deny') },
    { id: 'session', style: '', text: messages.allowSession, act: () => onDecide('allow_session') },
    { id: 'edit', style: '', text: messages.edit, act: () => onMode('edit') },
  ];
  const choices = all.filter(({ id }) => isOffered(id, item));
  const scopeNote = item.needed === undefined ? notes.sessionScope[item.sessionScope] : notes.oneCall;
  return (
    <>
      <div class="approval-buttons">
        {choices.map(({ id, style, text, act }, index) => (
          <NumberedButton
            key={id}
            class={`button ${style}`}
            testId={`approval-${id}`}
            number={index + 1}
            hasShortcut={isSettled}
            isSending={isSending}
            describedBy={id === 'session' ? scopeId : undefined}
            onChoose={act}
          >
            {text}
          </NumberedButton>
        ))}
      </div>
      <p class="approval-scope" id={scopeId}>
        {scopeNote} <span class="key-hint">{messages.choiceKeys(choices.length)}</span>
      </p>
    </>
  );
}
