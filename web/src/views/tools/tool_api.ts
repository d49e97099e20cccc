/** The route of tools. A failure rejects with a RequestError. */
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
  /** Why the tool cannot run. */
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

/** Lists all tools, with texts in the language of the page. */
export function listTools(): Promise<Page<Tool>> {
  return callRest('GET', '/tools');
}
