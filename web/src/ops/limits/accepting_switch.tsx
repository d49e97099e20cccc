import { useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { AcceptingState } from '../ops_types';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { limitTexts } from './limit_texts';

/** Stops new runs, after a question, and accepts them again. */
export function AcceptingSwitch({ state }: { state: AcceptingState }) {
  const locale = useLocale();
  const texts = limitTexts[locale];
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const { accepting, scope, reason, changedBy, changedAt } = state;
  const send = (body: { accepting: boolean; reason?: string }) => callRest('POST', '/ops/accepting', body);
  return (
    <section class={accepting ? 'panel' : 'panel warn'} aria-labelledby="switch-heading" data-testid="accepting" data-accepting={accepting}>
      <h2 id="switch-heading">{texts.switchTitle}</h2>
      <p>
        <StatusTag tone={accepting ? 'good' : 'warn'}>{accepting ? texts.accepting : texts.paused}</StatusTag>
      </p>
      {!accepting && (
        <p class="field-note">
          {[
            scope && texts.scopes[scope],
            changedBy !== undefined && changedAt !== undefined && texts.pausedBy(changedBy, formatRelative(changedAt, new Date(), locale)),
            reason !== undefined && texts.reasonGiven(reason),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
      {accepting ? (
        <ScopeButton scope="ops:write" isBusy={isBusy} isDanger testId="pause-runs" onClick={() => setAsking(true)}>
          {texts.pause}
        </ScopeButton>
      ) : (
        <ScopeButton
          scope="ops:write"
          isBusy={isBusy}
          isPrimary
          testId="accept-runs"
          onClick={() => run(() => send({ accepting: true }), texts.nowAccepting)}
        >
          {texts.resume}
        </ScopeButton>
      )}
      {isAsking && (
        <ReasonDialog
          title={texts.pauseQuestion}
          text={texts.pauseText}
          reasonLabel={texts.reason}
          action={texts.pause}
          onConfirm={given => {
            setAsking(false);
            run(() => send({ accepting: false, ...(given && { reason: given }) }), texts.nowPaused);
          }}
          onCancel={() => setAsking(false)}
        />
      )}
    </section>
  );
}
