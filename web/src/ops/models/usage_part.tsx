import type { Answer } from '../../api/schema_types';
import { formatCost, formatCount, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { saveFile } from '../../platform/save_file';
import { useScope } from '../../state/scope_context';
import { Chart } from '../parts/chart';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, optionsOf } from '../parts/filters';
import { formatShort } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink, type OpsPlace } from '../parts/ops_link';
import { SavedViews } from '../parts/saved_views';
import { useAction } from '../parts/use_action';
import { useResource } from '../parts/use_resource';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { FeedbackPart } from './feedback_part';
import { firstDayOf, readUsage, readUsageCsv, USAGE_KINDS, type UsageKind, type UsageRow } from './models_api';
import { modelsTexts } from './models_texts';

const DAY_MS = 86_400_000;
const RANGES = ['1', '7', '30', '90'] as const;

/** The usage of the last days: charts by day, and a table by the category that the person chooses. The ratings of these days follow. */
export function UsagePart() {
  const texts = modelsTexts[useLocale()];
  const [askedKind, askedRange] = [useOpsQuery('by'), useOpsQuery('days')];
  const by = USAGE_KINDS.find(kind => kind === askedKind) ?? 'day';
  const range = RANGES.find(days => days === askedRange) ?? '30';
  const days = Number(range);
  const tenant = useOpsQuery('tenant');
  const tenants = useTenants();
  const usage = useResource(`${by} ${range} ${tenant}`, () => readUsage(by, days, tenant));
  const { isBusy, run } = useAction();
  const rows = usage.data?.data ?? [];
  return (
    <>
      <section aria-labelledby="usage-heading">
        <h2 id="usage-heading">{texts.usage}</h2>
        <div class="toolbar">
          <Choice name="days" label={texts.range} value={range} options={RANGES.map(value => ({ value, text: texts.ranges[value] }))} />
          <Choice name="by" label={texts.by} value={by} options={USAGE_KINDS.map(value => ({ value, text: texts.kinds[value] }))} />
          {tenants.length > 0 && <FilterSelect name="tenant" label={texts.tenant} options={optionsOf(tenants)} />}
          <SavedViews />
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            data-testid="usage-csv"
            onClick={() => run(async () => saveFile(`usage-by-${by}.csv`, await readUsageCsv(by, days, tenant), 'text/csv'))}
          >
            {texts.csv}
          </button>
        </div>
        <LoadNotice of={usage} />
        {usage.data && by === 'day' && rows.length > 1 && <UsageCharts rows={rows} />}
        {usage.data && <UsageTable usage={usage.data} by={by} />}
      </section>
      <FeedbackPart range={{ since: `${firstDayOf(days)}T00:00:00Z`, tenant }} />
    </>
  );
}

/** The tenants that used something in the last 90 days; none for a key that sees its own alone. */
function useTenants(): readonly string[] {
  const seesAll = useScope('operator');
  const usage = useResource('tenants', () => readUsage('tenant', 90, ''));
  return seesAll ? (usage.data?.data ?? []).map(({ key }) => key) : [];
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
}

function Choice({ name, label, value, options }: ChoiceProps) {
  const ops = useOps();
  return (
    <label class="filter">
      {label}
      <select value={value} data-testid={`usage-${name}`} onChange={event => ops.setQuery({ [name]: event.currentTarget.value })}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

function UsageCharts({ rows }: { rows: readonly UsageRow[] }) {
  const locale = useLocale();
  const texts = modelsTexts[locale];
  const days = [...rows].sort((a, b) => a.key.localeCompare(b.key));
  const x = days.map(({ key }) => Date.parse(`${key}T00:00:00Z`) / 1000);
  const xText = (second: number) => new Date(second * 1000).toISOString().slice(0, 10);
  return (
    <div class="charts">
      <Chart
        to={{ screen: 'models', query: { by: 'day' } }}
        title={texts.costChart}
        x={x}
        xText={xText}
        format={value => formatCost(value, locale)}
        series={[{ name: texts.cost, values: days.map(({ costUsd, knownCostUsd = 0 }) => costUsd ?? knownCostUsd) }]}
      />
      <Chart
        to={{ screen: 'models', query: { by: 'day' } }}
        title={texts.tokenChart}
        x={x}
        xText={xText}
        format={value => formatShort(value, locale)}
        series={[
          { name: texts.inputLine, values: days.map(({ inputTokens }) => inputTokens) },
          { name: texts.cachedLine, values: days.map(({ cachedTokens }) => cachedTokens) },
          { name: texts.outputLine, values: days.map(({ outputTokens }) => outputTokens) },
        ]}
      />
    </div>
  );
}

/** The runs, or the tool, behind a row of the table; `from` is the first day of the table. */
function placeOf(by: UsageKind, { key }: UsageRow, from: string): OpsPlace | undefined {
  if (key === '' || by === 'model') return undefined;
  if (by === 'tool') return { screen: 'tools', query: { q: key } };
  const since = `${by === 'day' ? key : from}T00:00:00Z`;
  if (by !== 'day') return { screen: 'runs', query: { [by]: key, since } };
  return { screen: 'runs', query: { since, until: new Date(Date.parse(since) + DAY_MS).toISOString() } };
}

function UsageTable({ usage, by }: { usage: Answer<'Usage'>; by: UsageKind }) {
  const locale = useLocale();
  const texts = modelsTexts[locale];
  const count = (value: number) => formatCount(value, locale);
  const to = (row: UsageRow) => placeOf(by, row, usage.from);
  const target = by === 'model' ? ({ isNumber: true, why: 'models' } as const) : ({ isNumber: true, to } as const);
  const columns: Column<UsageRow>[] = [
    {
      key: 'key',
      head: texts.kinds[by],
      isName: true,
      cell: row => {
        const place = to(row);
        return (
          <>
            {place ? <OpsLink {...place}>{row.key}</OpsLink> : row.key || texts.noModel}
            {row.tenant !== undefined && <span class="cell-note">{row.tenant}</span>}
          </>
        );
      },
    },
    { key: 'runs', head: texts.runs, ...target, cell: ({ runs }) => count(runs) },
    { key: 'input', head: texts.input, ...target, cell: ({ inputTokens }) => count(inputTokens) },
    { key: 'cached', head: texts.cached, ...target, cell: ({ cachedTokens }) => count(cachedTokens) },
    { key: 'output', head: texts.output, ...target, cell: ({ outputTokens }) => count(outputTokens) },
    { key: 'reasoning', head: texts.reasoning, ...target, cell: ({ reasoningTokens }) => count(reasoningTokens) },
    { key: 'cost', head: texts.cost, ...target, cell: row => <Cost row={row} /> },
    { key: 'duration', head: texts.duration, ...target, cell: ({ durationMs }) => formatDuration(durationMs, locale) },
  ];
  return (
    <DataTable
      label={texts.usage}
      columns={columns}
      rows={usage.data}
      keyOf={({ key, tenant = '' }) => `${key} ${tenant}`}
      empty={texts.noUsage}
      testId="usage"
    />
  );
}

/** The known part of the cost, and the number of runs without a price. Runs without a price come first in the list of models. */
function Cost({ row: { costUsd, knownCostUsd = 0, unpricedRuns = 0 } }: { row: UsageRow }) {
  const locale = useLocale();
  const texts = modelsTexts[locale];
  const known = costUsd ?? knownCostUsd;
  return (
    <>
      {costUsd === undefined && known === 0 ? texts.unknown : formatCost(known, locale)}
      {costUsd === undefined && <span class="cell-note">{texts.unpricedRuns(unpricedRuns)}</span>}
    </>
  );
}
