/** Which tenants a caller sees: an operator all of them, others their own. */
import { AppError } from '../../errors';
import { isOperator, type Principal } from '../../port/principal';

/** Returns the only tenant that the caller sees, or undefined for all of them. Throws `forbidden` for the name of another tenant. */
export function visibleTenant(principal: Principal, named?: string): string | undefined {
  if (isOperator(principal)) return named;
  if (named === undefined || named === principal.tenantId) return principal.tenantId;
  throw otherTenant('/tenant');
}

/** The error for the name of another tenant. */
const otherTenant = (param: string): AppError =>
  new AppError('forbidden', {
    param,
    message: `${param}: other tenants are for operators, whose key has the scope admin in the tenant default.`,
    messageZh: `${param}：其他租户只对运维人员开放，其密钥在 default 租户中有 admin 权限。`,
  });
