/** Gateways on one Postgres whose clocks differ: the clock of the database decides which gateway lives. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../support/postgres_server';
import { createRestClient } from '../support/rest_client';
import { withDirectory } from '../support/temporary_store';
import { until } from '../support/until';

const SKEW_MS = 30_000;
/** Two heartbeats and a little. */
const HEARTBEATS_MS = 11_000;
/** A lease, a heartbeat and a busy machine. */
const TAKEOVER_MS = 30_000;

describeWithPostgres('gateways with different clocks', () => {
  let server: PostgresServer;
  let url: string;
  let bench: AgentBench;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    bench = await startBench({ own: 'it is killed', env: { DATABASE_URL: url } });
    bench.model.onTurn('slow', { text: 'slow', chunkSize: 2, pauseAfter: 1 });
    bench.model.onTurn('caller', { text: 'caller', chunkSize: 2, pauseAfter: 1 });
    bench.model.onTurn('hang', { text: 'never', pauseAfter: 0, times: 1 });
    bench.model.onTurn('hang', 'It goes on.');
  }, 60_000);
  afterAll(async () => {
    await bench?.stop();
    await server?.stop();
  });

  const startAhead = async (directory: string, name: string, aheadMs: number): Promise<Gateway> => {
    const file = join(directory, name);
    await writeFile(file, String(aheadMs));
    return startGateway({
      env: {
        OPENAI_BASE_URL: bench.model.baseUrl,
        OPENAI_API_KEY: MODEL_KEY,
        DATABASE_URL: url,
        NODE_OPTIONS: `--require ${join(__dirname, '../support/shifted_clock.cjs')}`,
        NETA_TEST_CLOCK_FILE: file,
      },
    });
  };
  /** Starts a run at the gateway whose clock is right, and waits for its model call. */
  const start = async (input: string): Promise<string> => {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input }, { prefer: 'respond-async' });
    await bench.model.waitFor(input);
    return body.runId;
  };
  const runRow = async (runId: string) => (await query(url, `select epoch, status, recoveries from runs where id = '${runId}'`))[0] ?? {};

  it(
    'leave each other their runs and callers while they live, and take over runs of one that died',
    () =>
      withDirectory(async directory => {
        const others = await Promise.all([startAhead(directory, 'ahead', SKEW_MS), startAhead(directory, 'behind', -SKEW_MS)]);
        try {
          const slow = await start('slow');
          const calling = fetch(`${bench.gateway.url}/v1/chat/completions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'caller' }] }),
          });
          await bench.model.waitFor('caller');
          await pause(HEARTBEATS_MS);
          bench.model.resume();
          expect(await (await calling).json()).toMatchObject({ choices: [{ message: { content: 'caller' } }] });
          await until(async () => (await runRow(slow))['status'] === 'completed');
          expect(await runRow(slow)).toMatchObject({ recoveries: '0', epoch: '1' });

          const hanging = await start('hang');
          await bench.gateway.kill();
          await until(async () => (await runRow(hanging))['status'] === 'completed', Boolean, { limitMs: TAKEOVER_MS });
          expect(await runRow(hanging)).toMatchObject({ recoveries: '1', epoch: '2' });
          const rest = createRestClient(others[0].url);
          expect(await rest.request('GET', `/runs/${hanging}`)).toMatchObject({ body: { text: 'It goes on.' } });
        } finally {
          for (const other of others) await other.stop();
        }
      }),
    120_000,
  );
});
