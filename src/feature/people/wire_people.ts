/** Encodes people and invitations: ISO times, no hashes. */
import { toIsoTime } from '../../utils/iso_time';
import type { ListedFactor } from './factor/factor_list';
import { emailOf } from './person/new_person';
import type { PersonWithWays } from './person/ways_in';
import type { OwnProvider } from './provider/provider_links';
import type { InvitationRecord, PersonRecord } from './store/people_records';
import type { SignInRecord } from './store/sign_in_records';

/** `waysIn`: as lists tell it. */
export function toWirePerson(person: PersonRecord & Partial<PersonWithWays>) {
  const { id, name, handle, role, state, waysIn, createdAt, lastLoginAt } = person;
  return {
    id,
    name,
    handle,
    email: emailOf(person),
    role,
    state,
    waysIn: waysIn && [...waysIn],
    createdAt: toIsoTime(createdAt),
    lastLoginAt: lastLoginAt === undefined ? undefined : toIsoTime(lastLoginAt),
  };
}

export function toWireInvitation({ id, role, email, personId, expiresAt }: InvitationRecord) {
  return { id, kind: personId === undefined ? 'account' : 'password', role, email, expiresAt: toIsoTime(expiresAt) };
}

export function toWireFactor({ id, kind, name, createdAt, lastUsedAt, recoveryCodes }: ListedFactor) {
  const used = lastUsedAt === undefined ? undefined : toIsoTime(lastUsedAt);
  return { id, kind, name, createdAt: toIsoTime(createdAt), lastUsedAt: used, recoveryCodes };
}

export const toWireSignIn = ({ id, at, way, address, client, kind }: SignInRecord) => ({
  id,
  at: toIsoTime(at),
  way,
  address,
  client,
  unusual: kind === 'unusual',
});

export const toWireOwnProvider = ({ id, name, linkedAt }: OwnProvider) => ({
  id,
  name,
  linkedAt: linkedAt === undefined ? undefined : toIsoTime(linkedAt),
});
