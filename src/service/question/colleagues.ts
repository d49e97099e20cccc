/** Finds the people of a tenant whom the agent can ask by name, by role or by group. */
import { ALL_APPROVERS, addressName, namesOfCaller } from '../../port/approval_address';
import type { Colleagues } from '../../tools/question';
import type { KeyRing } from '../auth/key_ring';

/** Addresses that a list shows at most. */
const MAX_SHOWN = 40;

export function colleaguesIn(keyRing: Pick<KeyRing, 'callersOf'>, tenantId: string): Colleagues {
  const addresses = (): Set<string> => {
    const people = keyRing.callersOf(tenantId).filter(({ person, scopes }) => person !== undefined && scopes.has('chat'));
    return new Set(people.flatMap(namesOfCaller).filter(name => name !== ALL_APPROVERS));
  };
  return {
    findAddress(address) {
      const name = addressName(address);
      return addresses().has(name) ? name : undefined;
    },
    listAddresses: () => [...addresses()].sort().slice(0, MAX_SHOWN),
  };
}
