import { usePagedList } from '../../components/list/use_paged_list';
import { formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { saveFile } from '../parts/save_file';
import { usePlace } from '../shared/ops_controller';
import { AUDIT_FILTERS, type AuditEntry, listAudit } from './audit_api';
import { AuditFilters } from './audit_filters';
import { auditTexts } from './audit_texts';
import { ChainState } from './chain_state';

/** Who did what, the newest first. */
export function AuditScreen() {
  const locale = useLocale();
  const texts = auditTexts[locale];
  const { query } = usePlace();
  const given = AUDIT_FILTERS.map(name => query[name] ?? '');
  const list = usePagedList<AuditEntry>(given.join('\n'), cursor => listAudit(query, cursor));
  const columns: Column<AuditEntry>[] = [
    {
      key: 'action',
      head: texts.action,
      isName: true,
      cell: ({ action, actionText, actionTextZh }) => (
        <>
          {(locale === 'zh-CN' ? actionTextZh : actionText) ?? action}
          <code class="cell-note">{action}</code>
        </>
      ),
    },
    { key: 'target', head: texts.target, cell: entry => <Target entry={entry} /> },
    {
      key: 'who',
      head: texts.who,
      cell: ({ actor }) => (
        <OpsLink screen="audit" query={{ ...query, actor }}>
          {actor}
        </OpsLink>
      ),
    },
    { key: 'when', head: texts.when, cell: ({ at }) => formatExact(at, locale) },
    { key: 'details', head: texts.details, cell: ({ details }) => <Details details={details} /> },
    {
      key: 'hash',
      head: texts.hash,
      cell: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code>,
    },
  ];
  return (
    <>
      <ChainState />
      <AuditFilters rows={list.rows} onSave={() => saveFile('audit.json', JSON.stringify(list.rows, null, 2))} />
      <ListState list={list}>
        <DataTable
          label={texts.entries}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          empty={given.some(Boolean) ? texts.noMatch : texts.none}
          testId="audit"
        />
      </ListState>
    </>
  );
}

/** The tool and the command of a decision stand first, in words; ids and numbers behind them. */
function Details({ details }: { details: AuditEntry['details'] }) {
  const { tool, command, ...more } = details;
  const hasCommand = typeof command === 'string' && command !== '';
  return (
    <>
      {hasCommand && (
        <>
          {String(tool ?? '')}{' '}
          <code class="audit-command" data-testid="audit-command">
            {command}
          </code>
        </>
      )}
      {hasCommand ? <span class="cell-note">{detailsOf(more)}</span> : detailsOf(details)}
    </>
  );
}

const detailsOf = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** A thing that has a page leads to it. */
function Target({ entry: { action, target, details } }: { entry: AuditEntry }) {
  const runId = action.startsWith('run.') ? target : details['runId'];
  if (typeof runId === 'string' && runId !== '') {
    return (
      <OpsLink screen="runs" item={runId}>
        {target}
      </OpsLink>
    );
  }
  const screen = SCREENS.find(([prefix]) => action.startsWith(prefix))?.[1];
  return screen === undefined ? <span>{target}</span> : <OpsLink screen={screen}>{target}</OpsLink>;
}

/** Beginning of the action -> screen. */
const SCREENS: readonly (readonly [string, string])[] = [
  ['key.', 'keys'],
  ['webhook.', 'keys'],
  ['job.', 'jobs'],
  ['tool.', 'tools'],
  ['runs.', 'limits'],
  ['config.', 'config'],
];
