/** Tells how people can log in, for lists. */
import type { Store } from '../../../port/store/store';
import type { PersonRecord } from '../store/people_records';

/** authenticator: beside the password. provider: an account at a login provider is linked. */
export const WAYS_IN = ['password', 'authenticator', 'passkey', 'provider'] as const;

export type WayIn = (typeof WAYS_IN)[number];

export interface PersonWithWays extends PersonRecord {
  waysIn: readonly WayIn[];
}

/** Adds the ways in to people of one tenant. */
export async function withWaysIn(
  { read }: Pick<Store, 'read'>,
  tenantId: string,
  people: readonly PersonRecord[],
): Promise<PersonWithWays[]> {
  const [factors, identities] = await Promise.all([read.personFactors.list(tenantId), read.personIdentities.list(tenantId)]);
  const peopleWith = (kind: 'totp' | 'passkey') =>
    new Set(factors.filter(factor => factor.kind === kind && factor.state === 'active').map(({ personId }) => personId));
  const [totp, passkeys] = [peopleWith('totp'), peopleWith('passkey')];
  const linked = new Set(identities.map(({ personId }) => personId));
  return people.map(person => {
    const has: Record<WayIn, boolean> = {
      password: person.passwordHash !== '',
      authenticator: totp.has(person.id),
      passkey: passkeys.has(person.id),
      provider: linked.has(person.id),
    };
    return { ...person, waysIn: WAYS_IN.filter(way => has[way]) };
  });
}
