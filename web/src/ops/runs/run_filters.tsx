import { formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { ColumnChoice } from '../parts/column_choice';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { SavedViews } from '../parts/saved_views';
import { SearchText } from '../parts/search_text';
import { useOpsQuery } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';
import { DOOR_NAMES } from './doors';
import { LIVE_STATES, SORTS } from './live_filter';
import { useRunColumns } from './run_columns';
import { RUN_FILTERS, SPANS } from './runs_api';
import { runsTexts } from './runs_texts';

const ENDED_STATES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
const MAX_ID = 64;

/** Filters of both lists. Agents and keys come from the shown runs. */
export function RunFilters({ rows }: { rows: readonly { agent: string; keyName?: string; tenantId: string }[] }) {
  const texts = runsTexts[useLocale()];
  const { runStatus, doors } = useOpsTexts();
  const seesAll = useScope('operator');
  return (
    <div class="toolbar">
      <div class="grow">
        <SearchText label={texts.idFilter} maxLength={MAX_ID} testId="run-id" />
      </div>
      <FilterSelect name="state" label={texts.liveFilter} options={LIVE_STATES.map(value => ({ value, text: texts.states[value] }))} />
      <FilterSelect name="status" label={texts.endedFilter} options={ENDED_STATES.map(value => ({ value, text: runStatus[value] }))} />
      <FilterSelect name="agent" label={texts.agent} options={optionsOf(rows.map(({ agent }) => agent))} />
      <FilterSelect name="door" label={texts.door} options={DOOR_NAMES.map(value => ({ value, text: doors[value] }))} />
      <FilterSelect name="key" label={texts.key} options={optionsOf(rows.flatMap(({ keyName }) => keyName ?? []))} />
      {seesAll && <FilterSelect name="tenant" label={texts.tenant} options={optionsOf(rows.map(({ tenantId }) => tenantId))} />}
      <FilterSelect
        name="sort"
        label={texts.sort}
        first={texts.sortNewest}
        options={SORTS.map(value => ({ value, text: texts.sorts[value] }))}
      />
      <FilterSelect name="hours" label={texts.span} options={SPANS.map(value => ({ value, text: texts.spans[value] }))} />
      <TimeSpan />
      <ResetFilters names={[...RUN_FILTERS, 'hours', 'state', 'node', 'columns']} />
      <ColumnChoice columns={useRunColumns()} />
      <SavedViews />
    </div>
  );
}

/** The times between which the shown runs were created, when a link has set them. */
function TimeSpan() {
  const locale = useLocale();
  const texts = runsTexts[locale];
  const [since, until] = [useOpsQuery('since'), useOpsQuery('until')];
  const parts = [since && texts.since(formatMinute(since, locale)), until && texts.until(formatMinute(until, locale))].filter(Boolean);
  return parts.length > 0 ? <span class="filter">{parts.join(texts.gap)}</span> : null;
}
