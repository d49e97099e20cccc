/** `tools: { allow, deny }` of a request: which tools the model gets, over both doors, in child runs and after a restart. */
import { type CrewBench, delegate, startCrewBench } from '../support/crew_bench';
import type { ErrorBody } from '../support/rest_client';

let bench: CrewBench;

beforeAll(async () => {
  bench = await startCrewBench({ files: { 'a.txt': 'alpha' } });
  bench.model.onTurn('plain', 'done');
});
afterAll(() => bench?.stop());

const lastRequest = (text: string) => {
  const request = bench.model.requests(text).at(-1);
  return { names: request?.toolNames ?? [], prompt: request?.body.messages[0]?.content ?? '' };
};

async function namesOf(text: string, tools?: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<string[]> {
  const { status, body } = await bench.rest.run({ input: text, ...(tools && { tools }), ...more });
  expect([status, body.status]).toEqual([200, 'completed']);
  return lastRequest(text).names;
}

it('narrows the tools of the agent and never widens them', async () => {
  const all = await namesOf('plain, all tools');
  const cases: [tools: Record<string, unknown>, expected: string[]][] = [
    [{}, all],
    [{ allow: ['read_file', 'list_dir'] }, ['read_file', 'list_dir']],
    [{ deny: ['bash', 'patch'] }, all.filter(name => name !== 'bash' && name !== 'patch')],
    [{ allow: ['bash', 'read_file'], deny: ['bash'] }, ['read_file']],
    [{ allow: ['read_file', 'read_file'] }, ['read_file']],
    [{ allow: [] }, []],
    // The agent does not have these.
    [{ allow: ['calculator', 'web_search', 'read_file'] }, ['read_file']],
    [{ deny: ['calculator'] }, all],
  ];
  for (const [i, [tools, expected]] of cases.entries()) {
    expect(await namesOf(`plain ${i}`, tools)).toEqual(expected);
    const { body } = await bench.rest.request<{ tools: { name: string }[] }>('POST', '/runs/preview', { input: 'plain', tools });
    expect(body.tools.map(({ name }) => name)).toEqual(expected);
  }
});

it('the prompt names no tool and no member that the run may not use, in both languages', async () => {
  for (const locale of ['en', 'zh-CN']) {
    await namesOf(`plain ${locale}`, { allow: ['read_file'] }, { locale });
    const { prompt } = lastRequest(`plain ${locale}`);
    expect(prompt).toContain('read_file');
    expect(prompt).not.toMatch(/\b(bash|write_file|list_dir|patch|todo|clarify|delegate_task|delegate_parallel|scout|smith)\b/);
  }
});

it('holds over Socket.IO, for a run that waits in the queue, and for the run that a question continues', async () => {
  const client = await bench.connect({ capabilities: [] });
  bench.model.onTurn('slow', { text: 'slow answer', chunkSize: 4, pauseAfter: 0 });
  const { sessionId } = await client.chat('slow');
  await bench.model.waitFor('slow');
  const { runId } = await client.chat('plain, queued', { sessionId, tools: { allow: ['list_dir'] } });
  bench.model.resume();
  await client.endOf(runId);
  expect(lastRequest('plain, queued').names).toEqual(['list_dir']);
  expect(client.eventsOf(runId)[0]).toMatchObject({ type: 'run_start', data: { tools: ['list_dir'] } });
  bench.model.onTurn('which one', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] }, 'done');
  const asked = (await bench.rest.run({ input: 'which one', tools: { allow: ['clarify', 'read_file'] } })).body;
  const { requestId } = asked.clarification as { requestId: string };
  bench.model.onTurn('plain, the first', 'done');
  await bench.rest.request('POST', `/clarifications/${requestId}`, { answer: 'plain, the first' });
  await bench.model.waitFor('plain, the first');
  expect(lastRequest('plain, the first').names).toEqual(['read_file', 'clarify']);
});

it('refuses the call of a tool that was denied, and holds for members and after a crash', async () => {
  bench.model.onTurn('touch', { toolCalls: [{ name: 'bash', arguments: { command: 'touch made' } }] }, 'done');
  const touched = (await bench.rest.run({ input: 'touch', tools: { deny: ['bash'] } })).body;
  expect(touched.toolCalls).toMatchObject([{ name: 'bash', ok: false }]);
  bench.model.onTurn('lead', delegate('scout around'), 'done');
  bench.model.onTurn('scout around', { text: 'Mushrooms and more.', chunkSize: 5, pauseAfter: 1, times: 1 });
  bench.model.onTurn('scout around', 'Mushrooms.');
  const tools = { allow: ['delegate_task', 'read_file', 'list_dir'], deny: ['list_dir'] };
  const started = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'lead', tools }, { prefer: 'respond-async' });
  await bench.model.waitFor('scout around');
  await bench.gateway.restart();
  const events = await bench.rest.stream('GET', `/runs/${started.body.runId}/events`);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
  expect(lastRequest('lead').names).toEqual(['read_file', 'delegate_task']);
  expect(bench.model.requests('scout around').map(({ toolNames }) => toolNames)).toEqual([['read_file'], ['read_file']]);
});

it('a call that names a tool which the agent does not have runs no tool with a similar name', async () => {
  bench.model.onTurn('add up', { toolCalls: [{ name: 'calculator', arguments: {} }] }, 'no calculator here');
  const tools = [
    { type: 'function', function: { name: 'calculators', description: 'Adds.', parameters: { type: 'object', properties: {} } } },
  ];
  const response = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'add up' }], tools }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'stop', message: { content: 'no calculator here' } }] });
});

it('counts for a repeated request, and names an unknown tool and the list of names', async () => {
  const key = { 'idempotency-key': 'narrow' };
  expect((await bench.rest.run({ input: 'plain, once', tools: { deny: ['bash'] } }, key)).status).toBe(200);
  expect((await bench.rest.run({ input: 'plain, once', tools: { deny: ['bash'] } }, key)).headers.get('idempotency-replayed')).toBe('true');
  expect((await bench.rest.run({ input: 'plain, once', tools: { deny: ['patch'] } }, key)).status).toBe(409);
  const cases: [tools: unknown, param: string][] = [
    [{ deny: ['bash', 'basch'] }, '/tools/deny/1'],
    [{ allow: ['base'] }, '/tools/allow/0'],
    [{ allow: ['a b'] }, '/tools/allow/0'],
    [{ allow: 'bash' }, '/tools/allow'],
    [{ only: ['bash'] }, '/tools/only'],
    [['bash'], '/tools'],
  ];
  const client = await bench.connect();
  for (const [tools, param] of cases) {
    for (const path of ['/runs', '/runs/preview']) {
      const { status, body } = await bench.rest.request<ErrorBody>('POST', path, { input: 'plain, refused', tools });
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
    }
    expect(await client.send({ type: 'chat', text: 'plain, refused', tools })).toMatchObject({ ok: false, error: { param } });
  }
  const { body } = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'plain', tools: { allow: ['basch'] } });
  expect(body.error.message).toContain('GET /api/v1/tools');
  expect(bench.model.requests('plain, refused')).toEqual([]);
});
