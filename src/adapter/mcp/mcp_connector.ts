/** Connects to MCP servers with the official SDK. */
import { McpError, type McpPort, type McpTarget } from '../../port/mcp';
import type { Redactor } from '../../port/redactor';
import { inBoth } from '../../utils/bilingual';
import { createBoundedFetch } from './http_transport';
import { OAuthLogins } from './oauth_logins';
import { openConnection } from './open_connection';
import type { ServerSurroundings } from './server_process';

export interface McpConnectorOptions extends ServerSurroundings {
  /** Gets the tokens of logins, and removes known secrets from the words of servers. */
  redactor: Pick<Redactor, 'redact' | 'setSecrets'>;
  /** host:port entries at which the authorization server of a public MCP server may stand although they are private. */
  allow: readonly string[];
}

export function createMcpConnector({ redactor, allow, ...surroundings }: McpConnectorOptions): McpPort {
  const logins = new OAuthLogins({ redactor, allow });
  return {
    async connect(target, handlers, { signal, keeper }) {
      const hasLogin = target.kind === 'http' && target.login !== undefined;
      const fetch = hasLogin
        ? logins.fetchFor(target, keeper, { send: createBoundedFetch(target.url), tell: handlers.onLoginNeeded })
        : undefined;
      return openConnection(target, { handlers, signal, fetch, redact: redactor.redact }, surroundings);
    },
    async beginLogin(target, start) {
      return logins.begin(loginTarget(target), start);
    },
    async revokeLogin(target, login) {
      return logins.revoke(loginTarget(target), login);
    },
    async finishLogin(target, answer) {
      return logins.finish(loginTarget(target), answer);
    },
  };
}

function loginTarget(target: McpTarget) {
  if (target.kind === 'http' && target.login) return target;
  throw new McpError('refused', inBoth('It has no oauth in mcp.yaml.', '它在 mcp.yaml 中没有 oauth。'));
}
