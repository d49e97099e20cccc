/** The routes of MCP servers. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import { ROOT } from '../../platform/root';

export interface McpServer {
  name: string;
  transport: 'stdio' | 'http' | 'sse';
  state: 'connected' | 'connecting' | 'failed' | 'disabled';
  /** Names of its tools that can be called. */
  tools: readonly string[];
  error?: string;
  /** False when the file turns the server off or describes it wrongly. */
  enabled: boolean;
  problems: readonly string[];
  /** A person lets the gateway in at the server. */
  hasLogin?: boolean;
  /** A person has to log in, for the first time or for more rights. */
  needsLogin?: boolean;
  /** Milliseconds until the gateway connects to the server again. */
  nextTryMs?: number;
}

export function listServers(cursor?: string): Promise<Page<McpServer>> {
  return callRest('GET', `/mcp-servers?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
}

/** Resolves when the connection has succeeded or failed: see `state`. */
export function reconnect(name: string): Promise<McpServer> {
  return callRest('POST', `/mcp-servers/${encodeURIComponent(name)}/reconnect`);
}

/** Ends the login of the gateway at a server. */
export function endLogin(name: string): Promise<McpServer> {
  return callRest('DELETE', `/mcp-servers/${encodeURIComponent(name)}/login`);
}

/** Begins a login. Resolves with the page of the server at which a person lets the gateway in. */
export function beginLogin(name: string): Promise<{ url: string }> {
  const redirectUrl = new URL(`${ROOT}api/v1/mcp-servers/callback`, document.baseURI).href;
  return callRest('POST', `/mcp-servers/${encodeURIComponent(name)}/login`, { redirectUrl });
}
