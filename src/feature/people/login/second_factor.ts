/** Finds the people who must add an authenticator app before they may do anything else, as requireSecondFactor in login.yaml says. */
import type { Store } from '../../../port/store/store';
import type { PersonRecord } from '../store/people_records';
import type { LoginSettings } from './login_settings';

/**
 * Resolves with the ids of those of these people who log in with a password, need a second factor for their role and have no confirmed app. A person
 * without a password logs in at a provider, which asks for a second factor by itself.
 */
export async function peopleWithoutSecondFactor(
  { read }: Pick<Store, 'read'>,
  loginSettings: Pick<LoginSettings, 'needsSecondFactor'>,
  people: readonly PersonRecord[],
): Promise<ReadonlySet<string>> {
  const asked = people.filter(({ passwordHash, role }) => passwordHash !== '' && loginSettings.needsSecondFactor(role));
  const tenants = [...new Set(asked.map(({ tenantId }) => tenantId))];
  const factors = (await Promise.all(tenants.map(tenantId => read.personFactors.list(tenantId)))).flat();
  const owners = new Set(factors.filter(({ kind, state }) => kind === 'totp' && state === 'active').map(({ personId }) => personId));
  return new Set(asked.map(({ id }) => id).filter(id => !owners.has(id)));
}
