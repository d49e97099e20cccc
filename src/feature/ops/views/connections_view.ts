/** The connected sockets of every gateway on the store, for operators. */
import type { ConnectionRow } from '../../../service/door/open_sockets';
import type { KnownNode } from '../figures/node_figures';
import type { OpsView } from '../shared/ops_view';

export interface OpsConnections {
  at: string;
  connections: (ConnectionRow & { node: string })[];
}

export function readConnections(nodes: readonly KnownNode[], { tenantId }: OpsView): OpsConnections {
  const rows = nodes.flatMap(({ id, figures }) => figures.connections.map(row => ({ ...row, node: id })));
  return {
    at: new Date(Math.max(...nodes.map(({ seenAt }) => seenAt))).toISOString(),
    connections: tenantId === undefined ? rows : rows.filter(row => row.tenantId === tenantId),
  };
}
