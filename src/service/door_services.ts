/** Builds the services that only doors use: who a caller is, and what a request brings. */
import { type AuthServiceDeps, createAuthServices } from './auth/auth_services';
import { ImageService } from './image/image_service';
import type { CallerPresence } from './run/caller_presence';
import { GivenConversations } from './run/given_conversation';

type DoorServiceDeps = AuthServiceDeps &
  ConstructorParameters<typeof ImageService>[0] &
  ConstructorParameters<typeof GivenConversations>[0] & {
    callerPresence: CallerPresence;
  };

export function createDoorServices(deps: DoorServiceDeps, settings: Parameters<typeof createAuthServices>[1]) {
  const auth = createAuthServices(deps, settings);
  return {
    ...auth,
    callerPresence: deps.callerPresence,
    imageService: new ImageService(deps),
    givenConversations: new GivenConversations(deps),
  };
}
