/** DOOR 5, the Model Context Protocol: agents and chosen tools for MCP clients. */
import type { Feature } from '../../feature';
import { mcpForm } from './json_rpc_error';
import { McpDoorService, type McpDoorServices } from './mcp_door_service';
import { McpDoorController } from './routes';
import { mcpSessionStore } from './store/mcp_session_store';

export const mcpDoor: Feature = {
  name: 'mcp_door',
  routes: [McpDoorController],
  doorPath: '/mcp',
  form: mcpForm,
  store: mcpSessionStore,
  install({ settings, ports: { store, clock, ids, nodeBus, logger }, tools, switches, authService, skills }) {
    const { mcpTools: names } = settings;
    const door = new McpDoorService({
      store,
      clock,
      ids,
      nodeBus,
      tools,
      switches,
      auth: authService,
      names,
      skills,
      onError: logger.error,
    });
    return {
      services: { mcpDoor: door } satisfies McpDoorServices,
      warnings: () => door.warnings(),
      cleanUp: () => door.sessions.deleteUnused(),
      stop: () => door.stop(),
    };
  },
};
