/** A crew through both doors: a master delegates to its members, follows them and gets their reports. */
import { findProcesses } from '../fault/processes';
import { type CrewBench, delegate, delegateAll, startCrewBench } from '../support/crew_bench';
import type { ModelRequest } from '../support/mock_model';
import type { ErrorBody, PageBody } from '../support/rest_client';

const BASE = ['bash', 'read_file', 'write_file', 'list_dir', 'patch'];
const report = (request: ModelRequest) => `Report: ${request.toolResults.join(' | ')}`;

let bench: CrewBench;

beforeAll(async () => {
  bench = await startCrewBench();
});

afterAll(() => bench?.stop());

/** Runs a turn over one of the doors and resolves with its end. */
const DOORS: [name: string, runTurn: (text: string) => Promise<{ runId: string; sessionId: string; text: string; status: string }>][] = [
  [
    'Socket.IO',
    async text => {
      const client = await bench.connect();
      const { runId, sessionId } = await client.chat(text);
      const { data } = await client.endOf(runId);
      return { runId, sessionId, text: data.text, status: data.status };
    },
  ],
  ['REST', async text => (await bench.rest.run({ input: text })).body],
];

it('a search leaves out what crew members wrote, unless it names their session, and says that the master gave the task', async () => {
  bench.model.onTurn('lead the beekeeping', delegate('inspect the beehives'), report);
  bench.model.onTurn('inspect the beehives', 'All beehives are healthy.');
  const { body: led } = await bench.rest.run({ input: 'lead the beekeeping' });
  const [child] = await bench.childrenOf(led.runId);
  const search = async (more = '') =>
    (await bench.rest.request<PageBody<Record<string, unknown>>>('GET', `/search?q=beehives${more}`)).body.data;
  expect((await search()).map(row => row['sessionId'])).toEqual([led.sessionId]);
  const named = await search(`&sessionId=${child?.sessionId}`);
  expect(named.map(row => [row['role'], row['parentSessionId']]).toSorted()).toEqual([
    ['assistant', led.sessionId],
    ['user', led.sessionId],
  ]);
  const parameters = { query: 'inspect', session: child?.sessionId };
  const call = { toolName: 'session_search', parameters };
  const { body } = await bench.rest.request<{ result: { content: string } }>('POST', '/tools/call', call);
  expect(body.result.content).toMatch(/ master in ses_.*\n {3}inspect the beehives/);
});

