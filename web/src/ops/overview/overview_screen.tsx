import { RelativeTime } from '../../components/basic/relative_time';
import { useLocale } from '../../i18n/language_context';
import { HistoryCharts } from '../history/history_charts';
import { type Column, DataTable } from '../parts/data_table';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useLive } from '../parts/use_live';
import { BusiestRuns } from './busiest_runs';
import { HealthLine } from './health_line';
import { NodeTable } from './node_table';
import { overviewTexts } from './overview_texts';
import { OverviewTiles } from './overview_tiles';
import type { Overview } from './overview_types';
import { ToolErrors } from './tool_errors';

/** The first look of an operator: one sentence, the figures behind it, and what was changed. */
export function OverviewScreen() {
  const overview = useLive<Overview>('overview');
  return (
    <>
      <LoadNotice of={overview} />
      {overview.data && <OverviewContent data={overview.data} />}
    </>
  );
}

function OverviewContent({ data }: { data: Overview }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  return (
    <>
      <HealthLine data={data} />
      <OverviewTiles data={data} />
      <BusiestRuns live={data.live.running + data.live.waiting + data.live.queued} />
      <section aria-labelledby="charts-heading">
        <h2 id="charts-heading">{texts.charts}</h2>
        <HistoryCharts />
        <ToolErrors />
      </section>
      <section aria-labelledby="warnings-heading">
        <h2 id="warnings-heading">{texts.warnings}</h2>
        {data.notices.length === 0 ? (
          <p class="view-empty">{texts.noWarnings}</p>
        ) : (
          <ul data-testid="warnings">
            {data.notices.map(({ message, messageZh, file }) => (
              <li key={message}>
                {file === undefined ? null : (
                  <>
                    <OpsLink screen="config">{file}</OpsLink>{' '}
                  </>
                )}
                {locale === 'zh-CN' ? messageZh : message}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="nodes-heading">
        <h2 id="nodes-heading">{texts.nodes}</h2>
        <NodeTable nodes={data.nodes} />
      </section>
      {data.changes && <Changes changes={data.changes} />}
    </>
  );
}

function Changes({ changes }: { changes: NonNullable<Overview['changes']> }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const columns: Column<NonNullable<Overview['changes']>[number]>[] = [
    {
      key: 'action',
      head: texts.action,
      isName: true,
      cell: ({ actionText, actionTextZh }) => (locale === 'zh-CN' ? actionTextZh : actionText),
    },
    { key: 'target', head: texts.target, cell: ({ target }) => target },
    { key: 'who', head: texts.who, cell: ({ actor }) => actor },
    { key: 'when', head: texts.when, cell: ({ at }) => <RelativeTime iso={at} /> },
  ];
  return (
    <section aria-labelledby="changes-heading">
      <h2 id="changes-heading">{texts.changes}</h2>
      <DataTable
        label={texts.changes}
        columns={columns}
        rows={changes}
        keyOf={({ at, action, target }) => `${at} ${action} ${target}`}
        empty={texts.noChanges}
        testId="changes"
      />
      <p>
        <OpsLink screen="audit">{texts.allChanges}</OpsLink>
      </p>
    </section>
  );
}
