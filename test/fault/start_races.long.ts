/** Many starts at once over three gateways on one Postgres: one active run a session, also without the check of the code, every run in order, and no limit exceeded. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { MODEL_KEY } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../support/postgres_server';
import { createRestClient, type ErrorBody, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const STARTS = 100;
/** Runs of one session that may wait behind its active run. */
const QUEUED_OF_SESSION = 32;
const RUNS_AT_ONCE = 3;
const RUNS_OF_MINUTE = 20;
const SAMPLE_MS = 10;
/** 67 starts at a time find the queue full; shorter pauses would be most of the load. */
const RETRY_MS = 500;
const RACE_LIMIT_MS = 120_000;

interface Accepted {
  runId: string;
  sessionId: string;
}

describeWithPostgres('three gateways on one Postgres', () => {
  let server: PostgresServer;
  let model: MockModel;
  let profiles: AgentConfig;
  let client: Client;
  let url: string;
  const gateways: Gateway[] = [];
  let rests: RestClient[];

  beforeAll(async () => {
    server = await startPostgres();
    model = await startMockModel();
    model.onTurn('race', request => `answer to ${request.userText}`);
    model.onTurn('held', { text: 'held until all have started', chunkSize: 4, pauseAfter: 1 });
    profiles = await createProfiles({ default: '' });
    url = await server.createDatabase();
    const env = {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: MODEL_KEY,
      DATABASE_URL: url,
      NETA_CONFIG_DIR: profiles.directory,
    };
    for (let i = 0; i < 3; i++) gateways.push(await startGateway({ env, failpoints: true }));
    rests = gateways.map(gateway => createRestClient(gateway.url));
    client = new Client(url);
    await client.connect();
  }, 120_000);

  afterAll(async () => {
    await client?.end();
    for (const gateway of gateways) await gateway.stop();
    await model?.stop();
    await profiles?.remove();
    await server?.stop();
  });

  const setLimits = async (text: string) => {
    await writeFile(join(profiles.directory, 'limits.yaml'), text);
    // Each gateway reads the file within a second.
    await pause(2_500);
  };
  const start = (i: number, body: Record<string, unknown>, headers = {}) =>
    rests[i % rests.length]!.request<Accepted & ErrorBody>('POST', '/runs', body, { prefer: 'respond-async', ...headers });
  const untilCompleted = (where: string, runs: number) =>
    until(
      async () => (await query(url, `select count(*)::int as runs from runs where status = 'completed' and ${where}`))[0]?.['runs'],
      count => count === runs,
      { limitMs: RACE_LIMIT_MS },
    );

  /** Resolves with the highest number of active and of unfinished runs while `work` goes on. */
  const highestDuring = async (where: string, work: Promise<unknown>): Promise<{ active: number; unfinished: number }> => {
    let isOver = false;
    const highest = { active: 0, unfinished: 0 };
    const done = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { rows } = await client.query<typeof highest>(
        `select count(*) filter (where status <> 'queued')::int as active, count(*)::int as unfinished
         from runs where status in ('queued', 'running', 'waiting') and ${where}`,
      );
      highest.active = Math.max(highest.active, rows[0]!.active);
      highest.unfinished = Math.max(highest.unfinished, rows[0]!.unfinished);
      await pause(SAMPLE_MS);
    }
    await done;
    return highest;
  };

  it(
    'has one active run at any time and runs all in order, when 100 starts race for one session',
    async () => {
      const { body } = await rests[0]!.request<{ id: string }>('POST', '/sessions', { title: 'race' });
      const ofSession = `session_id = '${body.id}'`;
      const startUntilAccepted = async (i: number) => {
        for (;;) {
          const answer = await start(i, { input: `race ${i}`, sessionId: body.id }, { 'idempotency-key': `race-${i}` });
          if (answer.status === 202) return answer.body.runId;
          expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
          await pause(RETRY_MS);
        }
      };
      const work = Promise.all(Array.from({ length: STARTS }, (_, i) => startUntilAccepted(i))).then(async runIds => {
        expect(new Set(runIds).size).toBe(STARTS);
        await untilCompleted(ofSession, STARTS);
      });
      const { active, unfinished } = await highestDuring(ofSession, work);
      expect(active).toBe(1);
      expect(unfinished).toBeLessThanOrEqual(1 + QUEUED_OF_SESSION);
      const { rows } = await client.query<{ ordinal: number; isAfter: boolean }>(
        `select ordinal::int as ordinal, coalesce(started_at >= lag(ended_at) over (order by ordinal), true) as "isAfter" from runs where ${ofSession}
         order by ordinal`,
      );
      expect(rows).toEqual(rows.map((_, i) => ({ ordinal: i + 1, isAfter: true })));
    },
    RACE_LIMIT_MS,
  );

  it.each(['reject', 'enqueue'])(
    'has one active run when the check of the code is off and 100 starts race for one session with onBusy %s',
    async onBusy => {
      const { body } = await rests[0]!.request<{ id: string }>('POST', '/sessions', { title: 'unchecked race' });
      for (const gateway of gateways) await gateway.arm('active_check=fail:100000');
      const starts = Promise.all(
        Array.from({ length: STARTS }, (_, i) => start(i, { input: `held ${onBusy} ${i}`, sessionId: body.id, onBusy })),
      );
      const { active } = await highestDuring(`session_id = '${body.id}'`, starts);
      const answers = await starts;
      expect(active).toBe(1);
      const accepted = answers.filter(({ status }) => status === 202);
      expect(accepted).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 202);
      expect(refused.map(answer => answer.body.error.code)).toEqual(refused.map(() => 'session_busy'));
      for (const gateway of gateways) await gateway.arm('');
      model.resume();
      await untilCompleted(`id = '${accepted[0]?.body.runId}'`, 1);
    },
    RACE_LIMIT_MS,
  );

  it('executes no more runs of a key at once than its limit, over all gateways', async () => {
    await setLimits(`default: { concurrentRuns: ${RUNS_AT_ONCE} }\n`);
    const starts = Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const { status, body } = await start(i, { input: `race key ${i}` });
        expect(status).toBe(202);
        return body.runId;
      }),
    ).then(async runIds => {
      await untilCompleted(`id in (${runIds.map(id => `'${id}'`).join(', ')})`, runIds.length);
    });
    expect((await highestDuring('true', starts)).active).toBeLessThanOrEqual(RUNS_AT_ONCE);
  }, 60_000);

  it('accepts no more runs in a minute than the limit, over all gateways', async () => {
    await setLimits(`default: { runsPerMinute: ${RUNS_OF_MINUTE} }\n`);
    const statuses = await Promise.all(Array.from({ length: 60 }, async (_, i) => (await start(i, { input: `race minute ${i}` })).status));
    const accepted = statuses.filter(status => status === 202).length;
    expect(accepted).toBeLessThanOrEqual(RUNS_OF_MINUTE);
    // Each gateway takes a point in advance.
    expect(accepted).toBeGreaterThanOrEqual(RUNS_OF_MINUTE - gateways.length);
    expect(statuses.filter(status => status !== 202 && status !== 429)).toEqual([]);
  }, 60_000);
});
