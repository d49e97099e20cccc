/** What tools get of the ports, in a run and in a direct call alike. */
import type { Clock } from '../../port/clock';
import type { Shell } from '../../port/shell';
import type { WeatherService } from '../../port/weather';
import type { WebAccess } from '../../port/web';
import type { Workspace } from '../../port/workspace';

export interface ToolPorts {
  workspace: Workspace;
  shell: Shell;
  clock: Clock;
  web?: WebAccess;
  weather?: WeatherService;
}

/** Only these, of whatever else the ports hold. */
export function toolPorts({ workspace, shell, clock, web, weather }: ToolPorts): ToolPorts {
  return { workspace, shell, clock, ...(web && { web }), ...(weather && { weather }) };
}
