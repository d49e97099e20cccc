import type { ComponentChildren } from 'preact';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ApprovalAnswer, ApprovalItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { useKeptDetails } from '../basic/kept_state';
import { isObject, showHidden } from '../calls/approval_arguments';
import { labelOf } from '../calls/tool_label';
import { Decision } from './approval_decision';
import { approvalNotes } from './approval_notes';
import { ApprovalOutcome, ApprovalProgress, ApprovalTaint } from './approval_outcome';
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
  /** Shows the decided call with the outcome of the approval; absent until the call begins. */
  renderCall?: ((outcome: ComponentChildren) => ComponentChildren) | undefined;
}

/** Shows a tool call that runs only after a person has approved it. */
export const ApprovalCard = (props: ApprovalCardProps) => {
  const messages = useMessages();
  const locale = useLocale();
  const { item } = props;
  const { card, sawPending, isSettled } = useAskingCard(item.status);
  const details = useKeptDetails(item.id);
  const isPending = item.status === 'pending';
  const outcome = <ApprovalOutcome item={item} sawPending={sawPending} />;
  const label = labelOf({ name: item.tool, label: item.label }, messages);
  const title = isPending ? messages.approvalTitle(label) : label;
  return (
    <section
      ref={card}
      class="clarify-card approval-card"
      tabIndex={-1}
      aria-label={title}
      data-testid="approval-card"
      data-status={item.status}
      data-risk={item.risk ?? 'change'}
    >
      {isPending ? (
        <>
          <header>
            <Icon name="shield" />
            <span>{title}</span>
            {item.risk && <Risk risk={item.risk} />}
            <Countdown {...props} testIds="approval" />
          </header>
          <p class="approval-reason">{item.reason}</p>
          <Directory tool={item.tool} args={item.args} />
          <CallArguments tool={item.tool} args={withoutDirectory(item.tool, item.args)} diff={item.diff} />
          {item.diff !== undefined && (
            <p class="approval-note" data-testid="diff-note">
              {approvalNotes[locale].diff}
            </p>
          )}
          {item.taint && <ApprovalTaint sources={item.taint} />}
          <ApprovalProgress item={item} />
          <Decision {...props} card={card} isSettled={isSettled} />
        </>
      ) : props.renderCall ? (
        props.renderCall(outcome)
      ) : (
        // Shows an approval that ended without its call in one line.
        <details {...details}>
          <summary>
            <Icon name="shield" />
            <span>{title}</span>
            {outcome}
            <span class="chevron">
              <Icon name="chevron" />
            </span>
          </summary>
          <p class="approval-reason">{item.reason}</p>
          <CallArguments tool={item.tool} args={item.said?.args ?? item.args} diff={item.said?.args ? undefined : item.diff} />
          {item.taint && <ApprovalTaint sources={item.taint} />}
        </details>
      )}
    </section>
  );
};

/** Says how much the call can change. */
function Risk({ risk }: { risk: NonNullable<ApprovalItem['risk']> }) {
  const messages = useMessages();
  return (
    <span class="approval-risk" data-testid="approval-risk">
      {messages.approvalRisk[risk]}
    </span>
  );
}

/** Returns the arguments without the directory of a command, which stands above them while the approval is open. */
function withoutDirectory(tool: string, args: unknown): unknown {
  if (tool !== 'bash' || !isObject(args)) return args;
  const { cwd: _shown, ...others } = args;
  return others;
}

/** Says in which directory the command would run. */
function Directory({ tool, args }: Pick<ApprovalItem, 'tool' | 'args'>) {
  const messages = useMessages();
  if (tool !== 'bash' || !isObject(args)) return null;
  const { cwd } = args;
  return (
    <p class="approval-directory" data-testid="approval-directory">
      <Icon name="list_dir" />
      {typeof cwd === 'string' && cwd !== '.' ? <code>{showHidden(cwd)}</code> : messages.workspaceDirectory}
    </p>
  );
}
