/** What a turn over Postgres costs in waits: each round trip is the distance to the server, once there and once back. */
import { connectChat } from '../support/chat_client';
import { type DelayProxy, startDelayProxy, throughProxy } from '../support/delay_proxy';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';

/**
 * Round trips of a turn with two tool rounds that only read, and a model that answers at once: two of its acceptance and three of its
 * end, one of which asks for webhooks of the run. Events that are
 * stored in between, each 100 ms at most, take two more.
 */
const MAX_ROUND_TRIPS = 4;
const TURNS = 9;

describeWithPostgres('a turn over Postgres', () => {
  let server: PostgresServer;
  let proxy: DelayProxy;
  let model: MockModel;
  let gateway: Gateway;

  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    proxy = await startDelayProxy({ targetPort: Number(new URL(url).port) });
    model = await startMockModel();
    const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] };
    model.onTurn('look', list, read, 'Twenty lines of notes.');
    gateway = await startGateway({
      files: { 'notes.txt': 'A line of notes.\n'.repeat(20) },
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', DATABASE_URL: throughProxy(url, proxy) },
    });
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    await model?.stop();
    await proxy?.stop();
    await server?.stop();
  });

  it('waits for the server few times', async () => {
    const client = await connectChat(gateway.url);
    const first = await client.chat('look around');
    await client.endOf(first.runId);
    const counts: number[] = [];
    while (counts.length < TURNS) {
      const before = await proxy.readRoundTrips();
      const { runId } = await client.chat('look around', { sessionId: first.sessionId });
      expect((await client.endOf(runId)).data.status).toBe('completed');
      counts.push((await proxy.readRoundTrips()).work - before.work);
    }
    client.close();
    if (process.env['NETA_PRINT_COUNTS']) process.stderr.write(`round trips: ${counts.join(', ')}\n`);
    // Other turns have what happens in the background too: polls, the sums of usage, the index of messages.
    expect(Math.min(...counts)).toBeGreaterThan(2);
    expect(Math.min(...counts)).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
  });
});
