/** Builds the sources of tools: the catalog, the features and the MCP servers. */
import type { Settings } from '../config/settings';
import { hasSearchService } from '../config/settings/search_service';
import { type Feature, installFeatures } from './feature';
import type { Ports } from './ports';
import type { ConfigReloads } from './service/audit/config_reloads';
import { looksSecret } from './service/mcp/config_variables';
import { McpManager } from './service/mcp/mcp_manager';
import { builtinTools } from './tools/catalog';
import { ToolRegistry } from './tools/registry';
import { disableSearchTools } from './tools/search_service';

/** Says as a clause why no tool delegates. */
const NO_CREW = 'this gateway is built without crews';

/** `list`: the features to install. */
export function createToolSources(settings: Settings, ports: Ports & { configReloads: ConfigReloads }, list: readonly Feature[]) {
  const { error: onError, info: onInfo } = ports.logger;
  const tools = new ToolRegistry(builtinTools());
  if (!hasSearchService(settings)) disableSearchTools(tools);
  const features = installFeatures(list, { settings, ports, tools, configReloads: ports.configReloads });
  if (![...features.values()].some(parts => parts.createCrew)) {
    for (const { name, crew } of tools.list()) if (crew === 'delegate') tools.disable(name, NO_CREW);
  }
  const mcpManager = new McpManager({ ...ports, tools, variables: variablesOf(settings, ports.redactor), onError, onInfo });
  return { tools, features, mcpManager, toolProblems: () => [...features.values()].flatMap(feature => feature.toolProblems?.() ?? []) };
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
