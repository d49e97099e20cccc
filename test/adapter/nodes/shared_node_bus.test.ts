import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import { describeNodeBusContract } from '../../contract/node_bus_contract';
import { createManualClock } from '../../support/manual_clock';
import { NodeNetwork } from '../../support/node_network';

const onError = (message: string) => {
  throw new Error(message);
};
const network = new NodeNetwork();
const clock = createSystemClock();
describeNodeBusContract('a network in this process', self => new SharedNodeBus({ transport: network.connect(), clock, self, onError }));

it('forgets what a node announced that died, and announces its own keys again after a loss', async () => {
  const [net, time] = [new NodeNetwork(), createManualClock()];
  const join = (self: string) => new SharedNodeBus({ transport: net.connect(), clock: time, self, onError });
  const [dead, alive, witness] = [join('dead'), join('alive'), join('witness')];
  await Promise.resolve();
  dead.announce('readers', 'ses_dead');
  alive.announce('readers', 'ses_alive');
  time.advance(20);
  expect([witness.isAnnounced('readers', 'ses_dead'), witness.isAnnounced('readers', 'ses_alive')]).toEqual([true, true]);
  await dead.close();
  for (let minute = 0; minute < 4; minute++) time.advance(60_010);
  expect([witness.isAnnounced('readers', 'ses_dead'), witness.isAnnounced('readers', 'ses_alive')]).toEqual([false, true]);

  const lost: string[] = [];
  witness.onLoss(() => lost.push('loss'));
  net.isCut = true;
  alive.announce('readers', 'ses_cut');
  time.advance(20);
  expect(witness.isAnnounced('readers', 'ses_cut')).toBe(false);
  net.heal();
  time.advance(20);
  expect(witness.isAnnounced('readers', 'ses_cut')).toBe(true);
  expect(lost).toContain('loss');
});

it('sends messages of ten milliseconds together', async () => {
  const [net, time] = [new NodeNetwork(), createManualClock()];
  const bus = new SharedNodeBus({ transport: net.connect(), clock: time, self: 'a', onError });
  await Promise.resolve();
  time.advance(20);
  net.sent.length = 0;
  for (let i = 0; i < 50; i++) bus.publish('jobs', { i });
  expect(net.sent).toEqual([]);
  time.advance(10);
  expect(net.sent).toHaveLength(1);
});

it('notices a text that is lost on its way, at the next one or at the next beat', async () => {
  const [net, time] = [new NodeNetwork(), createManualClock()];
  const join = (self: string) => new SharedNodeBus({ transport: net.connect(), clock: time, self, onError });
  const [sender, receiver] = [join('sender'), join('receiver')];
  await Promise.resolve();
  time.advance(20);
  let losses = 0;
  receiver.onLoss(() => losses++);
  const loseOne = () => {
    net.isCut = true;
    sender.publish('jobs', {});
    time.advance(20);
    net.isCut = false;
  };
  loseOne();
  expect(losses).toBe(0);
  sender.publish('jobs', {});
  time.advance(20);
  expect(losses).toBe(1);
  loseOne();
  time.advance(60_020);
  expect(losses).toBe(2);
});

it('repeats announcements that are too long together, and ends them when it closes', async () => {
  const [net, time] = [new NodeNetwork(), createManualClock()];
  const join = (self: string) => new SharedNodeBus({ transport: net.connect(), clock: time, self, onError });
  const [a, b] = [join('a'), join('b')];
  await Promise.resolve();
  const keys = Array.from({ length: 100 }, (_, i) => `${'t'.repeat(64)}\nses_${String(i).padStart(26, '0')}`);
  for (const key of keys) a.announce('approvers', key);
  for (let minute = 0; minute < 4; minute++) time.advance(60_020);
  expect(keys.filter(key => b.isAnnounced('approvers', key))).toEqual(keys);
  await a.close();
  expect(keys.filter(key => b.isAnnounced('approvers', key))).toEqual([]);
});

it('gives the other messages of a text to their listeners when one listener fails, and reports a loss', async () => {
  const [net, time] = [new NodeNetwork(), createManualClock()];
  const errors: string[] = [];
  const join = (self: string) =>
    new SharedNodeBus({ transport: net.connect(), clock: time, self, onError: message => errors.push(message) });
  const [a, b] = [join('a'), join('b')];
  await Promise.resolve();
  time.advance(20);
  const heard: string[] = [];
  b.onLoss(() => heard.push('loss'));
  b.subscribe('jobs', () => {
    throw new Error('broken');
  });
  b.subscribe('keys', () => heard.push('keys'));
  a.publish('jobs', {});
  a.publish('keys', {});
  time.advance(20);
  expect([heard, errors]).toEqual([['loss', 'keys'], ['a message of another node could not be handled']]);
});
