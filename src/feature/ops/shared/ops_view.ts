/** What an operator sees: the caller's tenant, or all tenants. */
import { DEFAULT_TENANT, hasScope, type Principal } from '../../../port/principal';

/** The caller's tenant, or all tenants. */
export interface OpsView {
  tenantId?: string;
}

/** An admin sees all tenants. */
export const viewOf = (principal: Principal): OpsView => (hasScope(principal, 'admin') ? {} : { tenantId: principal.tenantId });

/**
 * Returns true for callers who may see memory, disk, doctor and paths. These concern all tenants, so they are for admins and for the operator's
 * tenant, like /metrics.
 */
export const seesMachine = ({ tenantId }: OpsView): boolean => tenantId === undefined || tenantId === DEFAULT_TENANT;
