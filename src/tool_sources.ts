/** Builds the sources of tools: the catalog and the MCP servers. */
import type { Settings } from '../config/settings';
import { hasSearchService } from '../config/settings/search_service';
import type { Ports } from './ports';
import type { ConfigReloads } from './service/audit/config_reloads';
import { looksSecret } from './service/mcp/config_variables';
import { McpManager } from './service/mcp/mcp_manager';
import { builtinTools } from './tools/catalog';
import { ToolRegistry } from './tools/registry';
import { disableSearchTools } from './tools/search_service';

export function createToolSources(settings: Settings, ports: Ports & { configReloads: ConfigReloads }) {
  const { error: onError, info: onInfo } = ports.logger;
  const tools = new ToolRegistry(builtinTools());
  if (!hasSearchService(settings)) disableSearchTools(tools);
  const mcpManager = new McpManager({ ...ports, tools, variables: variablesOf(settings, ports.redactor), onError, onInfo });
  return { tools, mcpManager };
}

/** The variables that mcp.yaml can name: two directories as the gateway uses them, and its environment. */
function variablesOf(
  { workspace, configDir, readSecret, readVariable }: Settings,
  redactor: Ports['redactor'],
): (name: string) => string | undefined {
  const places: Record<string, string> = { NETA_WORKSPACE: workspace, NETA_CONFIG_DIR: configDir };
  return name => {
    if (Object.hasOwn(places, name)) return places[name];
    if (!looksSecret(name)) return readVariable(name);
    const value = readSecret(name);
    if (value !== undefined) redactor.addSecrets([value]);
    return value;
  };
}
