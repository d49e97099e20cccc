/** The services of people by the names under which the controllers inject them. */
import type { InvitationService } from './invitation_service';
import type { LoginSettings } from './login_settings';
import type { OidcLogin } from './oidc_login';
import type { OidcLogout } from './oidc_logout';
import type { PeopleService } from './people_service';
import type { ScimDeps } from './scim/scim_deps';

export interface PeopleServices {
  peopleService: PeopleService;
  invitationService: InvitationService;
  loginSettings: LoginSettings;
  oidcLogin: OidcLogin;
  oidcLogout: OidcLogout;
  scimDeps: ScimDeps;
}
