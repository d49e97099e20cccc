import { useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { RelativeTime } from '../../components/basic/relative_time';
import { formatBytes, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { useLive } from '../parts/use_live';
import { usePlace } from '../shared/ops_controller';
import { type ConnectionTexts, connectionTexts } from './connection_texts';

type ConnectionsView = Answer<'OpsConnections'>;
type Connection = ConnectionsView['connections'][number];

const FILTERS = ['node', 'key', 'transport'] as const;

/** The connected clients of all gateways on the store. */
export function ConnectionsScreen() {
  const locale = useLocale();
  const texts = connectionTexts[locale];
  const { query } = usePlace();
  const { isBusy, run } = useAction();
  const [ending, setEnding] = useState<Connection>();
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
      key: 'lag',
      head: texts.lag,
      isNumber: true,
      why: 'measured',
      cell: ({ lagMs }) => lagMs !== undefined && formatDuration(lagMs, locale),
    },
    { key: 'resumed', head: texts.resumed, cell: row => resumedIn(row, texts) },
    {
      key: 'buffered',
      head: texts.buffered,
      isNumber: true,
      why: 'measured',
      cell: ({ bufferedBytes }) => formatBytes(bufferedBytes, locale),
    },
    {
      key: 'actions',
      head: '',
      cell: row => (
        <ScopeButton
          scope="ops:write"
          isBusy={isBusy}
          label={`${texts.disconnect}: ${row.id}`}
          testId="disconnect"
          onClick={() => setEnding(row)}
        >
          {texts.disconnect}
        </ScopeButton>
      ),
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
      {ending && (
        <ConfirmDialog
          title={texts.disconnectQuestion}
          text={texts.disconnectText(ending.keyName)}
          action={texts.disconnect}
          onConfirm={() => {
            setEnding(undefined);
            run(() => callRest('POST', `/ops/connections/${encodeURIComponent(ending.id)}/disconnect`), texts.disconnected);
          }}
          onCancel={() => setEnding(undefined)}
        />
      )}
    </>
  );
}

/** Tells how earlier connections of the client went on. */
function resumedIn({ recovered, replayed = 0, gaps = 0 }: Connection, texts: ConnectionTexts): string {
  const parts = [recovered && texts.recovered, replayed > 0 && texts.replayed(replayed), gaps > 0 && texts.gaps(gaps)];
  return parts.filter(Boolean).join(', ');
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
