import type { Answer } from '../../api/schema_types';
import { useLocale } from '../../i18n/language_context';
import { RelativeTime } from '../../views/relative_time';
import { usePlace } from '../ops_controller';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { formatBytes } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useLive } from '../parts/use_live';
import { type ConnectionTexts, connectionTexts } from './connection_texts';

type ConnectionsView = Answer<'OpsConnections'>;
type Connection = ConnectionsView['connections'][number];

const FILTERS = ['node', 'key', 'transport'] as const;

/** The connected clients of all gateways on the store. */
export function ConnectionsScreen() {
  const locale = useLocale();
  const texts = connectionTexts[locale];
  const { query } = usePlace();
  const view = useLive<ConnectionsView>('connections');
  const rows = view.data?.connections ?? [];
  const { node, key, transport } = query;
  const shown = rows.filter(
    row => (!node || row.node === node) && (!key || row.keyName === key) && (!transport || row.transport === transport),
  );
  const columns: Column<Connection>[] = [
    ...nameColumns(texts),
    { key: 'since', head: texts.since, cell: ({ connectedAt }) => <RelativeTime iso={connectedAt} /> },
    { key: 'sessions', head: texts.sessions, isNumber: true, why: 'memory', cell: ({ sessions }) => sessions },
    {
      key: 'buffered',
      head: texts.buffered,
      isNumber: true,
      why: 'measured',
      cell: ({ bufferedBytes }) => formatBytes(bufferedBytes, locale),
    },
  ];
  return (
    <>
      <div class="toolbar">
        <FilterSelect name="node" label={texts.node} options={optionsOf(rows.map(row => row.node))} />
        <FilterSelect name="key" label={texts.key} options={optionsOf(rows.map(row => row.keyName))} />
        <FilterSelect name="transport" label={texts.transport} options={optionsOf(rows.map(row => row.transport))} />
        <ResetFilters names={FILTERS} />
      </div>
      <LoadNotice of={view} />
      {view.data && (
        <DataTable
          label={texts.connections}
          columns={columns}
          rows={shown}
          keyOf={({ id, node: gateway }) => `${gateway} ${id}`}
          empty={rows.length > 0 ? texts.noMatch : texts.none}
          testId="connections"
        />
      )}
    </>
  );
}

function nameColumns(texts: ConnectionTexts): Column<Connection>[] {
  return [
    {
      key: 'client',
      head: texts.client,
      isName: true,
      cell: ({ id, userAgent }) => (
        <>
          <code>{id}</code>
          {userAgent && <span class="cell-note">{userAgent}</span>}
        </>
      ),
    },
    {
      key: 'key',
      head: texts.key,
      cell: ({ keyName }) => (
        <OpsLink screen="runs" query={{ key: keyName }}>
          {keyName}
        </OpsLink>
      ),
    },
    { key: 'tenant', head: texts.tenant, cell: ({ tenantId }) => tenantId },
    { key: 'transport', head: texts.transport, cell: ({ transport }) => transport },
    { key: 'node', head: texts.node, cell: ({ node }) => node },
  ];
}
