import { useId, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { useLocale } from '../../i18n/language_context';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { limitTexts } from './limit_texts';
import type { LimitRow } from './limits_types';

/** Adds to a daily limit, for today alone. */
export function RaiseButton({ row: { scope, tenantId, name, limit, max } }: { row: LimitRow }) {
  const texts = limitTexts[useLocale()];
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const [amount, setAmount] = useState(String(max));
  const id = useId();
  const what = `${name}, ${texts.names[limit] ?? limit}`;
  const by = Number(amount);
  return (
    <>
      <ScopeButton scope="operator" isBusy={isBusy} label={`${texts.raise}: ${what}`} testId="raise" onClick={() => setAsking(true)}>
        {texts.raise}
      </ScopeButton>
      {isAsking && (
        <ReasonDialog
          title={texts.raiseQuestion(what)}
          text={texts.raiseText}
          reasonLabel={texts.raiseReason}
          action={texts.raise}
          keep={texts.keepLimit}
          onConfirm={reason => {
            setAsking(false);
            run(
              () => callRest('POST', '/ops/limits/raise', { scope, tenant: tenantId, name, limit, by, reason: reason || undefined }),
              texts.isRaised,
            );
          }}
          onCancel={() => setAsking(false)}
        >
          <div class="field">
            <label for={id}>{texts.raiseBy}</label>
            <input
              id={id}
              type="number"
              min="0"
              step="any"
              required
              value={amount}
              data-testid="raise-by"
              onInput={event => setAmount(event.currentTarget.value)}
            />
          </div>
        </ReasonDialog>
      )}
    </>
  );
}
