/** Who looks at a session, at two gateways of one process. */
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import type { SessionNotice } from '../../../src/service/access/session_notice';
import { SessionPresence } from '../../../src/service/access/session_presence';
import { createManualClock } from '../../support/manual_clock';
import { NodeNetwork } from '../../support/node_network';

const SESSION = { tenantId: 'acme', sessionId: 'ses_1' };
const onError = (message: string) => {
  throw new Error(message);
};

type Shown = [handle: string, tabs: number, typing: boolean];

async function startGateways() {
  const [network, clock] = [new NodeNetwork(), createManualClock()];
  const buses = ['one', 'other'].map(self => new SharedNodeBus({ transport: network.connect(), clock, self, onError }));
  const sessionAccess = { isInUse: false, accessOf: async () => undefined, partOf: () => undefined, onChange: () => {} };
  const people = { findPerson: () => undefined };
  const gateways = buses.map(nodeBus => {
    const presence = new SessionPresence({ clock, nodeBus, sessionAccess, people });
    const look = (keyName: string, isSlow = () => false) => {
      const told: Shown[][] = [];
      const unannounce = nodeBus.announce('readers', SESSION.sessionId);
      const looking = presence.join(SESSION, { ...SESSION, keyName }, (notice: SessionNotice) => {
        if (isSlow()) return false;
        if (notice.type === 'presence') told.push(notice.people.map(({ handle, tabs, typing }) => [handle, tabs, typing]));
        return true;
      });
      const leave = () => {
        looking.leave();
        unannounce();
      };
      return { told, ...looking, leave };
    };
    return { presence, look };
  });
  const [one, other] = gateways;
  if (!one || !other) throw new Error('no gateways');
  /** Advances the time in small steps, so that promises settle between them. */
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 250) {
      clock.advance(Math.min(left, 250));
      for (let i = 0; i < 5; i++) await Promise.resolve();
    }
  };
  const presenceTexts = () => network.sent.filter(text => text.includes('"presence"')).length;
  await pass(100);
  return { network, one, other, pass, presenceTexts };
}

it('tells everybody at both gateways who comes, types and goes', async () => {
  const { one, other, pass } = await startGateways();
  const anna = one.look('@anna');
  await pass(100);
  expect(anna.told).toEqual([[['@anna', 1, false]]]);
  const ben = other.look('@ben');
  await pass(1_000);
  const both: Shown[] = [
    ['@anna', 1, false],
    ['@ben', 1, false],
  ];
  expect([anna.told.at(-1), ben.told.at(-1)]).toEqual([both, both]);
  expect((await other.presence.listPeople(SESSION)).map(({ handle, part }) => [handle, part])).toEqual([
    ['@anna', 'everybody'],
    ['@ben', 'everybody'],
  ]);
  ben.noteTyping();
  await pass(1_000);
  expect(anna.told.at(-1)?.[1]).toEqual(['@ben', 1, true]);
  await pass(6_000);
  expect(anna.told.at(-1)).toEqual(both);
  const tab = other.look('@ben');
  await pass(1_000);
  expect(anna.told.at(-1)?.[1]).toEqual(['@ben', 2, false]);
  tab.leave();
  ben.leave();
  await pass(1_000);
  expect(anna.told.at(-1)).toEqual([['@anna', 1, false]]);
});

it('sends nothing to other gateways while they have no reader of the session, and nothing about typing to whoever is alone', async () => {
  const { one, pass, presenceTexts } = await startGateways();
  const tabs = [one.look('@anna'), one.look('@anna')];
  await pass(100);
  tabs[0]?.noteTyping();
  await pass(30_000);
  expect(presenceTexts()).toBe(0);
  expect(tabs.map(({ told }) => told)).toEqual([[[['@anna', 2, false]]], [[['@anna', 2, false]]]]);
});

it('forgets the people of a gateway that has died within 40 seconds, and keeps those of one that lives', async () => {
  const { network, one, other, pass } = await startGateways();
  const anna = one.look('@anna');
  other.look('@ben');
  await pass(90_000);
  expect(anna.told.at(-1)).toHaveLength(2);
  network.isCut = true;
  await pass(40_000);
  expect(anna.told.at(-1)).toEqual([['@anna', 1, false]]);
  network.heal();
  await pass(1_000);
  expect(anna.told.at(-1)).toHaveLength(2);
});

it('tells changes at most twice a second, and what a slow reader has missed later', async () => {
  const { one, pass } = await startGateways();
  let isSlow = true;
  const anna = one.look('@anna', () => isSlow);
  for (let i = 0; i < 20; i++) {
    const ben = one.look('@ben');
    await pass(50);
    ben.leave();
    await pass(50);
  }
  const carl = one.look('@carl');
  expect(anna.told).toEqual([]);
  isSlow = false;
  await pass(11_000);
  expect(anna.told.at(-1)).toEqual(carl.told.at(-1));
  const before = anna.told.length;
  for (let i = 0; i < 20; i++) {
    one.look(`@ben${i}`);
    await pass(50);
  }
  expect(anna.told.length - before).toBeLessThanOrEqual(3);
  await pass(500);
  expect(anna.told.at(-1)).toHaveLength(22);
});
