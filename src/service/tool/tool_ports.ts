/** The ports that tools reach through their context, in a run and in a direct call. */
import type { Clock } from '../../port/clock';
import type { Shell } from '../../port/shell';
import type { WeatherService } from '../../port/weather';
import type { WebAccess } from '../../port/web';
import type { Workspace } from '../../port/workspace';
import type { SessionSearchAccess } from '../../tools/session_search_access';

export interface ToolPorts {
  workspace: Workspace;
  shell: Shell;
  clock: Clock;
  web?: WebAccess;
  weather?: WeatherService;
  sessionSearch?: SessionSearchAccess;
}

/** Picks the ports of tools, so that a context holds no others. */
export function toolPorts({ workspace, shell, clock, web, weather, sessionSearch }: ToolPorts): ToolPorts {
  return { workspace, shell, clock, ...(web && { web }), ...(weather && { weather }), ...(sessionSearch && { sessionSearch }) };
}
