/** Recovery of an interrupted run: which tool calls it repeats, and what happens to its open question. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';
import { STORE_PARTS } from '../support/store_parts';
import { until } from '../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ files: { 'beds.txt': 'beans and peas' }, failpoints: true });
  const count = (name: string) => ({ name: 'bash', arguments: { command: `echo ${name} >> counter.txt` } });
  const results = (request: { toolResults: string[] }) => `Told: ${request.toolResults.join(' | ')}`;
  bench.model.onTurn('two calls', { toolCalls: [count('two'), { name: 'read_file', arguments: { path: 'beds.txt' } }] }, results);
  bench.model.onTurn('one write', { toolCalls: [count('one'), count('one more')] }, results);
  const ask = (question: string) => ({ name: 'clarify', arguments: { question } });
  bench.model.onTurn('ask both', { toolCalls: [ask('Which seeds?'), ask('Which tools?')] }, results);
  bench.model.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which bed?' } }] }, results);
  bench.model.onTurn('stuck', { toolCalls: [{ name: 'bash', arguments: { command: 'echo started; sleep 60' } }] }, results);
  bench.model.onTurn('endless', { text: 'never said to the end', pauseAfter: 0 });
  bench.model.onTurn('cut short', { text: 'As much as fits', finishReason: 'content_filter' });
  bench.model.onTurn('go on', 'on it goes');
});

afterAll(() => bench?.stop());

const counted = async (line: string): Promise<number> => {
  const text = await readFile(join(bench.gateway.workspace, 'counter.txt'), 'utf8');
  return text.split('\n').filter(found => found === line).length;
};

async function eventsOf(runId: string): Promise<RunEvent[]> {
  const { body } = await bench.rest.request<PageBody<RunEvent>>('GET', `/runs/${runId}/events?limit=1000`);
  return body.data;
}

/** Arms failpoints, sends the text, waits for the crash, and restarts the gateway. */
async function crashAt(points: string, text: string): Promise<string> {
  await bench.gateway.arm(points);
  const client = await bench.connect();
  const { runId } = await client.chat(text);
  await bench.gateway.exited();
  await bench.gateway.restart();
  return runId;
}

/** Opens a question and ends the gateway that asked it, by `end`. */
async function askAndLose(text: string, end: () => Promise<unknown>) {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat(text);
  const { data: question } = await client.waitFor('clarify_request', event => event.runId === runId);
  await end();
  return { runId, sessionId, question };
}

interface OpenQuestion {
  requestId: string;
  runId: string;
  expiresAt: string;
}

/** Reads the events of a run to its end. */
const follow = (runId: string) => bench.rest.stream('GET', `/runs/${runId}/events`);

describe('after a crash in the middle of an attempt', () => {
  it('does not repeat a call with a stored result, and repeats a read without one', async () => {
    const runId = await crashAt('tool_effect=crash:2', 'two calls');
    const events = await follow(runId);
    expect(await counted('two')).toBe(1);
    const results = events.flatMap(event => (event.type === 'tool_call_end' ? [event.data] : []));
    expect(results).toMatchObject([
      { name: 'bash', ok: true },
      { name: 'read_file', ok: true, result: expect.stringContaining('beans and peas') },
    ]);
    expect(events.filter(event => event.type === 'tool_call_start')).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringMatching(/^Told: .*\| .*beans and peas/s) } });
  });

  it('does not repeat a write that had started, reports its outcome as unknown, and runs the next call', async () => {
    const runId = await crashAt('tool_effect=crash:1', 'one write');
    const events = await follow(runId);
    expect([await counted('one'), await counted('one more')]).toEqual([1, 1]);
    const results = events.flatMap(event => (event.type === 'tool_call_end' ? [event.data] : []));
    expect(results).toMatchObject([{ ok: false, result: expect.stringContaining('unknown') }, { ok: true }]);
  });
});

