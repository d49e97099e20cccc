/** The parts of the gateway that a server of config/mcp.yaml uses. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { McpLoginKeeper, McpPort, McpTarget } from '../../port/mcp';
import type { Observer } from '../../port/observer';
import type { ToolRegistry } from '../../tools/registry';

export interface McpServerDeps {
  mcp: McpPort;
  clock: Clock;
  tools: ToolRegistry;
  onError: LogError;
  observer: Observer;
  onStderr: (server: string, line: string) => void;
  random: () => number;
  /** Returns the keeper of the login at a server. */
  keeperOf: (name: string, target: McpTarget) => McpLoginKeeper;
}
