import { useId, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { formatRelative } from '../../i18n/format';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { type Column, DataTable } from '../parts/data_table';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import type { AcceptingState } from '../shared/ops_types';
import { limitTexts } from './limit_texts';

/** `tenant`: one tenant; without it every tenant that the key may switch. */
interface Order {
  accepting: boolean;
  reason?: string;
  tenant?: string;
}

const send = (order: Order): Promise<unknown> => callRest('POST', '/ops/accepting', order);

/** Stops new runs, after a question, and accepts them again: those of all tenants or, for an operator, of one. */
export function AcceptingSwitch({ state, tenants }: { state: AcceptingState; tenants: readonly string[] }) {
  const texts = limitTexts[useLocale()];
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const [tenant, setTenant] = useState('');
  const isOperator = useScope('operator');
  // The stream tells the new state up to two seconds later: until then the order that was sent counts.
  const [sent, setSent] = useState<{ before: AcceptingState; accepting: boolean }>();
  const accepting = sent?.before === state ? sent.accepting : state.accepting;
  const order = async (given: Order) => {
    await send(given);
    if (given.tenant === undefined) setSent({ before: state, accepting: given.accepting });
  };
  return (
    <section class={accepting ? 'panel' : 'panel warn'} aria-labelledby="switch-heading" data-testid="accepting" data-accepting={accepting}>
      <h2 id="switch-heading">{texts.switchTitle}</h2>
      <p>
        <StatusTag tone={accepting ? 'good' : 'warn'}>{accepting ? texts.accepting : texts.paused}</StatusTag>
      </p>
      {!accepting && <PauseNote state={state} />}
      <div class="toolbar">
        {!accepting && (
          <ScopeButton
            scope="ops:write"
            isBusy={isBusy}
            isPrimary
            testId="accept-runs"
            onClick={() => run(() => order({ accepting: true }), texts.nowAccepting)}
          >
            {texts.resume}
          </ScopeButton>
        )}
        {(accepting || isOperator) && (
          <ScopeButton scope="ops:write" isBusy={isBusy} isDanger testId="pause-runs" onClick={() => setAsking(true)}>
            {accepting ? texts.pause : texts.pauseTenant}
          </ScopeButton>
        )}
      </div>
      {state.tenants && <PausedTenants tenants={state.tenants} />}
      {isAsking && (
        <ReasonDialog
          title={texts.pauseQuestion}
          text={texts.pauseText}
          reasonLabel={texts.reason}
          action={texts.pause}
          keep={texts.keepAccepting}
          onConfirm={reason => {
            setAsking(false);
            run(() => order({ accepting: false, reason: reason || undefined, tenant: tenant || undefined }), texts.nowPaused);
          }}
          onCancel={() => setAsking(false)}
        >
          {isOperator && <TenantField tenant={tenant} tenants={tenants} onTenant={setTenant} />}
        </ReasonDialog>
      )}
    </section>
  );
}

/** Says for whom, by whom and why new runs are refused. */
function PauseNote({ state: { scope, reason, changedBy, changedAt } }: { state: AcceptingState }) {
  const locale = useLocale();
  const texts = limitTexts[locale];
  const change = changedBy !== undefined && changedAt !== undefined;
  return (
    <p class="field-note">
      {joinSentences(
        locale,
        scope && texts.scopes[scope],
        change && texts.pausedBy(changedBy, formatRelative(changedAt, new Date(), locale)),
        reason !== undefined && texts.reasonGiven(reason),
      )}
    </p>
  );
}

type TenantPause = NonNullable<AcceptingState['tenants']>[number];

/** The tenants that are paused on their own; each pause is lifted on its own. */
function PausedTenants({ tenants }: { tenants: readonly TenantPause[] }) {
  const locale = useLocale();
  const texts = limitTexts[locale];
  const { isBusy, run } = useAction();
  const columns: Column<TenantPause>[] = [
    { key: 'tenant', head: texts.tenant, isName: true, cell: ({ tenantId }) => tenantId },
    {
      key: 'by',
      head: texts.pausedTenant,
      cell: ({ changedBy, changedAt }) => texts.pausedBy(changedBy, formatRelative(changedAt, new Date(), locale)),
    },
    { key: 'reason', head: texts.reasonHead, cell: ({ reason }) => reason },
    {
      key: 'actions',
      head: '',
      cell: ({ tenantId }) => (
        <ScopeButton
          scope="ops:write"
          isBusy={isBusy}
          label={`${texts.resume}: ${tenantId}`}
          testId="accept-tenant"
          onClick={() => run(() => send({ accepting: true, tenant: tenantId }), texts.nowAccepting)}
        >
          {texts.resume}
        </ScopeButton>
      ),
    },
  ];
  return (
    <DataTable
      label={texts.pausedTenants}
      columns={columns}
      rows={tenants}
      keyOf={({ tenantId }) => tenantId}
      empty=""
      testId="paused-tenants"
    />
  );
}

interface TenantFieldProps {
  tenant: string;
  /** Tenants that are known; others can be written. */
  tenants: readonly string[];
  onTenant: (tenant: string) => void;
}

function TenantField({ tenant, tenants, onTenant }: TenantFieldProps) {
  const texts = limitTexts[useLocale()];
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{texts.whichTenant}</label>
      <input
        id={id}
        list={`${id}-known`}
        value={tenant}
        placeholder={texts.allTenants}
        data-testid="pause-tenant"
        onInput={event => onTenant(event.currentTarget.value.trim())}
      />
      <datalist id={`${id}-known`}>
        {tenants.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
