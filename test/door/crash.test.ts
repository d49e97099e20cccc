/** kill -9 in the middle of runs: acknowledged messages are kept, runs continue, and no effect happens twice. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

const STORY = 'Once upon a time there was';
/** Longer than the snapshot of a reset. */
const NOVEL = 'Chapter. '.repeat(40_000);
const FIRST_PIECES = STORY.slice(0, 15);

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  bench.model.onTurn('story', { text: STORY, chunkSize: 3, pauseAfter: 5 });
  bench.model.onTurn('novel', { text: NOVEL, chunkSize: 1_000, pauseAfter: 1 });
  bench.model.onTurn(
    'stuck',
    { text: 'I will.', toolCalls: [{ name: 'bash', arguments: { command: 'echo started; sleep 60' } }] },
    request => `Told: ${request.toolResults}`,
  );
  bench.model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] },
    request => `Told: ${request.toolResults}`,
  );
  bench.model.onTurn('go on', request =>
    request.body.messages
      .slice(1)
      .map(({ content }) => content)
      .join(' / '),
  );
});

afterAll(() => bench?.stop());

it('loses no acknowledged message and continues every run after kill -9', async () => {
  const client = await bench.connect();
  const [streaming, working, asking] = [await client.chat('story'), await client.chat('stuck'), await client.chat('ask me')];
  const queued = await client.chat('go on', { sessionId: streaming.sessionId });
  await client.waitForText(streaming.runId, FIRST_PIECES);
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  const { data: question } = await client.waitFor('clarify_request', event => event.runId === asking.runId);
  const seen = client.eventsOf(streaming.runId).length;

  await bench.gateway.restart();
  const again = await bench.connect();

  // Text that was shown but not stored is lost: the page is told to replace it, and the model is asked again.
  await again.send({ type: 'subscribe', sessionId: streaming.sessionId, after: { runId: streaming.runId, seq: seen } });
  const reset = await again.waitForAny(message => message.type === 'replay_reset');
  expect(reset).toMatchObject({ data: { runId: streaming.runId, snapshot: { events: [{ type: 'run_start', seq: 1 }] } } });
  await again.waitForText(streaming.runId, FIRST_PIECES);
  bench.model.resume();
  expect((await again.endOf(streaming.runId)).data).toMatchObject({ status: 'completed', text: STORY });
  expect((await again.endOf(queued.runId)).data.text).toBe(`story / ${STORY} / go on`);

  // The outcome of the command is unknown, so it does not run again and the model is told.
  await again.send({ type: 'subscribe', sessionId: working.sessionId, after: { runId: working.runId, seq: 0 } });
  expect((await again.endOf(working.runId)).data).toMatchObject({ status: 'completed', text: expect.stringMatching(/^Told: .*unknown/) });
  const executions = await bench.rest.request<PageBody<unknown>>('GET', `/tool-executions?session=${working.sessionId}`);
  expect(executions.body.data).toMatchObject([{ tool: 'bash', error: expect.stringContaining('unknown') }]);

  // The question is still open.
  const ack = await again.send({ type: 'subscribe', sessionId: asking.sessionId, after: { runId: asking.runId, seq: 0 } });
  expect(ack['clarifications']).toMatchObject([{ requestId: question.requestId, status: 'pending', expiresAt: question.expiresAt }]);
  const answer = { type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'this one' };
  expect(await again.send(answer)).toMatchObject({ ok: true });
  expect((await again.endOf(asking.runId)).data).toMatchObject({ status: 'completed', text: expect.stringContaining('this one') });

  for (const { runId } of [streaming, queued, working, asking]) {
    const { body } = await bench.rest.request<PageBody<{ type: string; seq: number }>>('GET', `/runs/${runId}/events`);
    expect(body.data.map(event => event.seq)).toEqual(body.data.map((_, i) => i + 1));
    expect(body.data.filter(event => event.type === 'run_end')).toEqual([body.data.at(-1)]);
  }

  // The run has grown past the cursor of the first page, which names text that was lost: another event has its number now.
  const { rest } = bench;
  const path = `/runs/${streaming.runId}/events`;
  const all = await rest.stream('GET', path);
  expect(all.length).toBeGreaterThan(seen);
  for (const after of [seen, 900]) {
    expect(await rest.request('GET', `${path}?after=${after}`)).toMatchObject({ status: 410, body: { error: { code: 'events_expired' } } });
    const [first] = await rest.stream('GET', path, undefined, { 'last-event-id': String(after) });
    expect(first).toMatchObject({ type: 'replay_reset', data: { lastSeq: all.length, snapshot: { events: all } } });
  }
  // Pages of stored events go on to the end.
  const paged: unknown[] = [];
  let next: string | undefined = '0';
  while (next !== undefined) {
    const { body }: { body: PageBody<unknown> } = await rest.request('GET', `${path}?limit=2&after=${next}`);
    paged.push(...body.data);
    next = body.nextCursor;
  }
  expect(paged).toEqual(all);
});

/** Kills the gateway, starts it again, and resolves when the recovered run has asked the model again. */
async function restartDuring(text: string): Promise<void> {
  const earlier = new Set(bench.model.requests(text));
  await bench.gateway.restart();
  await bench.model.waitFor(request => request.userText === text && !earlier.has(request));
}

it('stops an event source that has the whole of a recovered run, and resets one that only has the same number', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story, once more');
  await client.waitForText(runId, FIRST_PIECES);
  await restartDuring('story, once more');
  bench.model.resume();
  const url = `${bench.gateway.url}/api/v1/runs/${runId}/events`;
  const headers = { accept: 'text/event-stream' };
  const text = await (await fetch(url, { headers })).text();
  const lastSeq = /id: (\d+)\nevent: run_end/.exec(text)?.[1] ?? '';
  const reset = await (await fetch(url, { headers: { ...headers, 'last-event-id': lastSeq } })).text();
  const [, id = ''] = /^id: (\d+)\nevent: replay_reset\n/.exec(reset) ?? [];
  expect((await fetch(url, { headers: { ...headers, 'last-event-id': id } })).status).toBe(204);
});

it('stops an event source that has a recovered run which is longer than a snapshot', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('novel');
  await client.waitForText(runId, NOVEL.slice(0, 1_000));
  await restartDuring('novel');
  bench.model.resume();
  const url = `${bench.gateway.url}/api/v1/runs/${runId}/events`;
  const statuses: number[] = [];
  let id = '';
  for (let i = 0; i < 4 && statuses.at(-1) !== 204; i++) {
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...(id !== '' && { 'last-event-id': id }) } });
    statuses.push(response.status);
    id =
      (await response.text())
        .match(/^id: (.*)$/gm)
        ?.at(-1)
        ?.slice('id: '.length) ?? id;
  }
  expect(statuses).toEqual([200, 200, 204]);
});

it('refuses new runs after SIGTERM, lets active ones end, and exits with 0', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('story, the last one');
  await client.waitForText(runId, FIRST_PIECES);
  const exit = bench.gateway.terminate();
  await until(async () => (await bench.rest.request('GET', '//readyz')).status !== 200);
  const refused = await client.send({ type: 'chat', text: 'go on' });
  expect(refused.error).toMatchObject({ code: 'draining', retryable: true, retryAfterMs: expect.any(Number) });
  bench.model.resume();
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: STORY });
  expect(await exit).toBe(0);
});
