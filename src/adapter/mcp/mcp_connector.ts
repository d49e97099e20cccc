/** Connects to MCP servers with the official SDK. */
import { McpError, type McpPort, type McpTarget } from '../../port/mcp';
import type { SecretStore } from '../../port/secret_store';
import { inBoth } from '../../utils/bilingual';
import { createBoundedFetch } from './http_transport';
import { OAuthLogins } from './oauth_logins';
import { openConnection } from './open_connection';
import type { ServerSurroundings } from './server_process';

/** `secrets`: keeps the logins at servers. */
export function createMcpConnector({ secrets, ...surroundings }: ServerSurroundings & { secrets: SecretStore }): McpPort {
  const logins = new OAuthLogins(secrets);
  // The authorization server can have another address than the server.
  const send = (url: string | URL, init?: RequestInit) => createBoundedFetch(String(url))(url, init);
  return {
    async connect(name, target, handlers, signal) {
      if (target.kind === 'stdio') return openConnection(target, { handlers, signal }, surroundings);
      const secretTexts = [...target.secrets, ...logins.secretsOf(name, target)];
      const fetch = logins.fetchFor(name, target, createBoundedFetch(target.url));
      return openConnection({ ...target, secrets: secretTexts }, { handlers, signal, fetch }, surroundings);
    },
    async beginLogin(name, target, start) {
      return logins.begin(name, loginTarget(target), { ...start, send });
    },
    async finishLogin(name, target, answer) {
      return logins.finish(name, loginTarget(target), { ...answer, send });
    },
  };
}

function loginTarget(target: McpTarget) {
  if (target.kind === 'http' && target.login) return target;
  throw new McpError('refused', inBoth('It has no oauth in mcp.yaml.', '它在 mcp.yaml 中没有 oauth。'));
}
