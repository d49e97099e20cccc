/** What an operator sees: the caller's tenant, or all tenants. */
import { AppError } from '../../../errors';
import { DEFAULT_TENANT, hasScope, type Principal } from '../../../port/principal';

/** The caller's tenant, or all tenants. */
export interface OpsView {
  tenantId?: string;
  /** The caller who reads what people and models wrote; absent: the lists hold no such texts. */
  textReader?: Principal;
}

/** An admin sees all tenants, or the tenant `named`. Throws `forbidden` when others name a tenant that is not their own. */
export function viewOf(principal: Principal, named?: string): OpsView {
  if (hasScope(principal, 'admin')) return { tenantId: named };
  if (named === undefined || named === principal.tenantId) return { tenantId: principal.tenantId };
  throw new AppError('forbidden', {
    param: '/tenant',
    message: '/tenant: only the scope admin sees other tenants.',
    messageZh: '/tenant：只有 admin 权限可以查看其他租户。',
  });
}

/**
 * Returns true for callers who may see memory, disk, doctor and paths. These concern all tenants, so they are for admins and for the operator's
 * tenant, like /metrics.
 */
export const seesMachine = ({ tenantId }: OpsView): boolean => tenantId === undefined || tenantId === DEFAULT_TENANT;
