import { RelativeTime } from '../../components/basic/relative_time';
import { formatBytes, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { overviewTexts } from './overview_texts';
import type { GatewayNode } from './overview_types';

/** The gateways that share the store. */
export function NodeTable({ nodes }: { nodes: readonly GatewayNode[] }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const columns: Column<GatewayNode>[] = [
    {
      key: 'node',
      head: texts.node,
      isName: true,
      cell: ({ id, isSelf }) => (
        <>
          {id} {isSelf && <span class="tag">{texts.thisNode}</span>}
        </>
      ),
    },
    { key: 'version', head: texts.version, cell: ({ version, nodeVersion }) => `${version} · Node ${nodeVersion.replace(/^v/, '')}` },
    { key: 'since', head: texts.since, cell: ({ startedAt }) => <RelativeTime iso={startedAt} /> },
    {
      key: 'runs',
      head: texts.runs,
      isNumber: true,
      to: ({ id }) => ({ screen: 'runs', query: { node: id } }),
      cell: ({ runs }) => runs,
    },
    {
      key: 'connections',
      head: texts.connections,
      isNumber: true,
      to: ({ id }) => ({ screen: 'connections', query: { node: id } }),
      cell: ({ connections }) => connections,
    },
    {
      key: 'memory',
      head: texts.memory,
      isNumber: true,
      why: 'measured',
      cell: ({ rssBytes }) => rssBytes !== undefined && formatBytes(rssBytes, locale),
    },
    {
      key: 'loop',
      head: texts.eventLoop,
      isNumber: true,
      why: 'measured',
      cell: ({ eventLoopP99Ms }) => eventLoopP99Ms !== undefined && formatDuration(eventLoopP99Ms, locale),
    },
  ];
  return <DataTable label={texts.nodes} columns={columns} rows={nodes} keyOf={({ id }) => id} empty="" testId="nodes" />;
}
