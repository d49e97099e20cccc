/** Builds the services that only doors use: who a caller is, what a request brings, and what an MCP client may do. */
import type { ToolRegistry } from '../tools/registry';
import { type AuthServiceDeps, createAuthServices } from './auth/auth_services';
import { ImageService } from './image/image_service';
import type { Switches } from './limits/switches';
import { McpDoorService } from './mcp_door/mcp_door_service';
import type { AgentExecutor } from './run/agent_executor';
import type { CallerPresence } from './run/caller_presence';
import { GivenConversations } from './run/given_conversation';

type DoorServiceDeps = AuthServiceDeps &
  ConstructorParameters<typeof ImageService>[0] &
  ConstructorParameters<typeof GivenConversations>[0] & {
    tools: ToolRegistry;
    switches: Switches;
    agentExecutor: AgentExecutor;
    callerPresence: CallerPresence;
  };

type DoorSettings = Parameters<typeof createAuthServices>[1] & { mcpTools: readonly string[] };

export function createDoorServices(deps: DoorServiceDeps, settings: DoorSettings) {
  const auth = createAuthServices(deps, settings);
  return {
    ...auth,
    callerPresence: deps.callerPresence,
    imageService: new ImageService(deps),
    givenConversations: new GivenConversations(deps),
    mcpDoor: new McpDoorService({ ...deps, auth: auth.authService, names: settings.mcpTools }),
  };
}
