/** The primary is killed in the middle of runs, and its synchronous standby takes its place. */
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithPostgres, ownPostgres } from '../support/postgres_server';
import { type NodesBench, startNodesBench } from './nodes_bench';
import { createRandom } from './random';

const LIMIT_MS = 120_000;
/** Between the end of the primary and the moment at which an operator, or a program, promotes the standby. */
const NOTICED_MS = 1_000;

(ownPostgres ? describeWithPostgres : describe.skip)('three gateways whose address names a primary and its synchronous standby', () => {
  const random = createRandom(20_261_128);
  let bench: NodesBench;

  beforeAll(async () => {
    bench = await startNodesBench(random, { count: 3, withStandby: true });
  }, LIMIT_MS);

  afterAll(() => bench?.stop());

  it(
    'lose no acknowledged message and no run when the primary is killed and the standby promoted',
    async () => {
      const { violations } = await bench.round('promotion', async ({ server, standby }) => {
        await delay(random.between(300, 900));
        await server.kill('kill');
        await delay(NOTICED_MS);
        await standby?.promote();
        return 1;
      });
      expect([...violations, ...(await bench.checkCluster())]).toEqual([]);
    },
    LIMIT_MS,
  );
});
