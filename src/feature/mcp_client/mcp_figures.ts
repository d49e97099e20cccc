/** Counts the MCP servers by state. */
import type { Figure } from '../../port/figure';

const STATES = ['connected', 'connecting', 'failed', 'disabled'];

export const mcpFigures = (servers: readonly { state: string }[]): Figure[] =>
  STATES.map(state => ({ metric: 'neta_mcp_servers', labels: [state], value: servers.filter(server => server.state === state).length }));
