/** Callers without a key, also where the start let a gateway through that other machines reach and that has no key. */
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { ApiKeyRecord } from '../../../src/port/store/api_keys';
import type { Store } from '../../../src/port/store/store';
import { type ConfiguredKey, KeyRing, type LoginCaller } from '../../../src/service/auth/key_ring';
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
