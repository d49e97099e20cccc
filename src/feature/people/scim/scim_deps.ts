/** The users and groups of SCIM need these services. */
import type { Store } from '../../../port/store/store';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { LoginSettings } from '../login/login_settings';
import type { NewPersonDeps } from '../person/new_person';
import type { PeopleService } from '../person/people_service';

export interface ScimDeps extends NewPersonDeps {
  store: Store;
  keys: Pick<KeyRing, 'applyChange' | 'isLocked'>;
  people: Pick<PeopleService, 'updatePerson' | 'removePerson'>;
  loginSettings: Pick<LoginSettings, 'providers'>;
}
