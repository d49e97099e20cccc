import { useMessages } from '../../i18n/language_context';
import type { ApprovalAnswer, ApprovalItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { memo } from '../basic/memo';
import { Decision } from './approval_decision';
import { CallArguments } from './call_arguments';
import { Countdown } from './countdown';
import { useAskingCard } from './use_asking_card';

interface ApprovalCardProps {
  item: ApprovalItem;
  clockOffsetMs: number;
  onDecide: (requestId: string, answer: ApprovalAnswer) => Promise<boolean>;
  onExtend: (requestId: string) => Promise<void>;
  /** Called while the person types changed arguments or a reason. */
  onTyping: (requestId: string) => void;
}

/** Shows a tool call that runs only after a person has approved it. */
export const ApprovalCard = memo((props: ApprovalCardProps) => {
  const messages = useMessages();
  const { item } = props;
  const { card, titleId, sawPending, isSettled } = useAskingCard(item.status);
  const isPending = item.status === 'pending';
  const args = <CallArguments tool={item.tool} args={item.said?.args ?? item.args} />;
  return (
    <section
      ref={card}
      class="clarify-card approval-card"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="approval-card"
      data-status={item.status}
    >
      {isPending ? (
        <>
          <header>
            <Icon name="shield" />
            <span id={titleId}>{messages.approvalTitle(item.label)}</span>
            <Countdown {...props} testIds="approval" />
          </header>
          <p class="approval-reason">{item.reason}</p>
          {args}
          {item.taint && <Taint sources={item.taint} />}
          <Decision {...props} card={card} isSettled={isSettled} />
        </>
      ) : (
        // Shows a decided approval in one line, because the call and its result follow.
        <details>
          <summary>
            <Icon name="shield" />
            <span id={titleId}>{item.label}</span>
            <Outcome item={item} sawPending={sawPending} />
            <span class="chevron">
              <Icon name="chevron" />
            </span>
          </summary>
          <p class="approval-reason">{item.reason}</p>
          {args}
          {item.taint && <Taint sources={item.taint} />}
        </details>
      )}
    </section>
  );
});

/** Lists the private content that the call could send out. */
function Taint({ sources }: { sources: NonNullable<ApprovalItem['taint']> }) {
  const messages = useMessages();
  return (
    <ul class="approval-taint" data-testid="approval-taint">
      {sources.map(({ toolCallId, tool, kind, source }) => (
        <li key={toolCallId}>
          {messages.taintKind[kind]}: <code>{`${tool} ${source}`}</code>
        </li>
      ))}
    </ul>
  );
}

function Outcome({ item, sawPending }: { item: ApprovalItem; sawPending: boolean }) {
  const { approvalOutcome, byYou, byKey, elsewhere } = useMessages();
  const { said, status } = item;
  if (status !== 'answered' || !said) {
    return (
      <span class="clarify-outcome" data-testid="approval-outcome">
        {status === 'expired' ? approvalOutcome.expired : approvalOutcome.cancelled}
      </span>
    );
  }
  const isYes = said.decision !== 'deny';
  const who = item.mine ? byYou : said.decidedBy !== undefined ? byKey(said.decidedBy) : sawPending ? elsewhere : '';
  return (
    <span class={isYes ? 'clarify-outcome answered' : 'clarify-outcome answered denied'} data-testid="approval-outcome">
      <Icon name={isYes ? 'check' : 'close'} />
      <strong>{said.args ? approvalOutcome.changed : approvalOutcome[said.decision]}</strong>
      {who && <span class="who">{who}</span>}
      {said.reason && <span>“{said.reason}”</span>}
    </span>
  );
}
