/** Whom a question asks: a person such as `@anna`, a role or a group such as `role:approver` and `group:ops`, or the name of a key. */
import type { Principal } from './principal';
import { ROLES } from './roles';

/** Pattern of an address. A role may stand without its prefix. */
export const ADDRESS_PATTERN = '^(?:(?:role|group):|@)?[\\w.-]{1,64}$';

/** The name of everybody who may decide approvals. */
export const ALL_APPROVERS = 'scope:approve';

/** Returns an address as questions store it: a role with its prefix. */
export const addressName = (address: string): string => (ROLES.some(role => role === address) ? `role:${address}` : address);

/** Returns the names under which questions can ask the caller. A person is named by the keys of that person, too. */
export function namesOfCaller({ person, keyName, owner, scopes }: Pick<Principal, 'person' | 'keyName' | 'owner' | 'scopes'>): string[] {
  const ofPerson = person ? [`role:${person.role}`, ...(person.groups ?? []).map(group => `group:${group}`)] : [];
  return [keyName, ...(owner === undefined ? [] : [owner]), ...ofPerson, ...(scopes.has('approve') ? [ALL_APPROVERS] : [])];
}

/** Returns true when the address names the caller. */
export const isAddressed = (caller: Principal, address: string): boolean => namesOfCaller(caller).includes(addressName(address));
