import { useEffect, useMemo, useRef } from 'preact/hooks';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { ListState } from '../parts/list_state';
import { LoadNotice } from '../parts/load_notice';
import { useLive } from '../parts/use_live';
import { RunPage } from '../run/run_page';
import { usePlace } from '../shared/ops_controller';
import type { EndedRun, RunsPage } from '../shared/ops_types';
import { EndedRuns } from './ended_runs';
import { filterLive } from './live_filter';
import { LiveRuns } from './live_runs';
import { RunFilters } from './run_filters';
import { listEndedRuns, RUN_FILTERS, withSince } from './runs_api';
import { runsTexts } from './runs_texts';

export function RunsScreen() {
  const { item } = usePlace();
  return item === undefined ? <RunLists /> : <RunPage key={item} runId={item} />;
}

/** The live runs and the ended runs. */
function RunLists() {
  const texts = runsTexts[useLocale()];
  const { query: asked } = usePlace();
  // A new beginning of the span at each drawing would be another list.
  const query = useMemo(() => withSince(asked), [asked]);
  const page = useLive<RunsPage>('runs');
  const live = page.data?.live ?? [];
  const shown = filterLive(live, query);
  const hasLiveFilter = Boolean(query['state'] || query['node']);
  return (
    <>
      <RunFilters rows={[...live, ...(page.data?.data ?? [])]} />
      <LoadNotice of={page} />
      {page.data && !query['status'] && (
        <section aria-labelledby="live-heading">
          <h2 id="live-heading">{texts.live}</h2>
          <LiveRuns rows={shown} isFiltered={shown.length < live.length} />
        </section>
      )}
      {!hasLiveFilter && (
        <section aria-labelledby="ended-heading">
          <h2 id="ended-heading">{texts.ended}</h2>
          <EndedList query={query} newest={page.data?.data[0]?.runId} />
        </section>
      )}
    </>
  );
}

/** Reads ended runs page by page. Another `newest` means that a run has ended since. */
function EndedList({ query, newest }: { query: Readonly<Record<string, string>>; newest: string | undefined }) {
  const given = RUN_FILTERS.map(name => query[name] ?? '');
  const list = usePagedList<EndedRun>(given.join('\n'), async cursor => {
    const { data, nextCursor } = await listEndedRuns(query, cursor);
    return { data: [...data], nextCursor };
  });
  const shown = useRef(newest);
  useEffect(() => {
    // Rows of further pages stay until the person reads them again.
    if (shown.current !== undefined && newest !== shown.current && !list.hasMore) void list.refresh();
    shown.current = newest;
  }, [newest]);
  return (
    <ListState list={list}>
      <EndedRuns rows={list.rows} isFiltered={given.some(Boolean)} />
    </ListState>
  );
}
