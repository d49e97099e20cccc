/** Which tenants an operator sees: all of them with the scope admin, otherwise their own. */
import { AppError } from '../../errors';
import { hasScope, type Principal } from '../../port/principal';

/** Returns the only tenant that the caller sees, or undefined for all of them. Throws `forbidden` for the name of another tenant without the scope admin. */
export function visibleTenant(principal: Principal, named?: string): string | undefined {
  if (hasScope(principal, 'admin')) return named;
  if (named === undefined || named === principal.tenantId) return principal.tenantId;
  throw new AppError('forbidden', {
    param: '/tenant',
    message: '/tenant: only the scope admin sees other tenants.',
    messageZh: '/tenant：只有 admin 权限可以查看其他租户。',
  });
}
