/** Sessions of MCP clients on a clock of the test: who may use them, and what ends them. */

import { McpSessions } from '../../../src/feature/mcp_door/mcp_sessions';
import type { Principal } from '../../../src/port/principal';
import type { Identity } from '../../../src/service/auth/key_ring';
import { createManualClock } from '../../support/manual_clock';

const MINUTE_MS = 60_000;

function setUp() {
  const clock = createManualClock();
  let made = 0;
  const followed = new Map<Identity, () => void>();
  const sessions = new McpSessions({
    clock,
    ids: { uuid: () => `session-${++made}`, next: prefix => `${prefix}_1` },
    auth: {
      followConnection(identity, end) {
        followed.set(identity, end);
        return () => followed.delete(identity);
      },
    },
  });
  const ended: string[] = [];
  const open = (keyId: string, tenantId = 'default') => {
    const principal: Principal = { tenantId, keyId, keyName: keyId, scopes: new Set(['chat']) };
    const identity = { principal };
    const { id } = sessions.openSession(identity, own => ({
      end: ({ isByClient }) => ended.push(`${own} ${isByClient ? 'client' : 'gateway'}`),
      announceTools: () => {},
    }));
    return { id, principal, identity };
  };
  return { clock, sessions, ended, open, followed };
}

it('gives a session to its own key alone', () => {
  const { sessions, open } = setUp();
  const [ada, grace, stranger] = [open('ada'), open('grace'), open('ada', 'rival')];
  expect(sessions.findSession(ada.principal, ada.id)).toBeDefined();
  expect(sessions.findSession(grace.principal, ada.id)).toBeUndefined();
  expect(sessions.findSession(stranger.principal, ada.id)).toBeUndefined();
  expect(sessions.findSession(ada.principal, 'unknown')).toBeUndefined();
});

it('ends a session after half an hour without a request, and one with an open stream never', () => {
  const { clock, sessions, ended, open } = setUp();
  const [idle, streaming] = [open('ada'), open('ada')];
  const release = sessions.useSession(streaming.id);
  clock.advance(29 * MINUTE_MS);
  sessions.useSession(idle.id)();
  clock.advance(29 * MINUTE_MS);
  expect(ended).toEqual([]);
  clock.advance(2 * MINUTE_MS);
  expect(ended).toEqual([`${idle.id} gateway`]);
  clock.advance(600 * MINUTE_MS);
  expect(ended).toHaveLength(1);
  release();
  clock.advance(32 * MINUTE_MS);
  expect(ended.at(-1)).toBe(`${streaming.id} gateway`);
});

it('ends the sessions of a caller that may no longer be served', () => {
  const { sessions, ended, open, followed } = setUp();
  const { id, identity, principal } = open('ada');
  const other = open('grace');
  followed.get(identity)?.();
  expect(ended).toEqual([`${id} gateway`]);
  expect(sessions.findSession(principal, id)).toBeUndefined();
  expect(sessions.findSession(other.principal, other.id)).toBeDefined();
  expect(followed.has(identity)).toBe(false);
});

it('makes room for the 101st session of a key by ending the one that is idle for longest', () => {
  const { sessions, ended, open } = setUp();
  const own = Array.from({ length: 100 }, () => open('ada'));
  const other = open('grace');
  sessions.useSession(own[0]?.id ?? '');
  sessions.useSession(own[1]?.id ?? '')();
  open('ada');
  expect(ended).toEqual([`${own[2]?.id} gateway`]);
  expect(sessions.findSession(other.principal, other.id)).toBeDefined();
});

it('refuses a session when all of the key are in use', () => {
  const { sessions, ended, open } = setUp();
  const own = Array.from({ length: 100 }, () => open('ada'));
  const releases = own.map(({ id }) => sessions.useSession(id));
  expect(() => open('ada')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(ended).toEqual([]);
  releases[7]?.();
  open('ada');
  expect(ended).toEqual([`${own[7]?.id} gateway`]);
});

it('makes room in a full gateway by ending the session of any key that is idle for longest', () => {
  const { sessions, ended, open } = setUp();
  const all = Array.from({ length: 1_000 }, (_value, index) => open(`key-${index % 10}`));
  sessions.useSession(all[0]?.id ?? '');
  open('newcomer');
  expect(ended).toEqual([`${all[1]?.id} gateway`]);
});
