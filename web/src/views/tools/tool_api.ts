/** The routes of tools and MCP servers. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';

export interface Tool {
  name: string;
  toolset: string;
  origin: 'builtin' | 'code' | 'mcp' | 'manifest';
  label: string;
  description: string;
  effect: 'read' | 'idempotent' | 'write' | 'external';
  enabled: boolean;
  /** Why it cannot run. */
  reason?: string;
  /** Errors in its definition. */
  problems?: readonly string[];
  /** Models whose server refuses the tool. */
  asideFor?: readonly { model: string; reason: string }[];
  calls: number;
  errors: number;
  /** ISO-8601 UTC. */
  countedSince: string;
}

export interface McpServer {
  name: string;
  transport: 'stdio' | 'http' | 'sse';
  state: 'connected' | 'connecting' | 'failed' | 'disabled';
  /** Names of its tools that can be called. */
  tools: readonly string[];
  error?: string;
  /** False when the file turns it off or describes it wrongly. */
  enabled: boolean;
  problems: readonly string[];
  /** Milliseconds until it is connected again. */
  nextTryMs?: number;
}

/** Lists all tools, with texts in the language of the page. */
export function listTools(): Promise<Page<Tool>> {
  return callRest('GET', '/tools');
}

export function listServers(cursor?: string): Promise<Page<McpServer>> {
  return callRest('GET', `/mcp-servers?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
}

/** Resolves when the connection has succeeded or failed: see `state`. */
export function reconnect(name: string): Promise<McpServer> {
  return callRest('POST', `/mcp-servers/${encodeURIComponent(name)}/reconnect`);
}
