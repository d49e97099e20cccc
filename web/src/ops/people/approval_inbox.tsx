import { useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { LoadNotice } from '../parts/load_notice';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { useResource } from '../parts/use_resource';
import { useOps } from '../shared/ops_controller';
import { decideTogether, listApprovals, type OpenApproval, type WaitingRow } from './people_api';
import { peopleTexts } from './people_texts';

/** The strongest risk first. */
const RISKS = ['destructive', 'outside', 'change', 'read'] as const;
const MAX_ARGUMENTS = 120;

/** The open approvals of the own tenant by risk. Those without risk can be decided together; the gateway refuses the others, too. */
export function ApprovalInbox({ rows }: { rows: readonly WaitingRow[] }) {
  const texts = peopleTexts[useLocale()];
  const key = rows.flatMap(({ kind, requestId }) => (kind === 'approval' ? requestId : [])).join(' ');
  const approvals = useResource(key, listApprovals);
  if (key === '') return null;
  const open = approvals.data ?? [];
  return (
    <section class="panel" aria-labelledby="approval-inbox" data-testid="inbox">
      <h2 id="approval-inbox">{texts.inbox}</h2>
      <LoadNotice of={approvals} />
      {open.length > 0 && <Groups key={key} open={open} />}
    </section>
  );
}

function Groups({ open }: { open: readonly OpenApproval[] }) {
  const texts = peopleTexts[useLocale()];
  const ops = useOps();
  const { isBusy, run } = useAction();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id]);
  const decide = (decision: 'allow_once' | 'deny') => {
    if (chosen.length === 0) return;
    run(async () => {
      const results = await decideTogether(chosen, decision);
      const refused = results.filter(({ error }) => error).length;
      ops.notify(texts.bulkDone(results.length - refused, refused));
    });
  };
  return (
    <>
      {RISKS.map(risk => (
        <Group key={risk} risk={risk} rows={open.filter(row => (row.risk ?? 'outside') === risk)} chosen={chosen} onToggle={toggle} />
      ))}
      <span class="cell-actions">
        <ScopeButton scope="approve" isBusy={isBusy || chosen.length === 0} testId="allow-chosen" onClick={() => decide('allow_once')}>
          {texts.allowChosen(chosen.length)}
        </ScopeButton>
        <ScopeButton scope="approve" isBusy={isBusy || chosen.length === 0} testId="deny-chosen" onClick={() => decide('deny')}>
          {texts.denyChosen(chosen.length)}
        </ScopeButton>
      </span>
    </>
  );
}

interface GroupProps {
  risk: (typeof RISKS)[number];
  rows: readonly OpenApproval[];
  chosen: readonly string[];
  onToggle: (requestId: string) => void;
}

function Group({ risk, rows, chosen, onToggle }: GroupProps) {
  const texts = peopleTexts[useLocale()];
  if (rows.length === 0) return null;
  return (
    <fieldset data-testid="inbox-group" data-risk={risk}>
      <legend>{texts.risks[risk]}</legend>
      {rows.map(row => (
        <p key={row.requestId}>
          {isRisky(row) ? (
            <span class="field-note">{texts.oneByOne}: </span>
          ) : (
            <input
              type="checkbox"
              aria-label={`${row.tool} ${clip(row.args)}`}
              checked={chosen.includes(row.requestId)}
              data-testid="choose"
              onChange={() => onToggle(row.requestId)}
            />
          )}{' '}
          <code>{row.tool}</code> {clip(row.args)}
        </p>
      ))}
    </fieldset>
  );
}

const isRisky = ({ risk, taint = [], needed }: OpenApproval): boolean =>
  (risk !== 'change' && risk !== 'read') || taint.length > 0 || needed !== undefined;

function clip(args: unknown): string {
  const text = JSON.stringify(args) ?? '';
  return text.length <= MAX_ARGUMENTS ? text : `${text.slice(0, MAX_ARGUMENTS)}…`;
}
