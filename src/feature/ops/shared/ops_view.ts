/** What an operator sees: the caller's tenant, or all tenants. */
import { DEFAULT_TENANT, type Principal } from '../../../port/principal';
import { visibleTenant } from '../../../service/auth/visible_tenant';

/** The caller's tenant, or all tenants. */
export interface OpsView {
  tenantId?: string;
  /** The caller who reads what people and models wrote; absent: the lists hold no such texts. */
  textReader?: Principal;
}

/** An operator sees all tenants, or the tenant `named`. Throws `forbidden` when others name a tenant that is not their own. */
export const viewOf = (principal: Principal, named?: string): OpsView => ({ tenantId: visibleTenant(principal, named) });

/**
 * Returns true for callers who may see memory, disk, doctor and paths. These concern all tenants, so they are for operators and for the
 * tenant `default`, like /metrics.
 */
export const seesMachine = ({ tenantId }: OpsView): boolean => tenantId === undefined || tenantId === DEFAULT_TENANT;