describe('an open question', () => {
  it('keeps its deadline after kill -9, is answered over REST, and does not use up the time limit of its run', async () => {
    const timeoutMs = 3_000;
    const request = { input: 'ask one', clarify: 'wait', limits: { timeoutMs } };
    const { body: run } = await bench.rest.request<{ runId: string }>('POST', '/runs', request, { prefer: 'respond-async' });
    const findQuestion = async () => {
      const { body } = await bench.rest.request<PageBody<OpenQuestion>>('GET', '/clarifications?status=pending');
      return body.data.find(({ runId }) => runId === run.runId);
    };
    const asked = await until(findQuestion);
    const isOver = Date.now() + timeoutMs;
    await bench.gateway.kill();
    await until(() => Date.now() > isOver);
    await bench.gateway.restart();
    expect(await findQuestion()).toEqual(asked);
    const answered = await bench.rest.request('POST', `/clarifications/${asked?.requestId}`, { answer: 'the sunny one' });
    expect(answered.status).toBe(200);
    const events = await follow(run.runId);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringContaining('the sunny one') } });
    expect(events.filter(event => event.type === 'clarify_request' || event.type === 'clarify_end')).toHaveLength(2);
  });

  it('stays open after SIGTERM, which does not wait for people', async () => {
    const { runId, question } = await askAndLose('ask two', async () => expect(await bench.gateway.terminate()).toBe(0));
    await bench.gateway.restart();
    const answered = await bench.rest.request('POST', `/clarifications/${question.requestId}`, { answer: 'the wet one' });
    expect(answered.status).toBe(200);
    const events = await follow(runId);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringContaining('the wet one') } });
  });

  it('stays open after kill -9 when another question of the same answer was answered before', async () => {
    const client = await bench.connect();
    const { runId } = await client.chat('ask both');
    const asked = (question: string) =>
      client.waitFor('clarify_request', event => event.runId === runId && event.data.question === question);
    const [seeds, tools] = await Promise.all([asked('Which seeds?'), asked('Which tools?')]);
    const answer = (requestId: string, text: string) => bench.rest.request('POST', `/clarifications/${requestId}`, { answer: text });
    expect((await answer(seeds.data.requestId, 'the round ones')).status).toBe(200);
    await client.waitFor('clarify_end', event => event.runId === runId);
    await bench.gateway.kill();
    await bench.gateway.restart();
    expect((await answer(tools.data.requestId, 'the sharp ones')).status).toBe(200);
    const events = await follow(runId);
    expect(events.at(-1)).toMatchObject({
      data: { status: 'completed', text: expect.stringMatching(/the round ones \| .*\n?the sharp ones/) },
    });
    expect(events.filter(event => event.type === 'clarify_request' || event.type === 'clarify_end')).toHaveLength(4);
  });

  it('keeps an answer that was stored at the moment of the crash', async () => {
    await bench.gateway.arm('clarify_answered=crash');
    const client = await bench.connect();
    const { runId } = await client.chat('ask three');
    const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
    const lost = bench.rest.request('POST', `/clarifications/${data.requestId}`, { answer: 'the last one' });
    await expect(lost).rejects.toThrow();
    await bench.gateway.restart();
    expect((await follow(runId)).at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringContaining('the last one') } });
  });

  it('is withdrawn when its run was cancelled in the meantime', async () => {
    const { runId, question } = await askAndLose('ask four', async () => {
      await bench.gateway.kill();
    });
    await wishCancelled(runId);
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(events.slice(-2)).toMatchObject([
      { type: 'clarify_end', data: { requestId: question.requestId, status: 'cancelled' } },
      { type: 'run_end', data: { status: 'cancelled', by: '@ben' } },
    ]);
    const late = await bench.rest.request('POST', `/clarifications/${question.requestId}`, { answer: 'too late' });
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'clarification_closed', details: { status: 'cancelled' } } } });
  });
});

/** Stores the cancel request of a person as a gateway does, while no gateway runs. */
async function wishCancelled(runId: string): Promise<void> {
  const store = await openSqliteStore({ parts: STORE_PARTS, path: join(bench.gateway.dataDir, 'neta.db') });
  const wish = { cancelRequested: true, cancelledBy: '@ben' };
  await store.transaction('none', tx => tx.runs.update('default', runId, { from: ['running', 'waiting'] }, wish));
  await store.close();
}

it('reports a cut answer as incomplete although the process died before it could', async () => {
  const runId = await crashAt('attempt_stored=crash:1', 'cut short');
  const events = await follow(runId);
  expect(events.filter(event => event.type === 'message_end')).toMatchObject([
    { data: { content: 'As much as fits', truncated: true, reason: 'content_filter' } },
  ]);
  expect(events.at(-1)).toMatchObject({
    type: 'run_end',
    data: { status: 'incomplete', reason: 'content_filter', text: 'As much as fits' },
  });
});

it('carries out a cancel request that was stored before the crash', async () => {
  await bench.gateway.arm('tool_effect=crash');
  const client = await bench.connect();
  const { runId } = await client.chat('stuck');
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  await expect(client.send({ type: 'cancel', runId })).rejects.toThrow();
  await bench.gateway.restart();
  const events = await follow(runId);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'cancelled' } });
  expect(events.filter(event => event.type === 'tool_call_end')).toHaveLength(1);
});

it('fails a run that is interrupted again after three recoveries, and the session continues', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('endless');
  for (let recoveries = 0; recoveries < 4; recoveries++) {
    await bench.gateway.restart();
    if (recoveries < 3) expect((await bench.rest.request('GET', `/runs/${runId}`)).body).toMatchObject({ status: 'running' });
  }
  const events = await follow(runId);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'failed', error: { code: 'interrupted', retryable: true } } });
  expect(await eventsOf(runId)).toEqual(events);
  expect((await bench.rest.run({ input: 'go on', sessionId })).body).toMatchObject({ status: 'completed', text: 'on it goes' });
});
