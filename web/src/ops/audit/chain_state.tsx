import { useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { formatCount, formatExact } from '../../i18n/format';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { auditTexts } from './audit_texts';

type Check = Answer<'OpsAuditCheck'>;

/** Checks the chain of hashes when the operator asks: it reads the whole log. */
export function ChainState() {
  const texts = auditTexts[useLocale()];
  const { isBusy, run } = useAction();
  const [check, setCheck] = useState<Check>();
  const verify = async () => setCheck(await callRest<Check>('GET', '/ops/audit/verify'));
  const state = check === undefined ? 'calm' : check.ok ? 'good' : 'bad';
  return (
    <div class="toolbar" role="status" data-testid="chain" data-state={state}>
      <button type="button" class="button" aria-disabled={isBusy} data-testid="verify-audit" onClick={() => run(verify)}>
        {isBusy ? texts.checking : texts.check}
      </button>
      {check && <Finding check={check} />}
    </div>
  );
}

function Finding({ check: { ok, rows, unsealed = 0, head, fault, id, at } }: { check: Check }) {
  const locale = useLocale();
  const texts = auditTexts[locale];
  if (!ok) {
    const place = [id, at && formatExact(at, locale)].filter(Boolean).join(', ');
    return <StatusTag tone="bad">{joinSentences(locale, texts.faults[fault ?? 'changed'], place && texts.brokenAt(place))}</StatusTag>;
  }
  return (
    <>
      <StatusTag tone="good">{texts.chainOk(formatCount(rows, locale))}</StatusTag>
      {unsealed > 0 && <span class="field-note">{texts.unsealed(formatCount(unsealed, locale))}</span>}
      {head !== undefined && (
        <span class="field-note" title={texts.headNote}>
          {texts.head} <code>{head}</code>
        </span>
      )}
    </>
  );
}
