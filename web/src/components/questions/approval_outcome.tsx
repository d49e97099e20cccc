import { useLocale, useMessages } from '../../i18n/language_context';
import { usePeople } from '../../state/people_context';
import type { ApprovalItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { approvalNotes } from './approval_notes';

interface ApprovalOutcomeProps {
  item: ApprovalItem;
  /** True when this page has shown the open approval. */
  sawPending: boolean;
}

/** Says how an approval ended, and who decided. */
export function ApprovalOutcome({ item, sawPending }: ApprovalOutcomeProps) {
  const { approvalOutcome, byYou, byKey, elsewhere } = useMessages();
  const { nameOf } = usePeople();
  const { said, status } = item;
  if (status !== 'answered' || !said) {
    return (
      <span class="approval-outcome" data-testid="approval-outcome">
        {status === 'expired' ? approvalOutcome.expired : approvalOutcome.cancelled}
      </span>
    );
  }
  const isYes = said.decision !== 'deny';
  const names = item.approvals?.map(({ by }) => nameOf(by)) ?? [];
  const who =
    isYes && names.length > 1
      ? byKey(names.join(', '))
      : item.mine
        ? byYou
        : said.decidedBy !== undefined
          ? byKey(nameOf(said.decidedBy))
          : sawPending
            ? elsewhere
            : '';
  return (
    <span class={isYes ? 'approval-outcome' : 'approval-outcome denied'} data-testid="approval-outcome">
      <Icon name={isYes ? 'check' : 'close'} />
      <strong>{said.args ? approvalOutcome.changed : approvalOutcome[said.decision]}</strong>
      {who && <span class="who">{who}</span>}
      {said.reason && <span class="said">“{said.reason}”</span>}
    </span>
  );
}

/** Says how many of the people who are needed have said yes, and whose yes does not count. */
export function ApprovalProgress({ item: { needed, approvals = [], notBy = [], to, escalatedTo } }: { item: ApprovalItem }) {
  const notes = approvalNotes[useLocale()];
  const { nameOf } = usePeople();
  if (needed === undefined && to === undefined && escalatedTo === undefined) return null;
  const names = approvals.map(({ by }) => nameOf(by));
  return (
    <p class="approval-note" data-testid="approval-progress" role="status">
      {needed !== undefined && notes.progress(names.length, needed, names)} {notBy.length > 0 && notes.notBy(notBy.map(nameOf))}{' '}
      {to !== undefined && notes.askedFirst(to)} {escalatedTo !== undefined && notes.escalated(escalatedTo)}
    </p>
  );
}

/** Lists the private content that the call could send out. */
export function ApprovalTaint({ sources }: { sources: NonNullable<ApprovalItem['taint']> }) {
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
