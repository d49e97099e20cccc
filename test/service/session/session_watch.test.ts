/** The watchers of lists of sessions, at two gateways of one process. */
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import { SessionWatch } from '../../../src/service/session/session_watch';
import { createManualClock } from '../../support/manual_clock';
import { NodeNetwork } from '../../support/node_network';

const onError = (message: string) => {
  throw new Error(message);
};

it('knows of the watchers of another gateway until the last one leaves, so that titles are written wherever a run ends', async () => {
  const [network, clock] = [new NodeNetwork(), createManualClock()];
  const join = (self: string) => new SharedNodeBus({ transport: network.connect(), clock, self, onError });
  const buses = [join('one'), join('other')] as const;
  const [one, other] = [new SessionWatch(buses[0]), new SessionWatch(buses[1])];
  await Promise.resolve();
  const seen = (tenantId: string) => {
    clock.advance(20);
    return [one.isWatched(tenantId), other.isWatched(tenantId)];
  };
  expect(seen('acme')).toEqual([false, false]);
  const leaves = [one.watch('acme', () => {}), one.watch('acme', () => {})];
  expect([seen('acme'), seen('globex')]).toEqual([
    [true, true],
    [false, false],
  ]);
  leaves[0]?.();
  leaves[0]?.();
  expect(seen('acme')).toEqual([true, true]);
  leaves[1]?.();
  expect(seen('acme')).toEqual([false, false]);
  for (const bus of buses) await bus.close();
});
