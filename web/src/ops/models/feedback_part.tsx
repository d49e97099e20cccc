import { RelativeTime } from '../../components/basic/relative_time';
import { usePagedList } from '../../components/list/use_paged_list';
import { formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, ResetFilters } from '../parts/filters';
import { formatShare } from '../parts/format_figures';
import { ListState } from '../parts/list_state';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { StatusTag } from '../parts/status_tag';
import { useResource } from '../parts/use_resource';
import { RunName } from '../runs/run_name';
import { useOps, usePlace } from '../shared/ops_controller';
import { countFeedback, FEEDBACK_FILTERS, type FeedbackCount, type FeedbackRange, type FeedbackRow, listFeedback } from './feedback_api';
import { feedbackTexts } from './feedback_texts';
import { modelsTexts } from './models_texts';

/** How people rated answers, by agent and model. The sentences load when the person asks for a rating, because the audit log of other tenants records that. */
export function FeedbackPart({ range }: { range: FeedbackRange }) {
  const texts = feedbackTexts[useLocale()];
  const { query } = usePlace();
  const counts = useResource(`${range.since} ${range.tenant}`, () => countFeedback(range));
  return (
    <section aria-labelledby="feedback-heading" data-testid="feedback">
      <h2 id="feedback-heading">{texts.title}</h2>
      <p class="field-note">{texts.about}</p>
      <LoadNotice of={counts} />
      {counts.data && <Counts rows={counts.data} tenant={range.tenant} />}
      {counts.data && counts.data.length > 0 && (
        <div class="toolbar">
          <FilterSelect
            name="rating"
            label={texts.show}
            first={texts.hidden}
            options={(['down', 'up'] as const).map(value => ({ value, text: texts.shown[value] }))}
          />
          <ResetFilters names={FEEDBACK_FILTERS} />
        </div>
      )}
      {query['rating'] && <Ratings range={range} query={query} />}
    </section>
  );
}

function Counts({ rows, tenant }: { rows: readonly FeedbackCount[]; tenant: string }) {
  const locale = useLocale();
  const texts = feedbackTexts[locale];
  const seesAll = useScope('operator') && tenant === '';
  const to =
    (rating: 'up' | 'down') =>
    ({ agent, model, tenantId }: FeedbackCount) => ({
      screen: 'models',
      query: { rating, agent, model, tenant: seesAll ? tenantId : tenant },
    });
  const columns: Column<FeedbackCount>[] = [
    { key: 'agent', head: texts.agent, isName: true, cell: ({ agent }) => agent },
    { key: 'model', head: texts.model, cell: ({ model }) => model },
    { key: 'tenant', head: modelsTexts[locale].tenant, cell: ({ tenantId }) => tenantId },
    { key: 'up', head: texts.up, isNumber: true, to: to('up'), cell: ({ up }) => formatCount(up, locale) },
    { key: 'down', head: texts.down, isNumber: true, to: to('down'), cell: ({ down }) => formatCount(down, locale) },
    { key: 'share', head: texts.share, isNumber: true, why: 'measured', cell: ({ up, down }) => formatShare(up / (up + down), locale) },
  ];
  const keyOf = ({ tenantId, agent, model }: FeedbackCount) => `${tenantId} ${agent} ${model}`;
  const shown = columns.filter(({ key }) => key !== 'tenant' || seesAll);
  return <DataTable label={texts.title} columns={shown} rows={rows} keyOf={keyOf} empty={texts.none} testId="feedback-counts" />;
}

function Ratings({ range, query }: { range: FeedbackRange; query: Readonly<Record<string, string>> }) {
  const texts = feedbackTexts[useLocale()];
  const key = [range.since, range.tenant, ...FEEDBACK_FILTERS.map(name => query[name])].join('\n');
  // The gateway makes cases of runs of the person's own tenant.
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  const list = usePagedList<FeedbackRow>(key, cursor => listFeedback(range, query, cursor));
  const columns: Column<FeedbackRow>[] = [
    {
      key: 'rating',
      head: texts.rating,
      cell: ({ rating }) => <StatusTag tone={rating === 'up' ? 'good' : 'bad'}>{texts[rating]}</StatusTag>,
    },
    { key: 'text', head: texts.sentence, isName: true, cell: ({ text }) => text ?? '–' },
    { key: 'run', head: texts.run, cell: row => <RunName run={row} /> },
    { key: 'model', head: texts.model, cell: ({ model }) => model },
    { key: 'key', head: texts.key, cell: ({ keyName }) => keyName },
    {
      key: 'suite',
      head: '',
      cell: ({ rating, runId, tenantId }) =>
        rating === 'down' &&
        tenantId === ownTenant && (
          <OpsLink screen="runs" item={runId} query={{ suite: 'add' }} testId="rating-to-suite">
            {texts.toSuite}
          </OpsLink>
        ),
    },
    { key: 'when', head: texts.when, cell: ({ updatedAt }) => <RelativeTime iso={updatedAt} /> },
  ];
  return (
    <ListState list={list}>
      <DataTable label={texts.ratings} columns={columns} rows={list.rows} keyOf={({ id }) => id} empty={texts.noMatch} testId="ratings" />
    </ListState>
  );
}
