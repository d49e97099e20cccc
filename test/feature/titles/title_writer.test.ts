/** Titles by the model, through a gateway: written after the first answer, counted, told to watchers, and never over a title of a person. */
import { readTitle } from '../../../src/feature/titles/title_texts';
import { type AgentBench, startBench } from '../../support/agent_bench';
import type { PageBody } from '../../support/rest_client';
import { until } from '../../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_TITLES: 'model' } });
  // No connection watches the list of chats yet.
  bench.model.onTurn(/unwatched$/, 'Right.');
  const client = await bench.connect();
  await client.endOf(String((await client.send({ type: 'chat', text: 'unwatched' }))['runId']));
});
afterAll(() => bench?.stop());

const titleOf = async (id: string) => (await bench.rest.request<{ title: string }>('GET', `/sessions/${id}`)).body.title;
const isTitleRequest = ({ body }: { body: { messages: { content?: unknown }[] } }) =>
  String(body.messages.at(-1)?.content).startsWith('<message>');

async function chat(text: string): Promise<{ sessionId: string; runId: string }> {
  const client = await bench.connect({ locale: 'en' });
  await client.send({ type: 'watch_sessions' });
  const ack = await client.send({ type: 'chat', text });
  const runId = String(ack['runId']);
  await client.endOf(runId);
  return { sessionId: String(ack['sessionId']), runId };
}

it('writes a title after the first answer, once, and counts its tokens in the usage of the day', async () => {
  bench.model.onTurn(/winter$/, 'With a saw.', 'With the same saw.');
  bench.model.onTurn(/^<message>\nhow do I prune/, { text: '"Pruning apple trees."', usage: { inputTokens: 70, outputTokens: 6 } });
  const usage = async () => {
    const { data } = (await bench.rest.request<PageBody<{ inputTokens: number; runs: number }>>('GET', '/usage?by=model')).body;
    return data.reduce((sum, row) => ({ tokens: sum.tokens + row.inputTokens, runs: sum.runs + row.runs }), { tokens: 0, runs: 0 });
  };
  const before = await usage();
  const { sessionId, runId } = await chat('how do I prune an apple tree in winter');
  await until(async () => (await titleOf(sessionId)) === 'Pruning apple trees');
  const run = (await bench.rest.request<{ usage: { inputTokens: number } }>('GET', `/runs/${runId}`)).body;
  expect(await usage()).toEqual({ tokens: before.tokens + run.usage.inputTokens + 70, runs: before.runs + 1 });
  const client = await bench.connect();
  await client.endOf(String((await client.send({ type: 'chat', text: 'how do I prune an apple tree in winter', sessionId }))['runId']));
  expect(bench.model.requests(/^<message>\nhow do I prune/)).toHaveLength(1);
});

it('keeps a title that a person gives while the model writes one, and the title of the message after a failure', async () => {
  bench.model.onTurn(/slow rivers$/, 'They meander.');
  bench.model.onTurn(/^<message>\ntell me about slow/, { text: 'Slow rivers', pauseAfter: 0 });
  const { sessionId } = await chat('tell me about slow rivers');
  await bench.model.waitFor(/^<message>\ntell me about slow/);
  await bench.rest.request('PATCH', `/sessions/${sessionId}`, { title: 'My rivers' });
  bench.model.onTurn(/failing title$/, 'This.');
  bench.model.onTurn(/^<message>\nwhat is a failing/, { text: 'word '.repeat(60) });
  const failed = await chat('what is a failing title');
  bench.model.resume();
  await bench.model.waitFor(/^<message>\nwhat is a failing/);
  await until(async () => bench.gateway.output().includes('keeps the title from its first message'));
  expect(await titleOf(failed.sessionId)).toBe('what is a failing title');
  expect(await titleOf(sessionId)).toBe('My rivers');
});

it('asks for no title of a temporary chat, of a run over REST, of a chat with a title, and while no list of chats is shown', async () => {
  bench.model.onTurn(/no title here$/, 'Right.', 'Right.', 'Right.');
  await bench.rest.run({ input: 'no title here' });
  const client = await bench.connect();
  for (const fields of [{ temporary: true }, { title: 'Named' }]) {
    const { id: sessionId } = (await bench.rest.request<{ id: string }>('POST', '/sessions', fields)).body;
    await client.endOf(String((await client.send({ type: 'chat', text: 'no title here', sessionId }))['runId']));
  }
  await chat('the last one');
  expect(bench.model.requests(/^<message>\n(?:no title|unwatched)/)).toEqual([]);
  expect(bench.model.requests().filter(isTitleRequest).length).toBeGreaterThan(0);
});

it('reads a title from what models write around it', () => {
  expect(readTitle('<think>Hm.</think>\n**Title: Pruning trees**\nMore')).toBe('Pruning trees');
  expect(readTitle('《修剪苹果树》。')).toBe('修剪苹果树');
  expect(readTitle('  ')).toBeUndefined();
});
