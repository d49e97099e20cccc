/** MCP servers of the operator: their tools are tools of agents. */
import type { Settings } from '../../../config/settings';
import type { Feature } from '../../feature';
import type { Redactor } from '../../port/redactor';
import { looksSecret, type Variables } from './config_variables';
import { mcpFigures } from './mcp_figures';
import { type McpClientServices, McpManager } from './mcp_manager';
import { McpController } from './routes';
import { mcpLoginStore } from './store/mcp_login_store';

export const mcpClient: Feature = {
  name: 'mcp_client',
  routes: [McpController],
  store: mcpLoginStore,
  install({ settings, ports, configReloads, auditLog, tools }) {
    const { mcp, configFiles, clock, ids, redactor, observer, logger, store, sealer, secretStore } = ports;
    const mcpManager = new McpManager({
      mcp,
      configFiles,
      configReloads,
      clock,
      ids,
      store,
      sealer,
      secretStore,
      auditLog,
      origins: settings.origins,
      tools,
      redactor,
      variables: variablesOf(settings, redactor),
      onError: logger.error,
      onInfo: logger.info,
      observer,
    });
    return {
      services: { mcpManager } satisfies McpClientServices,
      mcpServers: mcpManager,
      figures: () => mcpFigures(mcpManager.listServers()),
      warnings: () => mcpManager.warnings(),
      start: () => mcpManager.start(),
      // Servers may take seconds to answer: the gateway is ready before.
      serve: () => mcpManager.connectAll(),
      cleanUp: () => mcpManager.cleanUp(),
      endWork: () => mcpManager.stop(),
    };
  },
};

/** The variables that mcp.yaml can name: two directories as the gateway uses them, and its environment. */
function variablesOf({ workspace, configDir, readSecret, readVariable }: Settings, redactor: Redactor): Variables {
  const places: Record<string, string> = { NETA_WORKSPACE: workspace, NETA_CONFIG_DIR: configDir };
  return name => {
    if (Object.hasOwn(places, name)) return places[name];
    if (!looksSecret(name)) return readVariable(name);
    const value = readSecret(name);
    if (value !== undefined) redactor.addSecrets([value]);
    return value;
  };
}
