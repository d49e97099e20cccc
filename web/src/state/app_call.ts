/** Finds the app that shows a call (MCP Apps). Pure. */
import type { ToolItem } from './view_types';

export interface AppCall {
  server: string;
  /** Address of the page at its server. */
  uri: string;
  /** Result for the app; absent when it was too long to store. */
  result?: unknown;
}

export function appOf({ details }: Pick<ToolItem, 'details'>): AppCall | undefined {
  const app = details?.['app'];
  const server = details?.['server'];
  if (typeof app !== 'object' || app === null || !('uri' in app) || typeof app.uri !== 'string' || typeof server !== 'string')
    return undefined;
  return { server, uri: app.uri, result: 'result' in app ? app.result : undefined };
}
