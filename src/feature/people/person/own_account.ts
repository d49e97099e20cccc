/** Finds the account of a caller who is a logged-in person. */
import { AppError } from '../../../errors';
import type { Store } from '../../../port/store/store';
import { type Identity, isLoginOfPerson } from '../../../service/auth/key_ring';
import type { PersonRecord } from '../store/people_records';

/**
 * Rejects `forbidden` for keys, also those of a person, and for cookies that keys were exchanged for: only a login of the person changes how the person logs in. Rejects it for a person without a
 * password, too: groups of a provider let this person in, and another way in would outlive them.
 */
export async function findOwnAccount({ read }: Pick<Store, 'read'>, identity: Identity): Promise<PersonRecord> {
  const { person, tenantId } = identity.principal;
  const account = person && isLoginOfPerson(identity) ? await read.people.get(tenantId, person.id) : undefined;
  if (account?.state === 'active' && account.passwordHash !== '') return account;
  throw new AppError('forbidden', {
    message: 'Only a person who is logged in and has a password may do this.',
    messageZh: '只有已登录且有密码的人可以这样做。',
  });
}
