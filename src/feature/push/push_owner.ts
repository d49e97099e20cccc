/** Finds the person to whom a device or an action belongs. */
import type { Principal } from '../../port/principal';
import type { KeyRing } from '../../service/auth/key_ring';

interface Owned {
  tenantId: string;
  keyHash?: string | undefined;
}

/** Returns the owner with the scopes of today; undefined when the key has ended or belongs to another tenant now. */
export function findOwner(keyRing: Pick<KeyRing, 'principalOf'>, { tenantId, keyHash }: Owned): Principal | undefined {
  const owner = keyRing.principalOf(keyHash);
  return owner?.tenantId === tenantId ? owner : undefined;
}
