/** The services of people by the names under which the controllers inject them. */
import type { FactorList } from './factor_list';
import type { InvitationService } from './invitation_service';
import type { LoginSettings } from './login_settings';
import type { OidcLogin } from './oidc_login';
import type { OidcLogout } from './oidc_logout';
import type { OwnPassword } from './own_password';
import type { PasskeyService } from './passkey_service';
import type { PeopleMails } from './people_mails';
import type { PeopleService } from './people_service';
import type { PersonPrivacy } from './person_privacy';
import type { ProviderLinks } from './provider_links';
import type { RoleSettings } from './role_settings';
import type { ScimDeps } from './scim/scim_deps';
import type { TotpService } from './totp_service';

export interface PeopleServices {
  peopleService: PeopleService;
  peopleMails: PeopleMails;
  personPrivacy: PersonPrivacy;
  invitationService: InvitationService;
  loginSettings: LoginSettings;
  roleSettings: RoleSettings;
  oidcLogin: OidcLogin;
  oidcLogout: OidcLogout;
  providerLinks: ProviderLinks;
  scimDeps: ScimDeps;
  factorList: FactorList;
  totpService: TotpService;
  passkeyService: PasskeyService;
  ownPassword: OwnPassword;
}
