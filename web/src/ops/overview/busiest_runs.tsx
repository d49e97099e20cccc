import { useEffect } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';
import { LiveRuns } from '../runs/live_runs';
import type { LiveRun, RunsPage } from '../shared/ops_types';
import { overviewTexts } from './overview_texts';

const MAX_SHOWN = 5;
const REFRESH_MS = 4_000;

/** The live runs that need a look first, with a button that stops them. Nothing while no run is live. `live`: number of live runs. */
export function BusiestRuns({ live }: { live: number }) {
  const texts = overviewTexts[useLocale()];
  const page = useResource('busiest', () => callRest<RunsPage>('GET', '/ops/runs?limit=1'), live > 0 ? REFRESH_MS : undefined);
  useEffect(() => page.reload(), [live]);
  const rows = [...(page.data?.live ?? [])].sort((a, b) => urgencyOf(b) - urgencyOf(a));
  if (live === 0 || rows.length === 0) return null;
  return (
    <section aria-labelledby="busiest-heading" data-testid="busiest">
      <h2 id="busiest-heading">{texts.busiest}</h2>
      <LiveRuns rows={rows.slice(0, MAX_SHOWN)} isFiltered={false} />
      {rows.length > MAX_SHOWN && (
        <p>
          <OpsLink screen="runs">{texts.allLive(rows.length)}</OpsLink>
        </p>
      )}
    </section>
  );
}

/** Stuck runs come first, then those that have used the most. */
const urgencyOf = ({ isStuck, tokens }: LiveRun): number => (isStuck ? Number.MAX_SAFE_INTEGER : tokens);
