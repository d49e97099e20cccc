/** Sessions of MCP clients on a clock of the test: who may use them, what ends them, and two gateways on one store. */

import { type McpSessionFacts, type McpSessionPeer, McpSessions } from '../../../src/feature/mcp_door/mcp_sessions';
import { NO_OTHER_NODES, type NodeListener } from '../../../src/port/node_bus';
import type { Principal } from '../../../src/port/principal';
import type { Store } from '../../../src/port/store/store';
import type { Identity } from '../../../src/service/auth/key_ring';
import { createManualClock, type ManualClock } from '../../support/manual_clock';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';
import { until } from '../../support/until';

const MINUTE_MS = 60_000;
const FACTS: McpSessionFacts = { locale: 'en', answersJson: false, canAsk: true, protocolVersion: '2025-11-25' };

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

/** Gateways that hear each other at once. */
function createNetwork() {
  const listeners: [node: number, listener: NodeListener][] = [];
  const losses: (() => void)[] = [];
  let nodes = 0;
  return {
    join() {
      const node = nodes++;
      return {
        ...NO_OTHER_NODES,
        publish: (_topic: string, message: object) => {
          for (const [other, listener] of listeners) if (other !== node) listener(message, String(node));
          return true;
        },
        subscribe: (_topic: string, listener: NodeListener) => void listeners.push([node, listener]),
        onLoss: (listener: () => void) => void losses.push(listener),
      };
    },
    lose: () => {
      for (const listener of losses) listener();
    },
  };
}

let made = 0;

interface SetUp {
  clock?: ManualClock;
  store?: Store;
  nodeBus?: ReturnType<ReturnType<typeof createNetwork>['join']>;
}

function setUp({ clock = createManualClock(), store = temporary.store, nodeBus = createNetwork().join() }: SetUp = {}) {
  const followed = new Map<Identity, () => void>();
  const errors: unknown[] = [];
  const sessions = new McpSessions({
    store,
    clock,
    nodeBus,
    ids: { uuid: () => `session-${String(++made).padStart(5, '0')}`, next: prefix => `${prefix}_1` },
    auth: {
      followConnection(identity, end) {
        followed.set(identity, end);
        return () => followed.delete(identity);
      },
    },
    onError: (_text, thrown) => errors.push(thrown),
  });
  const ended: string[] = [];
  const peerOf = (own: string): McpSessionPeer => ({
    end: ({ isByClient }) => ended.push(`${own} ${isByClient ? 'client' : 'gateway'}`),
    cancelRequest: requestId => ended.push(`${own} request ${requestId}`),
    announceTools: () => {},
  });
  const identityOf = (keyId: string, tenantId = 'default'): Identity => {
    const principal: Principal = { tenantId, keyId, keyName: keyId, scopes: new Set(['chat']) };
    return { principal };
  };
  const open = async (keyId: string, tenantId?: string) => {
    const identity = identityOf(keyId, tenantId);
    const { id } = await sessions.openSession(identity, FACTS, peerOf);
    return { id, identity };
  };
  const find = (identity: Identity, id: string) => sessions.findSession(identity, id, record => peerOf(record.id));
  const isStored = async ({ identity, id }: { identity: Identity; id: string }) =>
    (await store.read.mcpSessions.get(identity.principal.tenantId, id)) !== undefined;
  return { clock, sessions, ended, open, find, identityOf, followed, isStored, errors };
}

it('gives a session to its own key alone', async () => {
  const { open, find } = setUp();
  const [ada, grace, stranger] = [await open('ada'), await open('grace'), await open('ada', 'rival')];
  expect(await find(ada.identity, ada.id)).toBeDefined();
  expect(await find(grace.identity, ada.id)).toBeUndefined();
  expect(await find(stranger.identity, ada.id)).toBeUndefined();
  expect(await find(ada.identity, 'unknown')).toBeUndefined();
});

it('ends a session after half an hour without a request, and one with an open stream never', async () => {
  const { clock, sessions, ended, open, find } = setUp();
  const [idle, streaming] = [await open('ada'), await open('ada')];
  const release = sessions.useSession(streaming.id);
  clock.advance(29 * MINUTE_MS);
  sessions.useSession(idle.id)();
  clock.advance(29 * MINUTE_MS);
  expect(ended).toEqual([]);
  clock.advance(10 * MINUTE_MS);
  expect(ended).toEqual([`${idle.id} gateway`]);
  await sessions.deleteUnused();
  expect(await find(idle.identity, idle.id)).toBeUndefined();
  clock.advance(600 * MINUTE_MS);
  expect(ended).toHaveLength(1);
  release();
  clock.advance(40 * MINUTE_MS);
  expect(ended.at(-1)).toBe(`${streaming.id} gateway`);
  expect(await find(streaming.identity, streaming.id)).toBeUndefined();
});

