/** Connects to MCP servers with the official SDK. */
import type { McpPort } from '../../port/mcp';
import { openConnection } from './open_connection';
import type { ServerSurroundings } from './server_process';

export function createMcpConnector(options: ServerSurroundings): McpPort {
  return {
    async connect(_name, target, handlers, signal) {
      return openConnection(target, { handlers, signal }, options);
    },
  };
}
