/** The callers for whom limits count. */
import { type Actor, DEFAULT_TENANT, LOCAL_KEY_NAME } from '../../../port/principal';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { OpsView } from './ops_view';

/** Lists the keys of one tenant or of all, and the local caller where there is one. */
export function listActors(keys: KeyRing, { tenantId }: OpsView): Actor[] {
  const known = keys.listKeys().map(({ name, tenantId: tenant }) => ({ tenantId: tenant, keyName: name }));
  const all = [...known, ...(keys.local ? [{ tenantId: DEFAULT_TENANT, keyName: LOCAL_KEY_NAME }] : [])];
  return tenantId === undefined ? all : all.filter(actor => actor.tenantId === tenantId);
}
