/** The services of people by the names under which the controllers inject them. */
import type { FactorList } from './factor/factor_list';
import type { PasskeyService } from './factor/passkey_service';
import type { TotpService } from './factor/totp_service';
import type { LoginSettings } from './login/login_settings';
import type { PeopleMails } from './mail/people_mails';
import type { InvitationService } from './password/invitation_service';
import type { OwnPassword } from './password/own_password';
import type { PeopleService } from './person/people_service';
import type { PersonPrivacy } from './person_privacy';
import type { OidcLogin } from './provider/oidc_login';
import type { OidcLogout } from './provider/oidc_logout';
import type { ProviderLinks } from './provider/provider_links';
import type { RoleSettings } from './roles/role_settings';
import type { ScimDeps } from './scim/scim_deps';

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
