/** kill -9 in the middle of a run: what was acknowledged is there, what ran is ended, and the session works on. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('story', { text: 'Once upon a time there was', chunkSize: 3, pauseAfter: 5 });
  bench.model.onTurn('stuck', {
    text: 'I will.',
    toolCalls: [{ name: 'bash', id: 'c1', arguments: { command: 'echo started; sleep 60' } }],
  });
  bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
  bench.model.onTurn('go on', request =>
    request.body.messages
      .slice(1)
      .map(message => `${message.role}: ${message.content}`)
      .join('\n'),
  );
});

afterAll(() => bench?.stop());

it('a killed gateway has lost no acknowledged message, ends what ran as interrupted, and goes on with every session', async () => {
  const client = await bench.connect();
  const [streaming, working, asking] = await Promise.all(['story', 'stuck', 'ask me'].map(text => client.chat(text)));
  if (!streaming || !working || !asking) throw new Error('no runs');
  const queued = await client.chat('go on', { sessionId: streaming.sessionId });
  await client.waitForText(streaming.runId, 'Once upon a tim');
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  const { data: question } = await client.waitFor('clarify_request', event => event.runId === asking.runId);
  const seen = client.eventsOf(streaming.runId).length;

  await bench.gateway.restart();

  const again = await bench.connect();
  for (const run of [streaming, working, asking]) {
    const { body } = await bench.rest.request('GET', `/runs/${run.runId}`);
    expect(body).toMatchObject({ status: 'failed', error: { code: 'interrupted', retryable: true } });
  }

  // The queued message was acknowledged: it runs now, after the one that was interrupted.
  await again.send({ type: 'subscribe', sessionId: streaming.sessionId, after: { runId: streaming.runId, seq: seen } });
  expect((await again.endOf(queued.runId)).data).toMatchObject({ status: 'completed', text: expect.stringContaining('user: story') });
  const reset = await again.waitForAny(message => message.type === 'replay_reset');
  const stored = await bench.rest.request<PageBody<{ type: string; seq: number }>>('GET', `/runs/${streaming.runId}/events`);
  expect(reset).toMatchObject({ data: { runId: streaming.runId, snapshot: { events: stored.body.data } } });
  expect(stored.body.data.map(event => event.seq)).toEqual(stored.body.data.map((_, i) => i + 1));
  expect(stored.body.data.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'failed', error: { code: 'interrupted' } } });

  const lost = await bench.rest.request('GET', `/runs/${streaming.runId}/events?after=900`);
  expect(lost).toMatchObject({ status: 410, body: { error: { code: 'events_expired' } } });

  const next = await again.chat('go on', { sessionId: working.sessionId });
  const { text } = (await again.endOf(next.runId)).data;
  expect(text).toMatch(/^user: stuck\nassistant: I will\.\ntool: The outcome of this call is unknown.*\nuser: go on$/);

  const late = await again.send({ type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'this' });
  expect(late.error).toMatchObject({ code: 'clarification_closed', details: { status: 'cancelled' } });
  const executions = await bench.rest.request<PageBody<unknown>>('GET', `/tool-executions?session=${working.sessionId}`);
  expect(executions.body.data).toMatchObject([{ tool: 'bash', status: 'unknown' }]);
});

it('a gateway that is asked to stop ends its runs first and exits with 0', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story, to be stopped');
  await client.waitForAny(message => message.type === 'text_delta' && message.runId === runId);
  expect(await bench.gateway.terminate()).toBe(0);
  expect(client.eventsOf(runId).at(-1)).toMatchObject({ type: 'run_end', data: { status: 'failed', error: { code: 'interrupted' } } });
  await bench.gateway.restart();
  expect((await bench.rest.request('GET', `/runs/${runId}`)).body).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
});
