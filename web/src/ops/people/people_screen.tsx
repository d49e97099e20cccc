import { useLocale } from '../../i18n/language_context';
import { historyTexts } from '../history/history_texts';
import { WaitingHistory } from '../history/waiting_chart';
import { FilterSelect } from '../parts/filters';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useLive } from '../parts/use_live';
import { useOpsQuery } from '../shared/ops_controller';
import { ApprovalInbox } from './approval_inbox';
import type { PeopleView, WaitingRow } from './people_api';
import { peopleTexts } from './people_texts';
import { RuleProposals } from './rule_proposals';
import { WaitingCard } from './waiting_card';

/** Questions and approvals that wait for a person, the oldest first. */
export function PeopleScreen() {
  const locale = useLocale();
  const texts = peopleTexts[locale];
  const view = useLive<PeopleView>('people');
  const kind = useOpsQuery('kind');
  const rows = view.data?.waiting ?? [];
  const shown = rows.filter(row => kind === '' || row.kind === kind);
  return (
    <>
      <div class="toolbar">
        <FilterSelect
          name="kind"
          label={texts.kind}
          options={(['clarification', 'approval'] as const).map(value => ({ value, text: texts.kinds[value] }))}
        />
        {view.data && <OpsLink screen="connections">{texts.connections(view.data.connections)}</OpsLink>}
      </div>
      <LoadNotice of={view} />
      <ApprovalInbox rows={rows} />
      {view.data && shown.length === 0 && (
        <p class="view-empty" data-testid="people-empty">
          {rows.length === 0 ? texts.nothing : texts.noMatch}
        </p>
      )}
      {shown.length > 0 && <Waiting rows={shown} />}
      <RuleProposals />
      <section aria-labelledby="waiting-history">
        <h2 id="waiting-history">{historyTexts[locale].history}</h2>
        <WaitingHistory />
      </section>
    </>
  );
}

function Waiting({ rows }: { rows: readonly WaitingRow[] }) {
  const texts = peopleTexts[useLocale()];
  return (
    <ul class="waiting-list" aria-label={texts.waiting} data-testid="waiting">
      {rows.map(row => (
        <WaitingCard key={row.requestId} row={row} />
      ))}
    </ul>
  );
}
