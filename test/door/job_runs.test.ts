/** The runs of jobs: nobody can be asked, and a due time makes exactly one run over crashes, downtime and two processes. */

import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { JobRecord } from '../../src/feature/jobs/store/job_records';
import type { Store } from '../../src/port/store/store';
import { MODEL_KEY } from '../support/agent_bench';
import { APPROVER, type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { startGateway } from '../support/gateway';
import { createRestClient, type PageBody } from '../support/rest_client';
import { STORE_PARTS } from '../support/store_parts';
import { until } from '../support/until';

interface JobRun {
  runId: string;
  sessionId: string;
  dueAt: string;
  status: string;
  trigger: string;
}
interface Job {
  id: string;
  enabled: boolean;
  pausedReason?: string;
}
interface Started {
  runId: string;
  sessionId: string;
}

const RULES = `rules:
  - { tool: bash, pattern: 'tally', decision: ask }
`;
const CREATE = { action: 'create', name: 'Copy', schedule: { everyMs: 3_600_000 }, input: 'plain' };

let bench: ApprovalBench;

beforeAll(async () => {
  bench = await startApprovalBench({ rules: RULES, failpoints: true });
  const last = (request: { toolResults: string[] }) => `Told: ${request.toolResults.at(-1)}`;
  const cron = (name: string, args: Record<string, unknown>) =>
    bench.model.onTurn(name, { toolCalls: [{ name: 'cron', arguments: args }] }, last);
  bench.model.onTurn('plain', 'All is well.');
  bench.model.onTurn(
    'which bed',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which bed?', choices: ['left', 'right'] } }] },
    'done',
  );
  bench.model.onTurn('2', 'The right bed it is.');
  cron('make a job', CREATE);
  cron('show the jobs', { action: 'list' });
  bench.model.onTurn('endless', { text: 'It never ends.', chunkSize: 4, pauseAfter: 1 });
});

afterAll(() => bench?.stop());

const create = async (fields: Record<string, unknown>) => {
  const job = { name: 'Job', schedule: { everyMs: 3_600_000 }, input: 'plain', ...fields };
  return (await bench.rest.request<Job>('POST', '/jobs', job)).body.id;
};
const runsOf = async (id: string) => (await bench.rest.request<PageBody<JobRun>>('GET', `/jobs/${id}/runs`)).body.data;
const soon = (milliseconds: number) => ({ at: new Date(Date.now() + milliseconds).toISOString() });

/** Starts a run of a new job now and resolves with its end. */
async function runJob(fields: Record<string, unknown>) {
  const id = await create(fields);
  const { runId, sessionId } = (await bench.rest.request<Started>('POST', `/jobs/${id}/run`)).body;
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  return { id, sessionId, events, end: events.at(-1)?.data as { status: string; text: string; clarification?: { requestId: string } } };
}

/** Waits until the job has a run that has ended, and resolves with all its runs. */
function endedRuns(id: string): Promise<JobRun[]> {
  return until(
    () => runsOf(id),
    runs => runs.length > 0 && runs.every(({ status }) => status === 'completed'),
  );
}

/** Uses the database of the stopped gateway. */
async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ parts: STORE_PARTS, path: join(bench.gateway.dataDir, 'neta.db') });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

describe('nobody can be asked in a job', () => {
  it('a question becomes the answer of the run and stays answerable in its session', async () => {
    const { end, sessionId } = await runJob({ input: 'which bed' });
    expect(end).toMatchObject({ status: 'completed', text: expect.stringContaining('Which bed?'), clarification: {} });
    const answered = await bench.rest.run({ input: '2', sessionId });
    expect(answered.body).toMatchObject({ status: 'completed', text: 'The right bed it is.' });
    const { body } = await bench.rest.request<PageBody<{ status: string }>>('GET', `/clarifications?sessionId=${sessionId}`);
    expect(body.data).toMatchObject([{ status: 'answered' }]);
  });

  it('a call that needs approval is refused at once, although a page follows the session', async () => {
    const id = await create({ input: 'tally refused', session: 'same' });
    const first = (await bench.rest.request<Started>('POST', `/jobs/${id}/run`)).body;
    const client = await bench.connect(APPROVER);
    await client.send({ type: 'subscribe', sessionId: first.sessionId });
    const { runId } = (await bench.rest.request<Started>('POST', `/jobs/${id}/run`)).body;
    const end = await client.endOf(runId);
    expect(end.data.text).toContain('no person can be asked here');
    expect(client.eventsOf(runId).map(event => event.type)).not.toContain('approval_request');
    expect(await bench.tallyOf('refused')).toBe(0);
  });

  it('a job cannot make jobs without a rule', async () => {
    const { end } = await runJob({ input: 'make a job' });
    expect(end.text).toContain('no person can be asked here');
  });
});

