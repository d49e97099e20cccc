/** The MCP servers whose tools agents use, for doors and operators; the feature `mcp_client` connects them. */
import type { McpTransportKind } from '../../port/mcp';

/** A server as `GET /mcp-servers` shows it. */
export interface McpServerRow {
  name: string;
  state: 'connected' | 'connecting' | 'failed' | 'disabled';
  transport: McpTransportKind;
  /** Names of the tools that can be called. */
  tools: string[];
  error?: string;
  server?: { name: string; version: string };
  /** Milliseconds until the next try. */
  nextTryMs?: number;
  /** A person lets the gateway in at the server. Absent: the server needs no login. */
  hasLogin?: true | undefined;
  /** True when a person has to log in, for the first time or again; `error` or `problems` say why. */
  needsLogin?: true | undefined;
  problems: string[];
  /** False for a server that the file turns off or describes wrongly. */
  enabled: boolean;
}

export interface McpServerList {
  /** Lists the servers whose tools a tenant has; without a tenant every server, for the operator. */
  listServers(tenantId?: string): McpServerRow[];
}

export const NO_MCP_SERVERS: McpServerList = { listServers: () => [] };
