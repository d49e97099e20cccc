/** People with accounts: invitations, roles, and logins with e-mail and password. */
import type { Feature } from '../../feature';
import { InvitationService } from './invitation_service';
import { PeopleLogin } from './people_login';
import { PeopleService } from './people_service';
import { createPersonCallers } from './person_callers';
import { AccountController, PeopleController, RolesController } from './routes';
import type { PeopleServices } from './services';
import { peopleStore } from './store/people_store';
import { toWirePerson } from './wire_people';

export const people: Feature = {
  name: 'people',
  routes: [PeopleController, AccountController, RolesController],
  store: peopleStore,
  install({ ports: { store, clock, ids, createSecret }, auditLog, keyRing: keys, loginService: logins, logoutHooks }) {
    return {
      services: {
        peopleService: new PeopleService({ store, clock, keys, auditLog, logoutHooks }),
        invitationService: new InvitationService({ store, clock, ids, createSecret, keys, logins, auditLog }),
      } satisfies PeopleServices,
      callers: createPersonCallers({ store }),
      passwordLogin: new PeopleLogin({ store, clock, logins, auditLog }),
      async *exportData(read, tenantId) {
        for (const person of await read.people.list(tenantId)) yield { type: 'feature', name: 'person', data: toWirePerson(person) };
      },
    };
  },
};
