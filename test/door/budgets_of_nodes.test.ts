/** A budget of a day that several gateways on one store use up together. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunResult } from '../../src/service/run_log/run_service';
import { MODEL_KEY } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { describeWithPostgres, startPostgres } from '../support/postgres_server';
import { createRestClient, type ErrorBody, type RestAnswer, type RestClient } from '../support/rest_client';
import { withDirectory } from '../support/temporary_store';

const RUNS = 12;
const ANSWERS = 9;
const TOKENS_OF_ANSWER = 500;
/** Less than the runs of one gateway would use. */
const TOKENS_OF_DAY = 10_000;
const RACE_LIMIT_MS = 120_000;

describe('a budget of a day', () => {
  let model: MockModel;
  let profiles: AgentConfig;

  beforeAll(async () => {
    model = await startMockModel();
    const usage = { inputTokens: TOKENS_OF_ANSWER - 1, outputTokens: 1 };
    const calls = Array.from({ length: ANSWERS - 1 }, (_, i) => ({
      toolCalls: [{ name: 'echo', arguments: { text: `round ${i}` } }],
      usage,
    }));
    model.onTurn('rounds', ...calls, { text: 'All done.', usage });
    profiles = await createProfiles({ default: '' });
    await writeFile(join(profiles.directory, 'limits.yaml'), `tenants: { default: { tokensPerDay: ${TOKENS_OF_DAY} } }\n`);
  });
  afterAll(async () => {
    await model?.stop();
    await profiles?.remove();
  });

  /** Starts a run, again while a busy machine keeps the gateways from the lock of the store. */
  async function runToEnd(rest: RestClient, input: string): Promise<RestAnswer<RunResult & Partial<ErrorBody>>> {
    for (;;) {
      const answer = await rest.request<RunResult & Partial<ErrorBody>>('POST', '/runs', { input });
      if (answer.body.error?.code !== 'store_unavailable') return answer;
    }
  }

  /** Starts the runs at all gateways at once, and checks what they use together. */
  async function race(count: number, store: Record<string, string>): Promise<void> {
    const gateways: Gateway[] = [];
    try {
      const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_CONFIG_DIR: profiles.directory, ...store };
      for (let i = 0; i < count; i++) gateways.push(await startGateway({ env }));
      const rests = gateways.map(({ url }) => createRestClient(url));
      const ends = await Promise.all(Array.from({ length: RUNS }, (_, i) => runToEnd(rests[i % count]!, `rounds ${i}`)));
      const runs = ends.filter(({ status }) => status === 200).map(({ body }) => body);
      // A start that comes late finds the budget used up.
      const late = ends.filter(({ status }) => status !== 200).map(({ body }) => body.error?.code);
      expect(late).toEqual(late.map(() => 'quota_exceeded'));
      // One that begins first may complete.
      expect(runs.filter(({ status }) => status !== 'completed').every(({ reason }) => reason === 'budget')).toBe(true);
      const used = runs.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
      expect(used).toBeGreaterThanOrEqual(TOKENS_OF_DAY);
      expect(used).toBeLessThan(TOKENS_OF_DAY + RUNS * TOKENS_OF_ANSWER);
    } finally {
      for (const gateway of gateways) await gateway.stop();
    }
  }

  it(
    'is exceeded by at most one answer for each active run, when two gateways on one SQLite file use it up together',
    () => withDirectory(directory => race(2, { NETA_DATA_DIR: directory })),
    RACE_LIMIT_MS,
  );

  describeWithPostgres('over Postgres', () => {
    it(
      'is exceeded by at most one answer for each active run, when three gateways use it up together',
      async () => {
        const server = await startPostgres();
        try {
          await race(3, { DATABASE_URL: await server.createDatabase() });
        } finally {
          await server.stop();
        }
      },
      RACE_LIMIT_MS,
    );
  });
});
