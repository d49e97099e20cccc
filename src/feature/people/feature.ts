/** People with accounts: invitations, roles, and logins with e-mail and password or at a provider; SCIM for directories. */
import type { DoorForm } from '../../controller/door_form';
import type { CoreServices, Feature } from '../../feature';
import { authForm } from './auth_form';
import { FactorList } from './factor/factor_list';
import { PasskeyService } from './factor/passkey_service';
import { TotpService } from './factor/totp_service';
import { FactorController } from './factor_routes';
import { DeviceCookies } from './login/device_cookies';
import { LoginChanges } from './login/login_changes';
import { LoginSettings } from './login/login_settings';
import { createPersonCallers } from './login/person_callers';
import { SignInLog } from './login/sign_in_log';
import { AskedMails } from './mail/asked_mails';
import { PeopleMails } from './mail/people_mails';
import { ProviderLoginController } from './oidc_routes';
import { OwnPasswordController } from './own_password_routes';
import { OwnProviderController } from './own_provider_routes';
import { InvitationService } from './password/invitation_service';
import { OwnPassword } from './password/own_password';
import { PasswordCheck } from './password/password_check';
import { PeopleLogin } from './password/people_login';
import { PeopleService } from './person/people_service';
import { PersonPrivacy } from './person_privacy';
import { OidcLogin } from './provider/oidc_login';
import { OidcLogout } from './provider/oidc_logout';
import { OidcPeople } from './provider/oidc_people';
import { ProviderLinks } from './provider/provider_links';
import { RoleSettings } from './roles/role_settings';
import { AccountController, PeopleController, RolesController } from './routes';
import { ScimController } from './scim/routes';
import { scimForm } from './scim/scim_error';
import type { PeopleServices } from './services';
import { peopleStore } from './store/people_store';
import { toWirePerson } from './wire_people';

/** The forms of errors at /auth and at /scim. */
const peopleForm: DoorForm = {
  isFor: path => authForm.isFor(path) || scimForm.isFor(path),
  toBody: (ctx, error, requestId) => (scimForm.isFor(ctx.path) ? scimForm : authForm).toBody(ctx, error, requestId),
};

export const people: Feature = {
  name: 'people',
  routes: [
    PeopleController,
    AccountController,
    RolesController,
    ProviderLoginController,
    OwnProviderController,
    OwnPasswordController,
    FactorController,
    ScimController,
  ],
  doorPath: '/scim',
  form: peopleForm,
  store: peopleStore,
  install(core) {
    const { store, clock, ids, createSecret, configFiles, redactor, sealer } = core.ports;
    const { settings, auditLog, mailer, keyRing: keys, loginService: logins, logoutHooks, configReloads, personData, privateTexts } = core;
    const { loginListeners: listeners } = core;
    const loginSettings = new LoginSettings({ configFiles, configReloads, readSecret: settings.readSecret, redactor, keys });
    const roles = new RoleSettings({ store, configFiles, configReloads, keys });
    const changes = new LoginChanges({ store, clock, auditLog, listeners });
    const totp = new TotpService({ store, clock, ids, sealer, changes, keys });
    const devices = new DeviceCookies({ clock, ids, sealer, onError: core.ports.logger.error });
    const passwords = new PasswordCheck({ clock, devices, auditLog });
    const signIns = new SignInLog({ ids, auditLog, logins, devices, listeners });
    const mails = new PeopleMails({ store, mailer, defaultLocale: settings.locale, timeZone: settings.timeZone });
    const people = new PeopleService({ store, clock, keys, auditLog, roles, logoutHooks });
    const askedMails = new AskedMails({ store, mailer, keyRing: keys, onError: core.ports.logger.error });
    return {
      services: {
        peopleService: people,
        peopleMails: mails,
        personPrivacy: new PersonPrivacy({ store, people, personData, privateTexts, auditLog }),
        scimDeps: { store, clock, ids, auditLog, keys, people, loginSettings },
        invitationService: new InvitationService({
          store,
          clock,
          ids,
          createSecret,
          keys,
          signIns,
          auditLog,
          changes,
          loginSettings,
          totp,
        }),
        ownPassword: new OwnPassword({ store, clock, keys, passwords, devices, loginSettings, changes }),
        loginSettings,
        roleSettings: roles,
        factorList: new FactorList({ store }),
        totpService: totp,
        passkeyService: new PasskeyService({ store, clock, ids, sealer, signIns, auditLog, changes, loginSettings }),
        ...providerLogins(core, { loginSettings, roles, signIns, changes }),
      } satisfies PeopleServices,
      onRun: {
        asked: async (_tx, _run, { question }) => askedMails.note(question),
        escalated: async (_tx, _run, { question, to }) => askedMails.note(question, to),
        committed: () => askedMails.flush(),
      },
      ownerPeriods: roles,
      callers: createPersonCallers({ store, roles, loginSettings }),
      passwordLogin: new PeopleLogin({ store, clock, signIns, loginSettings, passwords, totp }),
      onLoginNotice: { committed: notice => mails.tell(notice) },
      async start() {
        await loginSettings.start();
        await roles.start();
      },
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
  { ports, auditLog, keyRing: keys }: CoreServices,
  {
    loginSettings,
    roles,
    signIns,
    changes,
  }: { loginSettings: LoginSettings; roles: RoleSettings; signIns: SignInLog; changes: LoginChanges },
): Pick<PeopleServices, 'oidcLogin' | 'oidcLogout' | 'providerLinks'> {
  const { store, clock, ids, oidc, sealer, logger } = ports;
  const onError = logger.error;
  const accounts = new OidcPeople({ ids, clock, auditLog, roles, keys });
  const links = new ProviderLinks({ store, clock, keys, changes, loginSettings });
  return {
    providerLinks: links,
    oidcLogin: new OidcLogin({ clock, keys, oidc, sealer, signIns, auditLog, changes, loginSettings, accounts, links, onError }),
    oidcLogout: new OidcLogout({ store, clock, oidc, keys, auditLog, loginSettings, onError }),
  };
}
