/** Things on a gateway without people: all belong to their tenant. */
import { OwnedThings, TENANT_VIEWER } from '../../src/service/access/owned_things';
import { TENANT } from './store_records';

export const NO_OWNERS = new OwnedThings({
  sessionAccess: { isInUse: false, viewerOf: () => undefined, accessOf: async () => undefined },
  people: { findHandle: () => undefined, hasGroup: () => false },
});

/** A caller without a key. */
export const TENANT_USER = { tenantId: TENANT, viewer: TENANT_VIEWER };
