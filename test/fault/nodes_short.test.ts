/** The short form of `npm run test:fault -- --nodes 3`: a kill, a network to Postgres that breaks, and a Postgres that starts again. */
import { describeWithPostgres } from '../support/postgres_server';
import { type NodeFault, nodeFault } from './node_faults';
import { type NodesBench, startNodesBench } from './nodes_bench';
import { createRandom } from './random';

/** A stop past the lease takes too long here. */
const SHORT_FAULTS: NodeFault[] = ['kill', 'cut', 'server_fast', 'server_immediate', 'server_kill'];
const CLOCK_AHEAD_MS = 10_000;
const ROUND_LIMIT_MS = 120_000;

describeWithPostgres('three gateways on one Postgres, one with a clock that is ahead', () => {
  const random = createRandom(20_261_128);
  let bench: NodesBench;

  beforeAll(async () => {
    bench = await startNodesBench(random, { count: 3, clocksAheadMs: [0, 0, CLOCK_AHEAD_MS] });
  }, ROUND_LIMIT_MS);

  afterAll(() => bench?.stop());

  it.each(SHORT_FAULTS)(
    'keep every promise after a fault of the kind %s',
    async fault => {
      expect((await bench.round(`short${fault}`, nodeFault(fault, random))).violations).toEqual([]);
    },
    ROUND_LIMIT_MS,
  );

  it(
    'have no deadlock, a whole audit chain, exact usage, and find every message',
    async () => {
      expect(await bench.checkCluster()).toEqual([]);
    },
    ROUND_LIMIT_MS,
  );
});
