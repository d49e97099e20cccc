/** Cancelling one tool call with all its processes, and the time limit of a run. */
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses } from '../fault/processes';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';
import { itInSandbox } from '../support/sandbox_table';

let bench: AgentBench;

/** An unusual number of seconds, by which a test finds its process. */
const MARKERS = [1, 2, 3, 4].map(number => `${4711 + number}.${process.pid}`);
const [ALONE, FORKED, LATE, OVER_REST] = MARKERS as [string, string, string, string];

beforeAll(async () => {
  bench = await startBench();
  const bash = (command: string, id?: string) => ({ name: 'bash', arguments: { command }, ...(id !== undefined && { id }) });
  const results = (request: { toolResults: string[] }) => `Told: ${request.toolResults.join(' | ')}`;
  const sleeping = (seconds: string) => `echo started; sleep ${seconds}`;
  bench.model.onTurn('one of two', { toolCalls: [bash(sleeping(ALONE), 'slow'), bash('echo the other ran', 'quick')] }, results);
  bench.model.onTurn('over rest', { toolCalls: [bash(sleeping(OVER_REST), 'slow')] }, results);
  const forked = `(setsid bash -c '(exec -c sleep ${FORKED}) & exec -c sleep ${FORKED}' &) ; sleep 0.1; echo started; sleep ${FORKED}`;
  bench.model.onTurn('deep', { toolCalls: [bash(forked)] }, results);
  bench.model.onTurn('too long', { toolCalls: [bash(sleeping(LATE))] }, results);
  bench.model.onTurn('patience', { toolCalls: [{ name: 'clarify', arguments: { question: 'Take your time?' } }] }, results);
  bench.model.onTurn('overloaded', { error: { status: 429, retryAfterSeconds: 30 } });
  bench.model.onTurn('go on', 'on it goes');
});

afterAll(() => bench?.stop());

async function startTool(text: string) {
  const client = await bench.connect();
  const run = await client.chat(text);
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  return { client, ...run };
}

describe('cancelling one tool call', () => {
  it('ends that call and its processes over Socket.IO, and the run continues', async () => {
    const { client, runId } = await startTool('one of two');
    expect(await client.send({ type: 'cancel', runId, toolCallId: 'slow' })).toEqual({ ok: true, status: 'running' });
    const { data } = await client.endOf(runId);
    expect(data.status).toBe('completed');
    expect(data.text).toMatch(/^Told: .*(stopped|cancelled).* \| .*the other ran/is);
    expect(await findProcesses(ALONE)).toEqual([]);
    const late = await client.send({ type: 'cancel', runId, toolCallId: 'slow' });
    expect(late.error).toMatchObject({ code: 'not_found', param: '/toolCallId' });
  });

  it('ends that call and its processes over REST, and the run continues', async () => {
    const { client, runId } = await startTool('over rest');
    const answer = await bench.rest.request('POST', `/runs/${runId}/tool-calls/slow/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { runId, toolCallId: 'slow' } });
    expect((await client.endOf(runId)).data.status).toBe('completed');
    expect(await findProcesses(OVER_REST)).toEqual([]);
    const unknown = await bench.rest.request<ErrorBody>('POST', `/runs/${runId}/tool-calls/none/cancel`);
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});

itInSandbox('cancelling a run kills processes that left their group, their parents and their environment, within a second', async () => {
  const { client, runId } = await startTool('deep');
  expect(await findProcesses(FORKED)).not.toEqual([]);
  const startedAt = performance.now();
  expect(await client.send({ type: 'cancel', runId })).toEqual({ ok: true, status: 'cancelled' });
  // The promise is one second; a machine that runs all tests at once needs more.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await findProcesses(FORKED)).toEqual([]);
});

it('ends a run at once that waits before it retries the model', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('overloaded');
  await bench.model.waitFor('overloaded');
  expect(await client.send({ type: 'cancel', runId })).toMatchObject({ ok: true });
  expect(bench.model.requests('overloaded').length).toBeLessThanOrEqual(1);
});

describe('the time limit of a run', () => {
  it('ends the run with a result for its unfinished call', async () => {
    const { body } = await bench.rest.run({ input: 'too long', limits: { timeoutMs: 1_000 } });
    expect(body).toMatchObject({ status: 'incomplete', reason: 'timeout', error: { code: 'run_timeout' }, toolCalls: [{ ok: false }] });
    expect(await findProcesses(LATE)).toEqual([]);
    expect((await bench.rest.run({ input: 'go on', sessionId: body.sessionId })).body).toMatchObject({ status: 'completed' });
  });

  it('does not count the time that the run waits for a person', async () => {
    const run = bench.rest.run({ input: 'patience', clarify: 'wait', limits: { timeoutMs: 2_000 } });
    await bench.model.waitFor('patience');
    await delay(2_300);
    const { body } = await bench.rest.request<{ data: { requestId: string }[] }>('GET', '/clarifications?status=pending');
    await bench.rest.request('POST', `/clarifications/${body.data[0]?.requestId}`, { answer: 'yes' });
    expect((await run).body).toMatchObject({ status: 'completed', text: expect.stringContaining('yes') });
  });
});
