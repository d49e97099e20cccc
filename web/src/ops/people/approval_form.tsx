import { useState } from 'preact/hooks';
import type { ApprovalAnswer } from '../../../../src/port/run_event';
import { useLocale } from '../../i18n/language_context';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { decideApproval, type WaitingQuestion } from './people_api';
import { peopleTexts } from './people_texts';

/** Decides about a tool call in the place of the person. */
export function ApprovalForm({ approval }: { approval: NonNullable<WaitingQuestion['approval']> }) {
  const { requestId, args, reason, tool, needed, approvals = [], notBy = [] } = approval;
  const texts = peopleTexts[useLocale()];
  const { isBusy, run } = useAction();
  const [isDenying, setDenying] = useState(false);
  const send = (answer: ApprovalAnswer) => run(() => decideApproval(requestId, answer), texts.decided);
  return (
    <>
      <p>
        {texts.reason}: {reason}
      </p>
      {needed !== undefined && (
        <p data-testid="progress">
          {texts.progress(approvals.length, needed, approvals.map(({ by }) => by).join(', '))}{' '}
          {notBy.length > 0 && texts.notBy(notBy.join(', '))}
        </p>
      )}
      <p class="field-note">{texts.arguments}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      <pre tabIndex={0} class="waiting-arguments" data-testid="arguments">
        {JSON.stringify(args, null, 2)}
      </pre>
      <span class="cell-actions">
        <ScopeButton scope="approve" isBusy={isBusy} isDanger testId="allow-once" onClick={() => send({ decision: 'allow_once' })}>
          {texts.allowOnce}
        </ScopeButton>
        <ScopeButton scope="approve" isBusy={isBusy} testId="deny" onClick={() => setDenying(true)}>
          {texts.deny}
        </ScopeButton>
      </span>
      {isDenying && (
        <ReasonDialog
          title={`${texts.deny}: ${tool}`}
          text={reason}
          reasonLabel={texts.denyReason}
          action={texts.deny}
          keep={texts.decideLater}
          onConfirm={given => {
            setDenying(false);
            send({ decision: 'deny', reason: given || undefined });
          }}
          onCancel={() => setDenying(false)}
        />
      )}
    </>
  );
}