describe.each(DOORS)('a crew over %s (neta.crew.tools, neta.executor, neta.prompt.names)', (door, runTurn) => {
  it('a member works on the task in a run of its own, with its own tools and prompt, and the master gets the report', async () => {
    bench.model.onTurn(`lead ${door}`, delegate(`scout for ${door}`, { context: 'It rained.', expected_output: 'One word.' }), report);
    bench.model.onTurn(`scout for ${door}`, { text: 'Mushrooms.', usage: { inputTokens: 70, outputTokens: 7 } });
    const { runId, sessionId, text, status } = await runTurn(`lead ${door}`);
    expect(status).toBe('completed');
    expect(text).toMatch(/^Report: scout: done\. \(70 tokens in, 7 out, [\d.]+ s\)\n\nMushrooms\.$/);

    const [child, ...others] = await bench.childrenOf(runId);
    expect(others).toEqual([]);
    expect(child).toMatchObject({ parentRunId: runId, parentSessionId: sessionId, door: 'child', agent: 'scout', status: 'completed' });
    const [asked] = bench.model.requests(`scout for ${door}`);
    expect(asked?.userText).toBe(`scout for ${door}\n\nContext:\nIt rained.\n\nWhat to report:\nOne word.`);
    expect(asked?.toolNames).toEqual([...BASE, 'calculator', 'text_process', 'json_process', 'get_weather']);
    const prompt = String(asked?.body.messages[0]?.content);
    expect(prompt).toContain('# Working in a crew');
    expect(prompt).not.toMatch(/clarify|todo|delegate_|escalate|web_search/);

    const [led] = bench.model.requests(`lead ${door}`);
    expect(led?.toolNames).toEqual([...BASE, 'todo', 'clarify', 'delegate_task', 'delegate_parallel', 'escalate']);
    const leading = String(led?.body.messages[0]?.content);
    expect(leading).toContain('- scout: Looks around and reports.\n- smith: Changes files.\n- asker: Asks its lead.');
  });

  it('lists leave children out, ?parent= lists them, and the log names them', async () => {
    bench.model.onTurn(`show ${door}`, delegate(`be seen ${door}`, { member: 'smith' }), report);
    bench.model.onTurn(`be seen ${door}`, 'Seen.');
    const { runId, sessionId } = await runTurn(`show ${door}`);
    const [child] = await bench.childrenOf(runId);
    const idsOf = async (path: string) =>
      (await bench.rest.request<PageBody<{ id?: string; runId?: string }>>('GET', path)).body.data.map(row => row.runId ?? row.id);
    expect(await idsOf('/runs')).not.toContain(child?.runId);
    expect(await idsOf('/sessions')).not.toContain(child?.sessionId);
    expect(await idsOf(`/sessions?parent=${runId}`)).toEqual([child?.sessionId]);
    const { body: session } = await bench.rest.request('GET', `/sessions/${child?.sessionId}`);
    expect(session).toMatchObject({ parentRunId: runId, parentSessionId: sessionId, agent: 'smith', title: `be seen ${door}` });
    const { body: result } = await bench.rest.request('GET', `/runs/${child?.runId}`);
    expect(result).toMatchObject({ parentRunId: runId, text: 'Seen.' });

    const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
    const about = events.filter(event => event.type === 'delegate_start' || event.type === 'delegate_end');
    const ids = { childRunId: child?.runId, member: 'smith', toolCallId: expect.any(String) };
    expect(about).toMatchObject([
      { type: 'delegate_start', data: { ...ids, childSessionId: child?.sessionId, task: `be seen ${door}` } },
      {
        type: 'delegate_end',
        data: { ...ids, status: 'completed', summary: 'Seen.', usage: expect.any(Object), durationMs: expect.any(Number) },
      },
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  });

  it('several members work at the same time; one that fails does not stop the others', async () => {
    const tasks = [
      { task: `quick ${door}` },
      { task: `broken ${door}`, member: 'smith' },
      { task: `asking ${door}`, member: 'asker' },
      { task: `slow ${door}` },
    ];
    bench.model.onTurn(`all ${door}`, delegateAll(tasks), report);
    bench.model.onTurn(`quick ${door}`, 'Quick.');
    bench.model.onTurn(`broken ${door}`, { error: { status: 400, message: 'no such luck' } });
    bench.model.onTurn(`asking ${door}`, { toolCalls: [{ name: 'escalate', arguments: { question: 'Left?', choices: ['yes', 'no'] } }] });
    bench.model.onTurn(`slow ${door}`, 'Slow.');
    const { runId, text, status } = await runTurn(`all ${door}`);
    expect(status).toBe('completed');
    expect(text).toMatch(/## 1\. scout: done\. [^\n]+\n\nQuick\./);
    expect(text).toMatch(/## 2\. smith: failed\. .+no such luck/);
    expect(text).toMatch(/## 3\. asker asks you and has stopped\.[^\n]+\n\nLeft\?\n\n1\. yes\n2\. no/);
    expect(text).toMatch(/## 4\. scout: done\. [^\n]+\n\nSlow\./);
    const children = await bench.childrenOf(runId);
    expect(children.map(child => child.status).sort()).toEqual(['completed', 'completed', 'completed', 'failed']);
    expect(children.find(child => child.agent === 'asker')).toMatchObject({ escalation: { question: 'Left?', choices: ['yes', 'no'] } });
    const { body } = await bench.rest.request<PageBody<{ question: string }>>('GET', '/clarifications?status=pending');
    expect(body.data.filter(({ question }) => question === 'Left?')).toEqual([]);
    expect(bench.model.requests(`asking ${door}`)[0]?.toolNames).toEqual([...BASE, 'escalate']);
  });

  it('a member that uses up its iterations gives what it has, marked', async () => {
    const look = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
    bench.model.onTurn(`limit ${door}`, delegate(`go on ${door}`, { member: 'smith' }), report);
    bench.model.onTurn(`go on ${door}`, look, look);
    bench.model.onTurn('The limit of tool calls', 'Not there yet.');
    const { text } = await runTurn(`limit ${door}`);
    expect(text).toMatch(/smith: stopped by a limit \(max_iterations\), not finished\. [^\n]+\n\nSo far:\nNot there yet\.$/);
  });

  it('a member that does not exist, and a call without a task, start nothing', async () => {
    bench.model.onTurn(
      `wrong ${door}`,
      delegate('x', { member: 'ghost' }),
      request => ({ ...delegate(''), text: report(request) }),
      report,
    );
    const { runId, text } = await runTurn(`wrong ${door}`);
    expect(bench.model.requests(`wrong ${door}`)[1]?.toolResults).toEqual([
      'There is no crew member "ghost". Members: scout, smith, asker.',
    ]);
    expect(text).toContain('task');
    expect(await bench.childrenOf(runId)).toEqual([]);
  });
});

it('a member cannot delegate, whatever its profile says', async () => {
  const deep = await startCrewBench(
    {},
    { default: 'members: [middle]', middle: 'members: [leaf]\ntools: [delegate_task, clarify]', leaf: '' },
  );
  try {
    deep.model.onTurn('go deep', delegate('in the middle'), report);
    deep.model.onTurn('in the middle', delegate('at the leaf'), report);
    const { body } = await deep.rest.run({ input: 'go deep' });
    expect(body.text).toContain('There is no tool "delegate_task"');
    expect(deep.model.requests('in the middle')[0]?.toolNames).toEqual(BASE);
    expect(deep.model.requests('at the leaf')).toEqual([]);
    const { body: agent } = await deep.rest.request<{ members: string[] }>('GET', '/agents/middle');
    expect(agent.members).toEqual(['leaf']);
  } finally {
    await deep.stop();
  }
});

it('with one slot a master and its children still finish (neta.executor)', async () => {
  const narrow = await startCrewBench({ env: { NETA_MAX_CONCURRENT_RUNS: '1' } });
  try {
    narrow.model.onTurn('narrow', delegateAll([{ task: 'first way' }, { task: 'second way' }]), report);
    narrow.model.onTurn(/^(first|second) way$/, 'Through.');
    narrow.model.onTurn('afterwards', 'Free again.');
    expect((await narrow.rest.run({ input: 'narrow' })).body).toMatchObject({
      status: 'completed',
      text: expect.stringContaining('Through.'),
    });
    expect((await narrow.rest.run({ input: 'afterwards' })).body).toMatchObject({ status: 'completed', text: 'Free again.' });
  } finally {
    await narrow.stop();
  }
});

it('any client follows a child by its session, and stopping the child leaves the master running', async () => {
  bench.model.onTurn('watch me', delegate('tell slowly'), report);
  bench.model.onTurn('tell slowly', { text: 'Once upon a time', chunkSize: 4, pauseAfter: 2 });
  const client = await bench.connect();
  const { runId } = await client.chat('watch me');
  const { data } = await client.waitFor('delegate_start', event => event.runId === runId);
  const other = await bench.connect();
  await other.send({ type: 'subscribe', sessionId: data.childSessionId, after: { runId: data.childRunId, seq: 0 } });
  await other.waitForText(data.childRunId, 'Once upo');
  expect(await other.send({ type: 'cancel', runId: data.childRunId })).toMatchObject({ ok: true, status: 'cancelled' });
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed' });
  expect((await client.endOf(runId)).data.text).toMatch(/^Report: scout: cancelled\. [^\n]+\n\nSo far:\nOnce upo$/);
});

it.each([
  ['the run', '98761'],
  ['the tool call', '98762'],
])('cancelling %s ends all children and their processes within a second', async (what, seconds) => {
  const tasks = ['one', 'two', 'three'].map(name => ({ task: `sleep ${name} of ${what}` }));
  bench.model.onTurn(`cancel ${what}`, delegateAll(tasks), report);
  bench.model.onTurn(`of ${what}`, { toolCalls: [{ name: 'bash', arguments: { command: `echo up; exec sleep ${seconds}` } }] }, report);
  const client = await bench.connect();
  const { runId } = await client.chat(`cancel ${what}`);
  const { data } = await client.waitFor('tool_call_start', event => event.runId === runId);
  for (let i = 0; i < tasks.length; i++) {
    const start = (event: { runId: string }) => event.runId === runId;
    await client.waitFor('delegate_start', event => start(event) && event.data.task === tasks[i]?.task);
  }
  for (const child of await bench.childrenOf(runId)) {
    await client.send({ type: 'subscribe', sessionId: child.sessionId, after: { runId: child.runId, seq: 0 } });
    await client.waitFor('tool_call_delta', event => event.runId === child.runId && event.data.output.includes('up'));
  }
  const before = performance.now();
  await client.send({ type: 'cancel', runId, ...(what === 'the tool call' && { toolCallId: data.toolCallId }) });
  const { data: end } = await client.endOf(runId);
  const children = await bench.childrenOf(runId);
  // The promise is one second; a machine that runs all tests at once needs more.
  expect(performance.now() - before).toBeLessThan(3_000);
  expect(children.map(child => child.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(end.status).toBe(what === 'the run' ? 'cancelled' : 'completed');
  const ends = client.eventsOf(runId).filter(event => event.type === 'delegate_end');
  expect(ends).toMatchObject(tasks.map(() => ({ data: { status: 'cancelled' } })));
  expect(client.eventsOf(runId).at(-1)?.type).toBe('run_end');
  expect(await findProcesses(seconds)).toEqual([]);
});

it('a member that is too slow ends before the time of its master does, and the master still answers', async () => {
  bench.model.onTurn('in a hurry', delegate('dawdle'), report);
  bench.model.onTurn('dawdle', { text: 'I have found one', chunkSize: 12, pauseAfter: 1 });
  const { body } = await bench.rest.run({ input: 'in a hurry', limits: { timeoutMs: 5_000 } });
  expect(body).toMatchObject({
    status: 'completed',
    text: expect.stringMatching(/stopped by a limit \(timeout\).*So far:\nI have found/s),
  });
  expect(await bench.childrenOf(body.runId)).toMatchObject([{ status: 'incomplete', reason: 'timeout' }]);
});

it('deleting the session of the master deletes the sessions of its children', async () => {
  bench.model.onTurn('to be deleted', delegate('soon gone'), report);
  bench.model.onTurn('soon gone', 'Gone.');
  const { body } = await bench.rest.run({ input: 'to be deleted' });
  const [child] = await bench.childrenOf(body.runId);
  expect((await bench.rest.request('DELETE', `/sessions/${body.sessionId}`)).status).toBe(204);
  for (const path of [`/sessions/${child?.sessionId}`, `/runs/${child?.runId}`]) {
    expect(await bench.rest.request<ErrorBody>('GET', path)).toMatchObject({ status: 404 });
  }
});

it('escalate of a master asks the person: it waits over Socket.IO and ends the turn over REST', async () => {
  bench.model.onTurn('too much', { toolCalls: [{ name: 'escalate', arguments: { question: 'May I?', choices: ['yes', 'no'] } }] }, report);
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('too much');
  const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
  expect(data).toMatchObject({ question: 'May I?', choices: ['yes', 'no'] });
  await client.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: 'yes' });
  expect((await client.endOf(runId)).data.text).toContain('yes');
  const { body } = await bench.rest.run({ input: 'too much' });
  expect(body).toMatchObject({ status: 'completed', clarification: { question: 'May I?' } });
});

it('children that change the same file meet the stale-write guard', async () => {
  bench.model.onTurn('same file', delegateAll([{ task: 'first writer' }, { task: 'second writer' }]), report);
  const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'shared.txt' } }] };
  const write = (text: string) => ({ toolCalls: [{ name: 'write_file', arguments: { path: 'shared.txt', content: text } }] });
  bench.model.onTurn('prepare', write('start\n'), 'Ready.');
  await bench.rest.run({ input: 'prepare' });
  // The second one has read the file before the first one changes it, and writes after that.
  bench.model.onTurn('first writer', write('first\n'), 'Written.');
  bench.model.onTurn('second writer', read, { ...write('second\n'), pauseAfter: 0 }, report);
  const running = bench.rest.run({ input: 'same file' });
  await bench.model.waitFor(request => request.userText === 'second writer' && request.step === 1);
  await bench.model.waitFor(request => request.userText === 'first writer' && request.step === 1);
  bench.model.resume();
  const { body } = await running;
  expect(body.text).toMatch(/changed since|read it again/);
  const { data } = (await bench.rest.request<PageBody<Record<string, unknown>>>('GET', `/sessions/${body.sessionId}/changes`)).body;
  expect(data).toEqual([expect.objectContaining({ path: 'shared.txt', origin: 'crew', agent: 'scout', added: 1, removed: 1 })]);
});
