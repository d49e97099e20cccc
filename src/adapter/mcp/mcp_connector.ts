/** Connects to MCP servers with the official SDK, which is loaded with the first server. */
import type { McpPort } from '../../port/mcp';
import type { ServerSurroundings } from './server_process';

export function createMcpConnector(options: ServerSurroundings): McpPort {
  return {
    async connect(_name, target, handlers, signal) {
      const { openConnection }: typeof import('./open_connection') = require('./open_connection');
      return openConnection(target, { handlers, signal }, options);
    },
  };
}
