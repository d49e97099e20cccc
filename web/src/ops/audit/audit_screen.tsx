import { usePagedList } from '../../components/list/use_paged_list';
import { formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { saveFile } from '../../platform/save_file';
import { useScope } from '../../state/scope_context';
import { type Column, DataTable } from '../parts/data_table';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { usePlace } from '../shared/ops_controller';
import { AUDIT_FILTERS, type AuditEntry, listAudit } from './audit_api';
import { AuditFilters } from './audit_filters';
import { AuditSentence } from './audit_sentence';
import { auditTexts } from './audit_texts';
import { ChainState } from './chain_state';

/** Who did what, the newest first. */
export function AuditScreen() {
  const locale = useLocale();
  const texts = auditTexts[locale];
  const { query } = usePlace();
  const given = AUDIT_FILTERS.map(name => query[name] ?? '');
  const list = usePagedList<AuditEntry>(given.join('\n'), cursor => listAudit(query, cursor));
  const seesAll = useScope('operator');
  const columns: Column<AuditEntry>[] = [
    { key: 'act', head: texts.act, isName: true, cell: entry => <AuditSentence entry={entry} /> },
    { key: 'target', head: texts.target, cell: entry => <Target entry={entry} /> },
    { key: 'tenant', head: texts.tenant, cell: ({ tenant }) => tenant },
    { key: 'when', head: texts.when, cell: ({ at }) => <time dateTime={at}>{formatExact(at, locale)}</time> },
    { key: 'details', head: texts.details, cell: ({ details }) => detailsOf(details) },
    {
      key: 'hash',
      head: texts.hash,
      cell: ({ hash }) => (
        <code class="nowrap" title={hash}>
          {hash.slice(0, 8)}
        </code>
      ),
    },
  ];
  return (
    <>
      <ChainState />
      <AuditFilters rows={list.rows} onSave={() => saveFile('audit.json', JSON.stringify(list.rows, null, 2))} />
      <ListState list={list}>
        <DataTable
          label={texts.entries}
          columns={columns.filter(({ key }) => key !== 'tenant' || seesAll)}
          rows={list.rows}
          keyOf={({ id }) => id}
          empty={given.some(Boolean) ? texts.noMatch : texts.none}
          testId="audit"
        />
      </ListState>
    </>
  );
}

/** The sentence has the command, its directory and the decision already. */
const detailsOf = ({ command: _command, directory: _directory, decision: _decision, ...more }: AuditEntry['details']): string =>
  Object.entries(more)
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
  ['hook.', 'keys'],
  ['job.', 'jobs'],
  ['tool.', 'tools'],
  ['runs.', 'limits'],
  ['config.', 'config'],
];