it('ends the sessions of a caller that may no longer be served', async () => {
  const { ended, open, find, followed } = setUp();
  const { id, identity } = await open('ada');
  const other = await open('grace');
  followed.get(identity)?.();
  expect(ended).toEqual([`${id} gateway`]);
  await until(async () => (await find(identity, id)) === undefined);
  expect(await find(other.identity, other.id)).toBeDefined();
  await until(() => !followed.has(identity));
});

it('makes room for the 101st session of a key by ending the one that is idle for longest', async () => {
  const { sessions, ended, open, find, isStored } = setUp();
  const own: Awaited<ReturnType<typeof open>>[] = [];
  for (let i = 0; i < 100; i++) own.push(await open('ada'));
  const other = await open('grace');
  sessions.useSession(own[0]?.id ?? '');
  sessions.useSession(own[1]?.id ?? '')();
  await open('ada');
  expect(ended).toEqual([`${own[2]?.id} gateway`]);
  expect(own[2] && (await isStored(own[2]))).toBe(false);
  expect(await find(other.identity, other.id)).toBeDefined();
});

it('refuses a session when all of the key are in use', async () => {
  const { sessions, ended, open } = setUp();
  const own: Awaited<ReturnType<typeof open>>[] = [];
  for (let i = 0; i < 100; i++) own.push(await open('ada'));
  const releases = own.map(({ id }) => sessions.useSession(id));
  await expect(open('ada')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(ended).toEqual([]);
  releases[7]?.();
  await open('ada');
  expect(ended).toEqual([`${own[7]?.id} gateway`]);
});

it('drops what it has of the session that is idle for longest when it serves a thousand, and serves that session again', async () => {
  const { sessions, ended, open, find } = setUp();
  const all: Awaited<ReturnType<typeof open>>[] = [];
  for (let i = 0; i < 1_000; i++) all.push(await open(`key-${i % 10}`));
  sessions.useSession(all[0]?.id ?? '');
  await open('newcomer');
  const [, dropped] = all;
  expect(ended).toEqual([`${dropped?.id} gateway`]);
  expect(dropped && (await find(dropped.identity, dropped.id))).toBeDefined();
}, 30_000);

describe('two gateways on one store', () => {
  const join = async () => {
    const network = createNetwork();
    const clock = createManualClock();
    const [a, b] = [
      setUp({ clock, nodeBus: network.join() }),
      setUp({ clock, nodeBus: network.join(), store: await temporary.openAnother() }),
    ];
    return { a, b, clock, network };
  };

  it('serve the same session, with one peer at each, and after a restart too', async () => {
    const { a, b } = await join();
    const { id, identity } = await a.open('ada');
    const [first, second] = await Promise.all([b.find(identity, id), b.find(identity, id)]);
    expect(first).toBeDefined();
    expect(second).toBe(first);
    expect(await b.find(b.identityOf('grace'), id)).toBeUndefined();
    a.sessions.stop();
    expect(await a.find(identity, id)).toBeDefined();
  });

  it('hear what a client ends at the other one: a request, or the session', async () => {
    const { a, b } = await join();
    const { id, identity } = await a.open('ada');
    await b.find(identity, id);
    b.sessions.cancelElsewhere(id, 7);
    expect(a.ended).toEqual([`${id} request 7`]);
    await b.sessions.endSession('default', id, { isByClient: true });
    expect(a.ended.at(-1)).toBe(`${id} client`);
    expect(await a.find(identity, id)).toBeUndefined();
  });

  it('end a session whose end they have not heard of', async () => {
    const { a, network } = await join();
    const [lost, kept] = [await a.open('ada'), await a.open('ada')];
    await temporary.store.transaction('none', tx => tx.mcpSessions.delete('default', lost.id));
    network.lose();
    await until(() => a.ended.length > 0);
    expect(a.ended).toEqual([`${lost.id} gateway`]);
    expect(await a.find(kept.identity, kept.id)).toBeDefined();
  });

  it('keep a session that is used at one of them', async () => {
    const { a, b, clock } = await join();
    const { id, identity } = await a.open('ada');
    await b.find(identity, id);
    for (let i = 0; i < 10; i++) {
      clock.advance(6 * MINUTE_MS);
      b.sessions.useSession(id)();
    }
    await until(async () => (await temporary.store.read.mcpSessions.get('default', id))?.usedAt === clock.now());
    await a.sessions.deleteUnused();
    expect(a.ended).toEqual([`${id} gateway`]);
    expect(await a.find(identity, id)).toBeDefined();
    expect([a.errors, b.errors]).toEqual([[], []]);
  });
});
