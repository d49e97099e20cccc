/** kill -9 while members work: no child runs twice, no master waits for ever, and stored reports are found. */
import type { RunResult } from '../../src/service/run_log/run_service';
import { type CrewBench, delegate, delegateAll, startCrewBench } from '../support/crew_bench';
import type { ModelRequest } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';

const report = (request: ModelRequest) => `Report: ${request.toolResults.join(' | ')}`;

let bench: CrewBench;

beforeAll(async () => {
  bench = await startCrewBench({ failpoints: true });
});

afterAll(() => bench?.stop());

/** Starts a run and resolves with its ids at once. */
async function begin(input: string): Promise<{ runId: string; sessionId: string }> {
  const { body } = await bench.rest.request<RunResult>('POST', '/runs', { input }, { prefer: 'respond-async' });
  return body;
}

/** Resolves with the events of a run once it has ended. */
const eventsOf = (runId: string) => bench.rest.stream('GET', `/runs/${runId}/events`);

it('after a kill while a child works, both continue and the child has run once', async () => {
  bench.model.onTurn('lead on', delegateAll([{ task: 'write on' }, { task: 'quick one' }]), report);
  bench.model.onTurn('write on', { text: 'A long story.', chunkSize: 3, pauseAfter: 2 });
  bench.model.onTurn('quick one', 'Quick.');
  const { runId } = await begin('lead on');
  await bench.model.waitFor('write on');
  await bench.model.waitFor('quick one');
  const client = await bench.connect();
  const before = await bench.childrenOf(runId);
  for (const child of before) await client.send({ type: 'subscribe', sessionId: child.sessionId, after: { runId: child.runId, seq: 0 } });
  // One child has ended, the other one is in the middle of its answer.
  const { runId: quick } = await client.waitFor('run_end', event => event.data.text === 'Quick.');
  expect(before.map(child => child.runId)).toContain(quick);

  await bench.gateway.restart();
  const again = await bench.connect();
  const writing = before.find(child => child.runId !== quick);
  await again.send({ type: 'subscribe', sessionId: writing?.sessionId, after: { runId: writing?.runId, seq: 0 } });
  await again.waitForText(writing?.runId ?? '', 'A long');
  bench.model.resume();
  const events = await eventsOf(runId);
  const end = events.at(-1);
  expect(end).toMatchObject({ type: 'run_end', data: { status: 'completed', text: expect.stringContaining('A long story.') } });
  expect(end).toMatchObject({ data: { text: expect.stringContaining('Quick.') } });
  const children = await bench.childrenOf(runId);
  expect(children.map(child => child.runId).sort()).toEqual(before.map(child => child.runId).sort());
  expect(children.map(child => child.status)).toEqual(['completed', 'completed']);
  for (const type of ['delegate_start', 'delegate_end']) expect(events.filter(event => event.type === type)).toHaveLength(2);
});

it('finds the report of a child that ended before the kill, without another model call', async () => {
  bench.model.onTurn('stored', delegate('already done'), report);
  bench.model.onTurn('already done', 'The stored report.');
  await bench.gateway.arm('run_end=crash');
  const { runId } = await begin('stored');
  await bench.gateway.exited();
  await bench.gateway.restart();
  const events = await eventsOf(runId);
  expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringContaining('The stored report.') } });
  expect(bench.model.requests('already done')).toHaveLength(1);
  expect(await bench.childrenOf(runId)).toHaveLength(1);
});

it('survives a kill before any of its writes: one child, one effect, one start and one end in the log', async () => {
  let crashes = 0;
  for (let write = 2; write <= 9; write++) {
    const name = `pass-${write}`;
    bench.model.onTurn(`lead ${name}`, delegate(`work ${name}`), report);
    const command = { toolCalls: [{ name: 'bash', arguments: { command: `echo ${name} >> tally.txt` } }] };
    bench.model.onTurn(`work ${name}`, command, `Finished ${name}.`);
    await bench.gateway.arm(`event_append=crash:${write}`);
    const { runId } = await begin(`lead ${name}`);
    const winner = await Promise.race([
      bench.gateway.exited().then(() => 'crash'),
      eventsOf(runId).then(
        () => 'end',
        () => 'crash',
      ),
    ]);
    if (winner === 'crash') crashes += 1;
    await bench.gateway.restart();
    const events = await eventsOf(runId);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(await bench.childrenOf(runId)).toMatchObject([{ status: 'completed', text: `Finished ${name}.` }]);
    for (const type of ['delegate_start', 'delegate_end']) expect(events.filter(event => event.type === type)).toHaveLength(1);
    const { body: tally } = await bench.rest.request<{ result: unknown }>('POST', '/tools/call', {
      toolName: 'bash',
      parameters: { command: `grep -c ${name} tally.txt || true` },
    });
    expect(['0', '1']).toContain(/\b([0-9]+)\b/.exec(JSON.stringify(tally.result))?.[1]);
  }
  expect(crashes).toBeGreaterThanOrEqual(5);
}, 120_000);

it('a run that is cancelled while it recovers ends its children', async () => {
  bench.model.onTurn('doomed', delegate('endless'), report);
  bench.model.onTurn('endless', { text: 'On and on', chunkSize: 2, pauseAfter: 1 });
  const { runId } = await begin('doomed');
  await bench.model.waitFor('endless');
  await bench.gateway.restart();
  const before = performance.now();
  const { body } = await bench.rest.request<RunResult>('POST', `/runs/${runId}/cancel`);
  expect(body.status).toBe('cancelled');
  // The promise is one second; a machine that runs all tests at once needs more.
  expect(performance.now() - before).toBeLessThan(3_000);
  expect(await bench.childrenOf(runId)).toMatchObject([{ status: 'cancelled' }]);
});

it('goes on in two other gateways, whichever of them takes over the master and which its members', async () => {
  const tasks = ['split one', 'split two', 'split three'];
  bench.model.onTurn('lead the split', delegateAll(tasks.map(task => ({ task }))), report);
  let isKilled = false;
  for (const task of tasks) {
    const text = `${task} is finished.`;
    bench.model.onTurn(task, () => (isKilled ? text : { text, chunkSize: 3, pauseAfter: 2 }));
  }
  const { runId } = await begin('lead the split');
  for (const task of tasks) await bench.model.waitFor(task);
  const before = await bench.childrenOf(runId);
  const others = await Promise.all([bench.startAnother(), bench.startAnother()]);
  try {
    isKilled = true;
    await bench.gateway.kill();
    const [first, second] = await Promise.all(others.map(({ url }) => createRestClient(url).stream('GET', `/runs/${runId}/events`)));
    for (const events of [first, second]) {
      const end = events?.at(-1);
      expect(end).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
      for (const task of tasks) expect(end).toMatchObject({ data: { text: expect.stringContaining(`${task} is finished.`) } });
      expect(events?.filter(event => event.type === 'delegate_end')).toHaveLength(3);
    }
    const { body } = await createRestClient(others[0]?.url ?? '').request<{ data: { runId: string; status: string }[] }>(
      'GET',
      `/runs?parent=${runId}`,
    );
    expect(body.data.map(child => child.runId).sort()).toEqual(before.map(child => child.runId).sort());
  } finally {
    for (const other of others) await other.stop();
    await bench.gateway.restart();
  }
}, 90_000);
