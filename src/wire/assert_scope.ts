/** Refuses callers whose key lacks a scope, with the same error on both doors. */
import { AppError } from '../errors';
import { enoughFor, hasScope, type NeededScope, type Principal, type Scope } from '../port/principal';

/** Throws `forbidden`, with the needed scopes in `details`, when the principal lacks the scope. */
export function assertScope(principal: Principal, needed: NeededScope): void {
  if (hasScope(principal, needed)) return;
  assertSecondFactor(principal);
  if (needed === 'operator') throw notOperator();
  const named = (typeof needed === 'string' ? [needed] : needed) as readonly Scope[];
  const scopes = named.flatMap(enoughFor);
  const list = scopes.join(' or ');
  throw new AppError('forbidden', {
    message: `The key ${principal.keyName} needs the scope ${list} for this.`,
    messageZh: `密钥 ${principal.keyName} 需要有 ${scopes.join(' 或 ')} 权限才能这样做。`,
    details: { scopes },
  });
}

/** Throws `forbidden`, with `details.needs`, for a person who must add an authenticator app first. */
export function assertSecondFactor({ person }: Pick<Principal, 'person'>): void {
  if (person?.needs === undefined) return;
  throw new AppError('forbidden', {
    message: `The role ${person.role} needs a second factor: add an authenticator app to your account first, on the page of the gateway or with POST /api/v1/me/totp.`,
    messageZh: `角色 ${person.role} 需要第二因素：请先在网关的页面上，或用 POST /api/v1/me/totp，为账户添加验证器应用。`,
    details: { needs: person.needs },
  });
}

/** The error for a caller who is no operator. */
const notOperator = (): AppError =>
  new AppError('forbidden', {
    message: 'This concerns the whole gateway: use the key of an operator, which has the scope admin in the tenant default.',
    messageZh: '此操作涉及整个网关：请使用运维人员的密钥，即在 default 租户中有 admin 权限的密钥。',
    details: { scopes: ['admin'] },
  });
