/** DOOR 5, the Model Context Protocol: agents and chosen tools for MCP clients. */
import type { Feature } from '../../feature';
import { mcpForm } from './json_rpc_error';
import { McpDoorService, type McpDoorServices } from './mcp_door_service';
import { McpDoorController } from './routes';

export const mcpDoor: Feature = {
  name: 'mcp_door',
  routes: [McpDoorController],
  doorPath: '/mcp',
  form: mcpForm,
  install({ settings, ports: { clock, ids }, tools, switches, authService }) {
    const door = new McpDoorService({ clock, ids, tools, switches, auth: authService, names: settings.mcpTools });
    return { services: { mcpDoor: door } satisfies McpDoorServices, warnings: () => door.warnings(), stop: () => door.stop() };
  },
};
