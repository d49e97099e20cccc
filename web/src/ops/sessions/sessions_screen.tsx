import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { SavedViews } from '../parts/saved_views';
import { SearchText } from '../parts/search_text';
import { usePlace } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';
import { listSessions, type OpsSession, SESSION_FILTERS } from './session_api';
import { SessionPage } from './session_page';
import { SessionTable } from './session_table';
import { sessionScreenTexts } from './session_texts';

/** Characters of a search. */
const MAX_QUERY = 200;
const ENDED_STATES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

export function SessionsScreen() {
  const { item } = usePlace();
  return item === undefined ? <SessionList /> : <SessionPage key={item} sessionId={item} />;
}

/** Finds sessions by words in them, by tenant, and by the way they ended. */
function SessionList() {
  const texts = sessionScreenTexts[useLocale()];
  const { runStatus } = useOpsTexts();
  const { query } = usePlace();
  const given = SESSION_FILTERS.map(name => query[name] ?? '');
  const list = usePagedList<OpsSession>(given.join('\n'), cursor => listSessions(query, cursor));
  return (
    <>
      <div class="toolbar">
        <div class="grow">
          <SearchText label={texts.search} maxLength={MAX_QUERY} testId="session-search" />
        </div>
        <FilterSelect name="tenant" label={texts.tenant} options={optionsOf(list.rows.map(({ tenantId }) => tenantId))} />
        <FilterSelect name="agent" label={texts.agent} options={optionsOf(list.rows.map(({ agent }) => agent))} />
        <FilterSelect name="status" label={texts.lastRun} options={ENDED_STATES.map(value => ({ value, text: runStatus[value] }))} />
        <FilterSelect name="origin" label={texts.madeBy} options={[{ value: 'openai', text: texts.openai }]} />
        <ResetFilters names={SESSION_FILTERS} />
        <SavedViews />
      </div>
      <SessionTable list={list} isFiltered={given.some(Boolean)} />
    </>
  );
}
