/** Two gateways on one Postgres whose messages a Redis carries. */
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../support/postgres_server';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis_server';
import { createRestClient, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const PASSWORD = 'a pass/word@of:redis';

describeWithPostgres('gateways on one Postgres', () => {
  describeWithRedis('with a Redis between them', () => {
    let server: PostgresServer;
    let redis: RedisServer;
    let url: string;
    let bench: AgentBench;
    let other: Gateway;
    let rest: RestClient;

    beforeAll(async () => {
      server = await startPostgres();
      redis = await startRedis({ password: PASSWORD });
      url = await server.createDatabase();
      const env = { DATABASE_URL: url, REDIS_URL: redis.url };
      bench = await startBench({ own: 'it has a database of its own', env });
      other = await startGateway({ env: { ...env, OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY } });
      rest = createRestClient(other.url);
      bench.model.onTurn('slow', { text: 'slow but seen', chunkSize: 4, pauseAfter: 1 });
    }, 120_000);
    afterAll(async () => {
      await other?.stop();
      await bench?.stop();
      await redis?.stop();
      await server?.stop();
    });

    const start = async (input: string): Promise<string> => {
      const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input }, { prefer: 'respond-async' });
      await bench.model.waitFor(input);
      return body.runId;
    };
    /** Reads the events of a run at the other gateway until a text says so. */
    const untilSeen = async (runId: string, text: string): Promise<void> => {
      const abort = new AbortController();
      const headers = { accept: 'text/event-stream' };
      const response = await fetch(`${other.url}/api/v1/runs/${runId}/events`, { headers, signal: abort.signal });
      let seen = '';
      const reader = response.body!.getReader();
      while (!seen.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`The stream of ${runId} ended before ${text}: ${seen}`);
        seen += Buffer.from(value).toString();
      }
      abort.abort();
    };

    it('shows text that is not stored yet at the other gateway, and asks Postgres for no messages', async () => {
      const runId = await start('slow one');
      await untilSeen(runId, '"text_delta"');
      const stored = await query(url, `select 1 from run_events where run_id = '${runId}' and type = 'text_delta'`);
      expect(stored).toEqual([]);
      expect(await query(url, "select 1 from pg_stat_activity where query ilike 'listen %' and datname = current_database()")).toEqual([]);
      bench.model.resume();
      await until(async () => (await rest.request<{ status: string }>('GET', `/runs/${runId}`)).body.status === 'completed');
    });

    it('loses nothing while the Redis is away, says so once without the password, and goes on when it is back', async () => {
      await redis.kill();
      const runId = await start('slow while it is away');
      expect((await rest.request('POST', `/runs/${runId}/cancel`)).status).toBeLessThan(300);
      const events = await rest.stream('GET', `/runs/${runId}/events`);
      expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'cancelled' } });
      const output = bench.gateway.output() + other.output();
      expect(output.match(/are lost until Redis answers/g)).toHaveLength(2);
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(output).not.toContain(secret);
      await redis.restart();
      await until(async () => String(await redis.admin.call('client', 'list')).split('name=neta-gateway').length - 1 === 4);
      const again = await start('slow one again');
      await untilSeen(again, '"text_delta"');
      bench.model.resume();
    });
  });
});
