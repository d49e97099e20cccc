/** Builds the services that bring tools from outside the code: manifests and MCP servers. */
import type { Settings } from '../config/settings';
import type { Ports } from './ports';
import type { ConfigReloads } from './service/audit/config_reloads';
import { NO_SEARCH_SERVICE } from './service/manifest/gateway_entry';
import { ManifestCatalog } from './service/manifest/manifest_catalog';
import { looksSecret } from './service/mcp/config_variables';
import { McpManager } from './service/mcp/mcp_manager';
import type { ToolRegistry } from './tools/registry';

export function createToolSources(settings: Settings, ports: Ports & { configReloads: ConfigReloads }, tools: ToolRegistry) {
  const { error: onError, info: onInfo } = ports.logger;
  if (!hasSearch(settings)) {
    for (const { name, needs } of tools.list()) if (needs === 'search_service') tools.disable(name, NO_SEARCH_SERVICE);
  }
  return {
    manifestCatalog: new ManifestCatalog({
      ...ports,
      files: ports.manifestFiles,
      registry: tools,
      hasSearch: hasSearch(settings),
      onError,
      onInfo,
    }),
    mcpManager: new McpManager({ ...ports, tools, variables: variablesOf(settings, ports.redactor), onError, onInfo }),
  };
}

const hasSearch = ({ web }: Settings): boolean => Boolean(web.searxngUrl || web.braveApiKey || web.tavilyApiKey) || web.duckDuckGo;

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
