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
  expect(lost).toEqual(['loss']);
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
