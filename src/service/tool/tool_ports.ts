/** The ports that tools reach through their context, in a run and in a direct call. */
import type { Clock } from '../../port/clock';
import type { WeatherService } from '../../port/weather';
import type { WebAccess } from '../../port/web';
import type { TenantWorkspace, Workspaces } from '../../port/workspaces';

export interface ToolPorts {
  workspaces: Workspaces;
  clock: Clock;
  web?: WebAccess;
  weather?: WeatherService;
}

/** Picks the ports that tools of a tenant use, so that the context of a tool holds no other port. */
export function toolPorts(
  { workspaces, clock, web, weather }: ToolPorts,
  tenantId: string,
): TenantWorkspace & Omit<ToolPorts, 'workspaces'> {
  return {
    ...workspaces.workspaceOf(tenantId),
    clock,
    web,
    weather,
  };
}