it('beaver.builtins an agent makes a job after approval, lists and pauses jobs unasked, and is asked before it resumes one', async () => {
  const client = await bench.connect(APPROVER);
  const { runId, sessionId } = await client.chat('make a job');
  const asked = await client.waitFor('approval_request', event => event.runId === runId);
  expect(asked.data).toMatchObject({ tool: 'cron', args: CREATE, reason: expect.stringContaining('nobody present') });
  await bench.rest.request('POST', `/approvals/${asked.data.requestId}`, { decision: 'allow_once' });
  const { text } = (await client.endOf(runId)).data;
  const id = /job_\w+/.exec(text)?.[0] ?? '';
  expect(text).toMatch(/^Told: Created the job\.\n- job_\w+ "Copy": every 60 minutes; next run: \w+/);
  expect((await bench.rest.request<Job>('GET', `/jobs/${id}`)).body).toMatchObject({ name: 'Copy', enabled: true, agent: 'default' });

  for (const [say, args] of [
    ['pause it', { action: 'update', id, enabled: false, name: 'Rest' }],
    ['resume it', { action: 'update', id, enabled: true }],
    ['remove it', { action: 'delete', id }],
  ] as const) {
    bench.model.onTurn(say, { toolCalls: [{ name: 'cron', arguments: args }] }, request => `Told: ${request.toolResults.at(-1)}`);
  }
  const typesOf = async (words: string) => {
    const run = await client.chat(words, { sessionId });
    const isAsked = (event: { runId?: string; type: string }) => event.runId === run.runId && event.type === 'approval_request';
    const ended = client.endOf(run.runId).then(() => 'ended');
    const step = await Promise.race([ended, client.waitFor('approval_request', isAsked).then(event => event.data.requestId)]);
    if (step !== 'ended') await bench.rest.request('POST', `/approvals/${step}`, { decision: 'allow_once' });
    await ended;
    return step === 'ended' ? 'unasked' : 'asked';
  };
  expect(await typesOf('show the jobs')).toBe('unasked');
  expect(await typesOf('pause it')).toBe('unasked');
  expect((await bench.rest.request<Job>('GET', `/jobs/${id}`)).body).toMatchObject({ name: 'Rest', enabled: false });
  expect(await typesOf('resume it')).toBe('asked');
  expect((await bench.rest.request<Job>('GET', `/jobs/${id}`)).body).toMatchObject({ enabled: true });
  expect(await typesOf('remove it')).toBe('asked');
  expect((await bench.rest.request('GET', `/jobs/${id}`)).status).toBe(404);
});

