/** To whom an approval is addressed: a role, the handle of a person such as `@anna`, or the name of a key. */
import type { Principal } from './principal';
import { ROLES } from './roles';

/** Pattern of an address. */
export const ADDRESS_PATTERN = '^@?[\\w.-]{1,64}$';

/** Returns true when the address names the caller. A person is named by the keys of that person, too. */
export function isAddressed({ person, keyName, owner }: Principal, address: string): boolean {
  return ROLES.some(role => role === address) ? person?.role === address : keyName === address || owner === address;
}
