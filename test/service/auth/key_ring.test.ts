/** Callers without a key, also where the start let a gateway through that other machines reach and that has no key. */
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { ApiKeyRecord } from '../../../src/port/store/api_keys';
import type { Store } from '../../../src/port/store/store';
import type { LoginCaller } from '../../../src/service/auth/caller_source';
import { KeyRing } from '../../../src/service/auth/key_ring';
import type { ConfiguredKey } from '../../../src/service/auth/known_key';
import { LOGIN_LIFE_MS } from '../../../src/service/auth/login_service';
import { contentHash } from '../../../src/utils/content_hash';
import { createManualClock } from '../../support/manual_clock';

const SECRET = 'ada-secret-0123456789';
const CONFIGURED = { name: 'ada', secret: SECRET, tenantId: 'default', scopes: ['chat'] as const };
const STORED = { id: 'key_1', name: 'bob', tenantId: 'default', scopes: ['chat'] as const, secretHash: '00'.repeat(32), createdAt: 1 };

const PERSON: LoginCaller = {
  subject: 'ab'.repeat(32),
  principal: { tenantId: 'default', keyName: '@anna', scopes: new Set(['chat']) },
};

it.each<[string, boolean, ConfiguredKey[], ApiKeyRecord[], boolean, LoginCaller[]?]>([
  ['of this machine alone without keys', true, [], [], true],
  ['of this machine alone with a person', true, [], [], false, [PERSON]],
  ['of this machine alone with a configured key', true, [CONFIGURED], [], false],
  ['of this machine alone with a stored key', true, [], [STORED], false],
  ['of this machine alone with an expired key', true, [], [{ ...STORED, expiresAt: 2 }], false],
  ['that other machines reach, without keys', false, [], [], false],
  ['that other machines reach, with a stored key', false, [], [STORED], false],
])('a gateway %s', async (_name, isLoopback, configured, stored, isOpen, people = []) => {
  const apiKeys = { list: async () => stored, listLogins: async () => [] };
  const keys = new KeyRing({
    store: { read: { apiKeys } } as unknown as Store,
    clock: createManualClock(),
    nodeBus: NO_OTHER_NODES,
    configured,
    isLoopback,
    callerSources: [{ readCallers: async () => people }],
  });
  await keys.start();
  expect({ local: keys.local !== undefined, isLocked: keys.isLocked }).toEqual({ local: isOpen, isLocked: !isOpen });
  // A connection that began without a key.
  expect(keys.isValid({ principal: { tenantId: 'default', keyName: 'local', scopes: new Set() } })).toBe(isOpen);
  keys.stop();
});

it('ASVS 3.3.2: knows a login no more once its time is over', async () => {
  const clock = createManualClock();
  const login = {
    tokenHash: contentHash('token'),
    keyHash: PERSON.subject,
    createdAt: clock.now(),
    expiresAt: clock.now() + LOGIN_LIFE_MS,
  };
  const keys = new KeyRing({
    store: { read: { apiKeys: { list: async () => [], listLogins: async () => [login] } } } as unknown as Store,
    clock,
    nodeBus: NO_OTHER_NODES,
    configured: [],
    isLoopback: true,
    callerSources: [{ readCallers: async () => [PERSON] }],
  });
  await keys.start();
  clock.advance(LOGIN_LIFE_MS - 1);
  const identity = keys.findLoggedIn('token');
  expect(identity && keys.isValid(identity)).toBe(true);
  clock.advance(1);
  expect([keys.findLoggedIn('token'), identity && keys.isValid(identity)]).toEqual([undefined, false]);
  keys.stop();
});

it('counts the key of a person with what the person may do, and ends connections with another role', async () => {
  const role = { current: 'approver' };
  const anna = (): LoginCaller => ({
    subject: 'ab'.repeat(32),
    principal: {
      tenantId: 'default',
      keyName: '@anna',
      scopes: new Set(['chat']),
      person: { id: 'per_1', name: 'Anna', role: role.current },
    },
  });
  const key: ApiKeyRecord = { ...STORED, owner: '@anna', scopes: ['chat', 'approve'] };
  const keys = new KeyRing({
    store: { read: { apiKeys: { list: async () => [key], listLogins: async () => [] } } } as unknown as Store,
    clock: createManualClock(),
    nodeBus: NO_OTHER_NODES,
    configured: [],
    isLoopback: true,
    callerSources: [{ readCallers: async () => [anna()] }],
  });
  await keys.start();
  expect(keys.hasApprover('default')).toBe(false);
  expect(keys.callersOf('default').map(({ keyName, scopes }) => [keyName, [...scopes]])).toEqual([
    ['@anna', ['chat']],
    ['@anna', ['chat']],
  ]);
  const before = { principal: anna().principal, keyHash: anna().subject };
  expect(keys.isValid(before)).toBe(true);
  // Sessions are shared with roles, so the role counts also where both roles have the same scopes.
  role.current = 'member';
  await keys.refresh();
  expect(keys.isValid(before)).toBe(false);
  keys.stop();
});
