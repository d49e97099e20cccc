/** People with accounts: invitations, roles, and logins with e-mail and password or at a provider. */
import type { CoreServices, Feature } from '../../feature';
import { authForm } from './auth_form';
import { InvitationService } from './invitation_service';
import { LoginSettings } from './login_settings';
import { OidcLogin } from './oidc_login';
import { OidcLogout } from './oidc_logout';
import { OidcPeople } from './oidc_people';
import { ProviderLoginController } from './oidc_routes';
import { PeopleLogin } from './people_login';
import { PeopleService } from './people_service';
import { createPersonCallers } from './person_callers';
import { AccountController, PeopleController, RolesController } from './routes';
import type { PeopleServices } from './services';
import { peopleStore } from './store/people_store';
import { toWirePerson } from './wire_people';

export const people: Feature = {
  name: 'people',
  routes: [PeopleController, AccountController, RolesController, ProviderLoginController],
  form: authForm,
  store: peopleStore,
  install(core) {
    const { store, clock, ids, createSecret, configFiles, redactor } = core.ports;
    const { settings, auditLog, keyRing: keys, loginService: logins, logoutHooks, configReloads } = core;
    const loginSettings = new LoginSettings({ configFiles, configReloads, readSecret: settings.readSecret, redactor });
    return {
      services: {
        peopleService: new PeopleService({ store, clock, keys, auditLog, logoutHooks }),
        invitationService: new InvitationService({ store, clock, ids, createSecret, keys, logins, auditLog, loginSettings }),
        loginSettings,
        ...providerLogins(core, loginSettings),
      } satisfies PeopleServices,
      callers: createPersonCallers({ store }),
      passwordLogin: new PeopleLogin({ store, clock, logins, auditLog, loginSettings }),
      start: () => loginSettings.start(),
      async cleanUp() {
        await store.transaction({ leader: 'housekeeping' }, tx => tx.personIdentities.deleteExpired(clock.now()));
      },
      async *exportData(read, tenantId) {
        for (const person of await read.people.list(tenantId)) yield { type: 'feature', name: 'person', data: toWirePerson(person) };
      },
    };
  },
};

function providerLogins(
  { ports, auditLog, keyRing: keys, loginService: logins }: CoreServices,
  loginSettings: LoginSettings,
): Pick<PeopleServices, 'oidcLogin' | 'oidcLogout'> {
  const { store, clock, ids, oidc, sealer, logger } = ports;
  const onError = logger.error;
  const accounts = new OidcPeople({ ids, clock, auditLog, keys });
  return {
    oidcLogin: new OidcLogin({ store, clock, oidc, sealer, logins, auditLog, loginSettings, accounts, onError }),
    oidcLogout: new OidcLogout({ store, clock, oidc, keys, auditLog, loginSettings, onError }),
  };
}
