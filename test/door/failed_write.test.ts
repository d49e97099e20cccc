/** A write of a run that fails for good: what was shown and not stored is lost, and the run says so. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;
afterEach(() => bench.stop());

it('a run whose answer could not be stored ends as failed, and resets a reader that has the number of a lost event', async () => {
  bench = await startBench({ own: 'its database breaks' });
  refuse('messages', `new.message like '%hello too%'`);
  bench.model.onTurn('hello', 'hello too');
  const { rest } = bench;
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('hello');
  const end = await client.endOf(runId);
  expect(end.data).toMatchObject({ status: 'failed', text: '', error: { code: 'internal' } });
  const messages = await rest.request<PageBody<{ message: { role: string } }>>('GET', `/sessions/${sessionId}/messages`);
  expect(messages.body.data).toHaveLength(1);

  // The first page was shown text under the number that the end has got.
  expect(client.eventsOf(runId).filter(({ seq }) => seq === end.seq)).not.toHaveLength(1);
  const events = `/runs/${runId}/events`;
  expect(await rest.request('GET', `${events}?after=${end.seq}`)).toMatchObject({ status: 410 });
  const [reset] = await rest.stream('GET', events, undefined, { 'last-event-id': String(end.seq) });
  expect(reset).toMatchObject({ type: 'replay_reset', data: { lastSeq: end.seq, snapshot: { events: [{ type: 'run_start' }, end] } } });
});

it('a turn goes on when the choice of its memories cannot be stored, and the log says so', async () => {
  bench = await startBench({ own: 'its database breaks' });
  refuse('session_memory_blocks', 'true');
  bench.model.onTurn('hello', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'hello too');
  bench.model.onTurn('again', 'again too');
  await bench.rest.request('POST', '/memories', { text: 'Ada drinks oolong tea' });
  const { body } = await bench.rest.run({ input: 'hello' });
  expect(body).toMatchObject({ status: 'completed', text: 'hello too' });
  expect(bench.model.requests('hello').map(request => String(request.body.messages[0]?.content))).toEqual([
    expect.stringContaining('oolong'),
    expect.stringContaining('oolong'),
  ]);
  expect(bench.gateway.output().match(/the memory block of a session cannot be stored/g)).toHaveLength(1);
  expect((await bench.rest.run({ input: 'again', sessionId: body.sessionId })).body.text).toBe('again too');
});

/** Makes the database refuse rows of a table for good. */
function refuse(table: string, when: string): void {
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'), { timeout: 5_000 });
  database.exec(`create trigger refuse before insert on ${table} when ${when} begin select raise(abort, 'no'); end`);
  database.close();
}
