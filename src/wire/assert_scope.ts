/** Refuses callers whose key lacks a scope, with the same error on both doors. */
import { AppError } from '../errors';
import { hasScope, type NeededScope, type Principal } from '../port/principal';

/** Throws `forbidden`, with the needed scopes in `details`, when the principal lacks the scope. */
export function assertScope(principal: Principal, needed: NeededScope): void {
  if (hasScope(principal, needed)) return;
  const scopes = typeof needed === 'string' ? [needed] : needed;
  const list = scopes.join(' or ');
  throw new AppError('forbidden', {
    message: `The key ${principal.keyName} needs the scope ${list} for this.`,
    messageZh: `密钥 ${principal.keyName} 需要有 ${scopes.join(' 或 ')} 权限才能这样做。`,
    details: { scopes },
  });
}
