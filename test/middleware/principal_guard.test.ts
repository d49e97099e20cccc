/** The guard alone, for a path that a router would serve although no row names it: such a route cannot be made at the doors. */
import type { Context } from '@midwayjs/koa';
import { PrincipalGuard } from '../../src/middleware/principal_guard';
import { SCOPES, type Scope } from '../../src/port/principal';

/** Resolves with `served`, or with the code of the error. */
function answerTo(path: string, scope: Scope): Promise<string> {
  const guard = new PrincipalGuard();
  const principal = { tenantId: 'default', keyName: 'ada', scopes: new Set([scope]) };
  const authService = { authenticate: async () => ({ principal }), followConnection: () => () => {} };
  Object.assign(guard, { authService });
  const ctx = { path, state: {}, req: { headers: {} }, res: { once: () => {} }, get: () => '' };
  return guard
    .resolve()(ctx as unknown as Context, async () => 'served')
    .catch(thrown => thrown.code);
}

it.each(['/api', '/api/v1/hidden', '/API/v1/hidden', '/v1/hidden', '/mcp/hidden', '/agui/hidden', '/streams/hidden', '/ops/hidden'])(
  '%s without a row is served to an admin alone',
  async path => {
    const answers = await Promise.all(SCOPES.map(async scope => [scope, await answerTo(path, scope)]));
    expect(answers).toEqual(SCOPES.map(scope => [scope, scope === 'admin' ? 'served' : 'not_found']));
  },
);