describe('a due time makes exactly one run', () => {
  it.each(['message_stored', 'run_claimed'])('when kill -9 comes at %s', async point => {
    await bench.gateway.arm(`${point}=crash`);
    const id = await create({ schedule: soon(300) });
    await bench.gateway.exited();
    await bench.gateway.restart();
    const runs = await endedRuns(id);
    expect(runs).toMatchObject([{ trigger: 'schedule' }]);
    const { body } = await bench.rest.request<PageBody<{ runId: string; door: string }>>('GET', `/runs?sessionId=${runs[0]?.sessionId}`);
    expect(body.data).toMatchObject([{ door: 'job' }]);
  });

  it('or what onMissed says, when no gateway ran', async () => {
    const schedule = { cron: '0 8 * * *', timeZone: 'UTC' };
    const ids = { run: await create({ schedule, onMissed: 'run' }), skip: await create({ schedule, onMissed: 'skip' }) };
    await bench.gateway.kill();
    const twoDaysAgo = Date.now() - 48 * 3_600_000;
    await withStore(async store => {
      for (const id of Object.values(ids)) {
        const job = (await store.read.jobs.get('default', id)) as JobRecord;
        await store.transaction('none', tx => tx.jobs.update({ ...job, nextRunAt: twoDaysAgo }));
      }
    });
    await bench.gateway.restart();
    // A job with a run in any case shows that the gateway has looked.
    await endedRuns(await create({ schedule: soon(0) }));
    expect(await endedRuns(ids.run)).toMatchObject([{ trigger: 'missed', dueAt: new Date(twoDaysAgo).toISOString() }]);
    expect(await runsOf(ids.skip)).toEqual([]);
    for (const id of Object.values(ids)) {
      const { body } = await bench.rest.request<{ nextRunAt: string }>('GET', `/jobs/${id}`);
      expect(Date.parse(body.nextRunAt)).toBeGreaterThan(Date.now());
    }
  });

  it('when two gateways see it', async () => {
    const { dataDir, workspace } = bench.gateway;
    const second = await startGateway({
      env: { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace },
    });
    const schedule = soon(4_000);
    const ids = await Promise.all(Array.from({ length: 8 }, () => create({ schedule })));
    // A job of its own makes the second gateway look at all due times.
    const later = { name: 'Later', schedule: { everyMs: 3_600_000 }, input: 'plain' };
    await createRestClient(second.url).request('POST', '/jobs', later);
    try {
      expect(Date.now()).toBeLessThan(Date.parse(schedule.at));
      for (const id of ids) expect(await endedRuns(id)).toMatchObject([{ trigger: 'schedule', dueAt: schedule.at }]);
      expect(`${bench.gateway.output()}${second.output()}`).not.toMatch(
        /cannot be started|"level":"(?:warn|error)","msg":"(?!WARNING: failpoints)/,
      );
    } finally {
      await second.stop();
    }
  });

  it('later, when it comes while the gateway drains', async () => {
    void bench.rest.request('POST', '/runs', { input: 'endless' }).catch(() => undefined);
    await bench.model.waitFor('endless');
    const schedule = soon(300);
    const id = await create({ schedule });
    const code = bench.gateway.terminate();
    await until(() => Date.now() >= Date.parse(schedule.at) + 100);
    bench.model.resume();
    expect(await code).toBe(0);
    expect(await withStore(store => store.read.jobs.latestRuns('default', id))).toEqual([]);
    await bench.gateway.restart();
    expect(await endedRuns(id)).toMatchObject([{ dueAt: schedule.at }]);
  });
});

it('a rule allows a job to make jobs, and a run with fewer tools gives its jobs no more: those that it makes, changes and starts', async () => {
  await bench.setRules('rules:\n  - { tool: cron, decision: allow }\n');
  await bench.gateway.restart();
  expect((await runJob({ input: 'make a job' })).end.text).toContain('Created the job.');
  const call = async (say: string, args: Record<string, unknown>, tools: Record<string, unknown>) => {
    bench.model.onTurn(say, { toolCalls: [{ name: 'cron', arguments: args }] }, request => `Told: ${request.toolResults.at(-1)}`);
    return (await bench.rest.run({ input: say, tools })).body.text;
  };
  const toolsIn = async (input: string) => (await bench.model.waitFor(input)).toolNames;
  const start = async (id: string) => {
    const { runId } = (await bench.rest.request<Started>('POST', `/jobs/${id}/run`)).body;
    await bench.rest.stream('GET', `/runs/${runId}/events`);
  };
  for (const input of ['plain denied', 'plain allowed', 'plain free', 'plain started', 'plain free again', 'plain changed']) {
    bench.model.onTurn(input, 'done');
  }

  const made = (input: string) => ({ ...CREATE, input });
  const denied = /job_\w+/.exec(await call('make one without bash', made('plain denied'), { deny: ['bash'] }))?.[0] ?? '';
  await start(denied);
  expect(await toolsIn('plain denied')).toContain('read_file');
  expect(await toolsIn('plain denied')).not.toContain('bash');

  const allowed = /job_\w+/.exec(await call('make one that reads', made('plain allowed'), { allow: ['cron', 'read_file'] }))?.[0] ?? '';
  await bench.gateway.restart();
  await start(allowed);
  expect((await toolsIn('plain allowed')).sort()).toEqual(['cron', 'read_file']);

  const free = await create({ input: 'plain free' });
  await start(free);
  expect(await toolsIn('plain free')).toContain('bash');
  await bench.rest.request('PATCH', `/jobs/${free}`, { input: 'plain started' });
  await call('start the free one', { action: 'run_now', id: free }, { deny: ['bash'] });
  expect(await toolsIn('plain started')).not.toContain('bash');
  await call('rename the free one', { action: 'update', id: free, name: 'Free' }, { deny: ['bash'] });
  await bench.rest.request('PATCH', `/jobs/${free}`, { input: 'plain free again' });
  await start(free);
  expect(await toolsIn('plain free again')).toContain('bash');
  await call('change the free one', { action: 'update', id: free, input: 'plain changed' }, { deny: ['bash'] });
  await start(free);
  expect(await toolsIn('plain changed')).not.toContain('bash');
});
