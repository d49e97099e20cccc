import { RelativeTime } from '../../components/basic/relative_time';
import { formatCost, formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { formatShare } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink, type OpsPlace } from '../parts/ops_link';
import { StatusTag } from '../parts/status_tag';
import { useLive } from '../parts/use_live';
import { AcceptingSwitch } from './accepting_switch';
import { limitTexts } from './limit_texts';
import type { LimitRow, LimitsView, Refusal } from './limits_types';
import { RaiseButton } from './raise_button';

const DAY_MS = 86_400_000;

/** The switch for new runs, the use of the limits, and the refused callers. */
export function LimitsScreen() {
  const texts = limitTexts[useLocale()];
  const view = useLive<LimitsView>('limits');
  return (
    <>
      <LoadNotice of={view} />
      {view.data && (
        <>
          <AcceptingSwitch state={view.data.accepting} tenants={[...new Set(view.data.limits.map(({ tenantId }) => tenantId))]} />
          <section aria-labelledby="limits-heading">
            <h2 id="limits-heading">{texts.limits}</h2>
            <LimitTable rows={view.data.limits} />
            <p class="field-note">{texts.gateway(view.data.gateway.concurrentRuns, view.data.gateway.queuedRuns)}</p>
          </section>
          <section aria-labelledby="refusals-heading">
            <h2 id="refusals-heading">{texts.refusals}</h2>
            <RefusalTable rows={view.data.refusals} />
          </section>
        </>
      )}
    </>
  );
}

/** The runs that count for a limit. */
function usedPlace({ scope, name, limit, used, resetsAt }: LimitRow): OpsPlace | undefined {
  if (used === undefined) return undefined;
  const key = scope === 'key' ? name : undefined;
  if (limit === 'concurrentRuns' || limit === 'queuedRuns')
    return { screen: 'runs', query: { state: limit === 'queuedRuns' ? 'queued' : 'running', key } };
  return { screen: 'runs', query: { key, since: resetsAt && new Date(Date.parse(resetsAt) - DAY_MS).toISOString() } };
}

/** The limits that are nearest to their end come first. */
function LimitTable({ rows }: { rows: readonly LimitRow[] }) {
  const locale = useLocale();
  const texts = limitTexts[locale];
  const shareOf = ({ used = 0, max, raised = 0 }: LimitRow) => (max + raised > 0 ? used / (max + raised) : 0);
  const format = (limit: string, value: number) =>
    limit.endsWith('Usd') ? formatCost(value, locale) : formatCount(Math.round(value), locale);
  const columns: Column<LimitRow>[] = [
    {
      key: 'who',
      head: texts.who,
      isName: true,
      cell: ({ scope, name, tenantId }) => (
        <>
          {scope === 'key' ? (
            <OpsLink screen="runs" query={{ key: name }}>
              {name}
            </OpsLink>
          ) : (
            name
          )}
          <span class="cell-note">{scope === 'key' ? `${texts.scopeOf.key} · ${tenantId}` : texts.scopeOf.tenant}</span>
        </>
      ),
    },
    {
      key: 'limit',
      head: texts.limit,
      cell: ({ limit }) => (
        <>
          {texts.names[limit] ?? limit} <code class="cell-note">{limit}</code>
        </>
      ),
    },
    {
      key: 'used',
      head: texts.used,
      isNumber: true,
      to: usedPlace,
      cell: row => (row.used === undefined ? '' : <Used text={format(row.limit, row.used)} share={shareOf(row)} />),
    },
    {
      key: 'max',
      head: texts.max,
      isNumber: true,
      to: () => ({ screen: 'config' }),
      cell: ({ limit, max, raised }) => (
        <>
          {format(limit, max)}
          {raised !== undefined && <span class="cell-note">{texts.raisedBy(format(limit, raised))}</span>}
        </>
      ),
    },
    {
      key: 'forecast',
      head: texts.forecast,
      isNumber: true,
      why: 'measured',
      cell: row => <Forecast row={row} text={value => format(row.limit, value)} />,
    },
    { key: 'resets', head: texts.resets, cell: ({ resetsAt }) => resetsAt && <RelativeTime iso={resetsAt} /> },
    { key: 'block', head: texts.lastBlock, cell: ({ lastBlock }) => lastBlock && <RelativeTime iso={lastBlock.at} /> },
    { key: 'actions', head: '', cell: row => row.resetsAt !== undefined && <RaiseButton row={row} /> },
  ];
  return (
    <DataTable
      label={texts.limits}
      columns={columns}
      rows={[...rows].sort((a, b) => shareOf(b) - shareOf(a))}
      keyOf={({ scope, name, tenantId, limit }) => `${scope} ${tenantId} ${name} ${limit}`}
      empty={texts.noLimits}
      testId="limits"
    />
  );
}

function Forecast({ row: { forecast, max, raised = 0 }, text }: { row: LimitRow; text: (value: number) => string }) {
  const texts = limitTexts[useLocale()];
  if (forecast === undefined) return null;
  return <>{forecast > max + raised ? <StatusTag tone="warn">{texts.over(text(forecast))}</StatusTag> : text(forecast)}</>;
}

function Used({ text, share }: { text: string; share: number }) {
  const locale = useLocale();
  return (
    <span title={limitTexts[locale].share(formatShare(share, locale))}>
      {text} ({formatShare(share, locale)})
      <span class={share >= 1 ? 'meter full' : 'meter'} aria-hidden="true">
        <i style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
    </span>
  );
}

function RefusalTable({ rows }: { rows: readonly Refusal[] }) {
  const locale = useLocale();
  const texts = limitTexts[locale];
  const columns: Column<Refusal>[] = [
    {
      key: 'who',
      head: texts.who,
      isName: true,
      cell: ({ keyName, tenantId }) => (
        <>
          <OpsLink screen="runs" query={{ key: keyName }}>
            {keyName}
          </OpsLink>
          <span class="cell-note">{tenantId}</span>
        </>
      ),
    },
    { key: 'code', head: texts.code, cell: ({ code }) => <code>{code}</code> },
    { key: 'message', head: texts.message, cell: ({ message, messageZh }) => (locale === 'zh-CN' ? (messageZh ?? message) : message) },
    { key: 'when', head: texts.when, cell: ({ at }) => <RelativeTime iso={at} /> },
  ];
  return (
    <DataTable
      label={texts.refusals}
      columns={columns}
      rows={rows}
      keyOf={({ at, tenantId, keyName, code }) => `${at} ${tenantId} ${keyName} ${code}`}
      empty={texts.noRefusals}
      testId="refusals"
    />
  );
}
