/** Titles by the model, through a gateway: written after the first answer, counted, told to watchers, and never over a title of a person. */
import { readTitle } from '../../../src/feature/titles/title_texts';
import { TitleWriter, type TitleWriterDeps } from '../../../src/feature/titles/title_writer';
import type { Usage } from '../../../src/port/llm';
import type { RunRecord } from '../../../src/port/store/runs';
import type { DayUsage } from '../../../src/port/store/usage';
import { type AgentBench, startBench } from '../../support/agent_bench';
import type { PageBody } from '../../support/rest_client';
import { aRun, aSession } from '../../support/store_records';
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
  expect(bench.model.requests(/^<message>\nhow do I prune/)[0]?.body).toMatchObject({ max_tokens: 1_000 });
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

describe('a title', () => {
  /** Ends the first run of a chat, which has this usage. Resolves with the requests for a title, and the usage that was stored. */
  async function endRun(runUsage: Usage, titleUsage: Usage, hasLeft: boolean) {
    const run = { ...aRun({ status: 'completed', outcome: { text: 'Yes.', usage: runUsage } }), ordinal: 1 } as RunRecord;
    const stored: DayUsage[] = [];
    const stream = jest.fn(async () => ({ message: { role: 'assistant', content: 'Beans' }, usage: titleUsage }));
    const sessions = { get: async () => aSession({ title: run.input }), update: async () => undefined };
    const dayBudgets = { hasLeft: jest.fn(async () => hasLeft) };
    const writer = new TitleWriter({
      store: {
        read: { runs: { get: async () => run }, sessions },
        transaction: async (_lock: unknown, work: (tx: object) => Promise<void>) =>
          work({ usage: { addCall: async (call: DayUsage) => stored.push(call) }, sessions }),
      },
      clock: { now: () => 0, after: () => () => undefined },
      llm: { stream },
      agents: { agentFor: () => ({ profile: {} }) },
      models: { info: { demo: false }, shownName: () => 'm', has: () => false },
      dayBudgets,
      sessionWatch: { isWatched: () => true, noteChange: () => undefined },
      onError: () => undefined,
      // Only what a title needs.
    } as unknown as TitleWriterDeps);
    writer.noteEnd(run, 'completed');
    writer.writeTitleOf(run);
    await until(async () => stored.length > 0 || (!hasLeft && dayBudgets.hasLeft.mock.calls.length > 0));
    await new Promise(resolve => setImmediate(resolve));
    return { asked: stream.mock.calls.length, stored };
  }

  const unpriced = { inputTokens: 5, outputTokens: 2 };
  const priced = { ...unpriced, costUsd: 0.1 };

  it('is not asked for when a budget of the day is used up', async () => {
    expect(await endRun(priced, priced, false)).toEqual({ asked: 0, stored: [] });
  });

  it.each([
    ['of a model without a price marks a run that had prices', priced, unpriced, 1],
    ['of a model without a price marks no run twice', unpriced, unpriced, 0],
    ['of a model with a price marks no run', priced, priced, 0],
  ])('%s', async (_name, runUsage, titleUsage, unpricedRuns) => {
    expect((await endRun(runUsage, titleUsage, true)).stored).toMatchObject([{ inputTokens: 5, unpricedRuns }]);
  });
});
