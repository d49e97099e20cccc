import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import { PostgresNotify } from '../../../src/adapter/postgres/postgres_notify';
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import { describeNodeBusContract } from '../../contract/node_bus_contract';
import { describeWithPostgres, endConnections, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { until } from '../../support/until';

describeWithPostgres('messages over Postgres', () => {
  let server: PostgresServer;
  let url: string;
  const clock = createSystemClock();
  const onError = (message: string) => {
    throw new Error(message);
  };
  const openNode = (self: string) => new SharedNodeBus({ transport: new PostgresNotify(url, () => {}), clock, self, onError });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await (await openPostgresStore({ parts: STORE_PARTS, url })).close();
  });
  afterAll(() => server?.stop());

  describeNodeBusContract('Postgres', openNode);

  it('carries equal texts, and ends soon when the server does not answer', async () => {
    const [a, b] = [openNode('a'), openNode('b')];
    let heard = 0;
    b.subscribe('jobs', () => heard++);
    const beat = a.announce('readers', 'ses_0');
    await until(() => b.isAnnounced('readers', 'ses_0'));
    for (let i = 0; i < 3; i++) {
      a.publish('jobs', {});
      a.flush();
    }
    await until(() => heard === 3);
    beat();
    await b.close();
    const dead = new PostgresNotify('postgres://neta@127.0.0.1:1/neta', () => {});
    for (let i = 0; i < 60; i++) dead.send(`text ${i}`);
    const started = performance.now();
    await Promise.all([a.close(), dead.close()]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('listens again when its connections break, and says that messages may be lost', async () => {
    const [a, b] = [openNode('a'), openNode('b')];
    let losses = 0;
    b.onLoss(() => losses++);
    try {
      const end = a.announce('readers', 'ses_1');
      await until(() => b.isAnnounced('readers', 'ses_1'));
      const before = losses;
      await endConnections(url, 'listen');
      await endConnections(url, 'select pg_notify');
      await until(() => losses > before);
      end();
      a.announce('readers', 'ses_2');
      await until(() => b.isAnnounced('readers', 'ses_2'));
    } finally {
      await Promise.all([a.close(), b.close()]);
    }
  });
});
