/** The services of people by the names under which the controllers inject them. */
import type { InvitationService } from './invitation_service';
import type { PeopleService } from './people_service';

export interface PeopleServices {
  peopleService: PeopleService;
  invitationService: InvitationService;
}
