import { formatCost, formatCount, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { type Column, DataTable } from '../parts/data_table';
import { formatShare, formatShort } from '../parts/format_figures';
import { StatusTag, type Tone } from '../parts/status_tag';
import type { ModelRow } from './models_api';
import { type ModelsTexts, modelsTexts } from './models_texts';

const TONES: Record<ModelRow['state'], Tone> = { ok: 'good', cooling: 'warn', failing: 'bad', unknown: 'calm' };

/** The usage of each model, on the same page. */
const BY_MODEL = { screen: 'models', query: { by: 'model' } };

/** `countedSince`: when the figures began, ISO-8601 UTC. */
export function ModelTable({ rows, countedSince }: { rows: readonly ModelRow[]; countedSince: string }) {
  const locale = useLocale();
  const texts = modelsTexts[locale];
  const duration = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms, locale));
  const columns: Column<ModelRow>[] = [
    ...nameColumns(texts, locale),
    { key: 'price', head: texts.price, cell: row => <Price row={row} /> },
    { key: 'calls', head: texts.calls, isNumber: true, why: 'memory', cell: ({ calls = 0 }) => formatCount(calls, locale) },
    {
      key: 'errors',
      head: texts.errors,
      isNumber: true,
      to: () => ({ screen: 'runs', query: { status: 'failed', since: countedSince } }),
      cell: ({ errors = 0, lastError }) => (
        <>
          <span class={errors > 0 ? 'bad-figure' : undefined}>{formatCount(errors, locale)}</span>
          {lastError && <span class="cell-note bad">{texts.lastError(lastError.code)}</span>}
        </>
      ),
    },
    { key: 'retries', head: texts.retries, isNumber: true, why: 'memory', cell: ({ retries = 0 }) => formatCount(retries, locale) },
    { key: 'fallbacks', head: texts.fallbacks, isNumber: true, why: 'memory', cell: ({ fallbacks = 0 }) => formatCount(fallbacks, locale) },
    {
      key: 'first',
      head: texts.firstToken,
      isNumber: true,
      why: 'measured',
      cell: ({ firstTokenP50Ms, firstTokenP95Ms }) =>
        firstTokenP50Ms === undefined ? '' : `${duration(firstTokenP50Ms)} / ${duration(firstTokenP95Ms)}`,
    },
    {
      key: 'call',
      head: texts.callTime,
      isNumber: true,
      why: 'measured',
      cell: ({ callP95Ms }) => (callP95Ms === undefined ? '' : duration(callP95Ms)),
    },
    {
      key: 'tokens',
      head: texts.tokens,
      isNumber: true,
      to: () => BY_MODEL,
      cell: ({ inputTokens = 0, outputTokens = 0 }) => formatShort(inputTokens + outputTokens, locale),
    },
    {
      key: 'cached',
      head: texts.cachedShare,
      isNumber: true,
      why: 'measured',
      cell: ({ inputTokens = 0, cachedTokens = 0 }) => (inputTokens === 0 ? '' : formatShare(cachedTokens / inputTokens, locale)),
    },
    {
      key: 'cost',
      head: texts.cost,
      isNumber: true,
      to: () => BY_MODEL,
      cell: ({ costUsd = 0, unpricedCalls = 0 }) => (
        <>
          {unpricedCalls > 0 && costUsd === 0 ? texts.unknown : formatCost(costUsd, locale)}
          {unpricedCalls > 0 && <span class="cell-note">{texts.unpricedCalls(unpricedCalls)}</span>}
        </>
      ),
    },
  ];
  return <DataTable label={texts.models} columns={columns} rows={rows} keyOf={({ id }) => id} empty={texts.noModels} testId="models" />;
}

function nameColumns(texts: ModelsTexts, locale: Locale): Column<ModelRow>[] {
  return [
    {
      key: 'model',
      head: texts.model,
      isName: true,
      cell: ({ model, label, provider, isDefault }) => (
        <>
          {label ?? model} {isDefault && <span class="tag">{texts.isDefault}</span>}
          <span class="cell-note">{[label === undefined ? '' : model, provider].filter(Boolean).join(' · ')}</span>
        </>
      ),
    },
    {
      key: 'state',
      head: texts.state,
      cell: ({ state, reason, reasonZh }) => (
        <>
          <StatusTag tone={TONES[state]}>{texts.states[state]}</StatusTag>
          {reason && <span class="cell-note">{locale === 'zh-CN' ? (reasonZh ?? reason) : reason}</span>}
        </>
      ),
    },
  ];
}

function Price({ row: { price, priceSource, priceList, priceDate } }: { row: ModelRow }) {
  const locale = useLocale();
  const texts = modelsTexts[locale];
  return (
    <span class="price">
      {price && texts.priceOf(formatCost(price.input, locale), formatCost(price.output, locale))}
      <span class="cell-note">{texts.priceSources[priceSource]}</span>
      {(priceList ?? priceDate) && <span class="cell-note">{[priceList, priceDate].filter(Boolean).join(' · ')}</span>}
    </span>
  );
}
