/** The ports that tools reach through their context, in a run and in a direct call. */
import type { Clock } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { WeatherService } from '../../port/weather';
import type { WebAccess } from '../../port/web';
import type { TenantWorkspace, Workspaces } from '../../port/workspaces';
import { ownerOf, type SessionAccess } from '../access/session_access';
import { withoutPrivateResults } from './private_results';

export interface ToolPorts {
  workspaces: Workspaces;
  clock: Clock;
  web?: WebAccess;
  weather?: WeatherService;
  sessionAccess: Pick<SessionAccess, 'isInUse' | 'maySee'>;
}

/** The caller of tools. `sessionId`: the session of its run. */
export interface ToolPortsCaller extends Pick<Actor, 'tenantId' | 'keyName'> {
  sessionId?: string;
}

/** Picks the ports that tools of a caller use, so that the context of a tool holds no other port. */
export function toolPorts(
  { workspaces, clock, web, weather, sessionAccess }: ToolPorts,
  { tenantId, keyName, sessionId }: ToolPortsCaller,
): TenantWorkspace & Pick<ToolPorts, 'clock' | 'web' | 'weather'> & { filesOf: string | undefined } {
  const whole = workspaces.workspaceOf(tenantId);
  const sees = async (id: string) => id === sessionId || sessionAccess.maySee({ tenantId, keyName }, id);
  const { workspace, shell, fileSearch } = sessionAccess.isInUse ? withoutPrivateResults(whole, sees) : whole;
  return { workspace, shell, fileSearch, filesOf: ownerOf(keyName), clock, web, weather };
}
