/** Clarifications over REST: the run ends with the question as its answer, and the next message answers it. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';

interface QuestionRow {
  requestId: string;
  status: string;
  answer?: string;
}

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn(
    'paint',
    { text: 'One moment.', toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } }] },
    request => `Told: ${request.toolResults[0]}`,
  );
  bench.model.onTurn('please', request => `Painted: ${request.userText}`);
});

afterAll(() => bench?.stop());

const questionsOf = async (sessionId: string) =>
  (await bench.rest.request<PageBody<QuestionRow>>('GET', `/clarifications?sessionId=${sessionId}`)).body.data;

/** Starts a run that ends with a question. */
async function askedRun() {
  const { body } = await bench.rest.run({ input: 'paint the door' });
  return { ...body, requestId: body.clarification?.requestId ?? '' };
}

describe('a question over REST (neta.clarify.degraded)', () => {
  it('is the text of a completed run, with numbered choices, and fills `clarification`', async () => {
    const { status, body } = await bench.rest.run({ input: 'paint the door' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'completed',
      text: expect.stringMatching(/^Which colour\?\n\n1\. red\n2\. blue\n/),
      clarification: { requestId: expect.any(String), question: 'Which colour?', choices: ['red', 'blue'], expiresAt: expect.any(String) },
      toolCalls: [{ name: 'clarify', ok: true }],
    });
  });

  it('is answered by the next message, which closes it', async () => {
    const { sessionId, requestId } = await askedRun();
    expect(await questionsOf(sessionId)).toMatchObject([{ requestId, status: 'pending' }]);
    const next = await bench.rest.run({ sessionId, input: 'the second one please' });
    expect(next.body).toMatchObject({ status: 'completed', text: 'Painted: the second one please' });
    expect(await questionsOf(sessionId)).toMatchObject([{ requestId, status: 'answered', answer: 'the second one please' }]);
    const seen = bench.model.requests('the second one please').at(-1)?.body.messages.slice(1);
    expect(seen?.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('is answered by POST /clarifications, which starts the next run; a second answer is refused', async () => {
    const { sessionId, requestId } = await askedRun();
    const answered = await bench.rest.request<{ runId: string; sessionId: string }>('POST', `/clarifications/${requestId}`, {
      answer: 'blue please',
    });
    expect(answered).toMatchObject({ status: 200, body: { requestId, status: 'answered', sessionId } });
    const events = await bench.rest.stream('GET', `/runs/${answered.body.runId}/events`);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'Painted: blue please' } });
    const second = await bench.rest.request<ErrorBody>('POST', `/clarifications/${requestId}`, { answer: 'red please' });
    expect(second.status).toBe(409);
    expect(second.body.error).toMatchObject({ code: 'clarification_closed', details: { status: 'answered', answer: 'blue please' } });
    expect((await bench.rest.history(sessionId)).filter(message => message.role === 'user')).toHaveLength(2);
  });

  it('can be answered over Socket.IO', async () => {
    const { sessionId, requestId } = await askedRun();
    const client = await bench.connect();
    await client.send({ type: 'subscribe', sessionId });
    const ack = await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'red please' });
    expect(ack).toMatchObject({ ok: true, status: 'answered' });
    expect((await client.endOf(String(ack['runId']))).data.text).toBe('Painted: red please');
  });

  it('refuses an empty answer and stays open', async () => {
    const { sessionId, requestId } = await askedRun();
    const refused = await bench.rest.request<ErrorBody>('POST', `/clarifications/${requestId}`, { answer: ' ' });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: '/answer' } } });
    expect(await questionsOf(sessionId)).toMatchObject([{ requestId, status: 'pending' }]);
  });

  it('waits for the answer when the caller chose clarify: "wait"', async () => {
    const { body } = await bench.rest.run({ input: 'paint the door', clarify: 'wait' }, { prefer: 'respond-async' });
    const client = await bench.connect();
    await client.send({ type: 'subscribe', sessionId: body.sessionId, after: { runId: body.runId, seq: 0 } });
    const { data } = await client.waitFor('clarify_request');
    expect(await bench.rest.request('POST', `/clarifications/${data.requestId}`, { answer: 'white' })).toMatchObject({ status: 200 });
    expect((await client.endOf(body.runId)).data).toMatchObject({ status: 'completed', text: expect.stringContaining('white') });
  });

  it('says not_found for a question that does not exist', async () => {
    for (const id of ['11111111-1111-4111-8111-111111111111', 'no%20id']) {
      const answer = await bench.rest.request<ErrorBody>('POST', `/clarifications/${id}`, { answer: 'red' });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
  });
});

describe('other tool calls in the same reply as a question over REST (neta.clarify.degraded)', () => {
  const question = (text: string, choices?: string[]) => ({ name: 'clarify', arguments: { question: text, ...(choices && { choices }) } });
  const write = (path: string) => ({ name: 'write_file', arguments: { path, content: 'x' } });
  const resultsOf = async (sessionId: string) =>
    (await bench.rest.history(sessionId)).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

  it('run when they precede the question and are refused when they follow it', async () => {
    bench.model.onTurn('behind', { toolCalls: [write('before.txt'), question('May I?'), write('after.txt'), { name: 'list_dir' }] });
    const { body } = await bench.rest.run({ input: 'behind a question' });
    expect(body).toMatchObject({ status: 'completed', text: 'May I?', clarification: { question: 'May I?' } });
    const results = await resultsOf(body.sessionId);
    expect(results).toEqual([
      expect.stringContaining('before.txt'),
      expect.stringMatching(/question was handed/),
      expect.stringMatching(/^Not run: your question/),
      expect.stringMatching(/^Not run: your question/),
    ]);
    const { body: list } = await bench.rest.request<{ message: string }>('POST', '/tools/call', { toolName: 'list_dir', parameters: {} });
    expect(list.message).toContain('before.txt');
    expect(list.message).not.toContain('after.txt');
  });

  it('are refused in the language of the run', async () => {
    bench.model.onTurn('先问', { toolCalls: [question('可以吗？'), write('after.txt')] });
    const { body } = await bench.rest.run({ input: '先问一句', locale: 'zh-CN' });
    expect((await resultsOf(body.sessionId))[1]).toMatch(/^未执行/);
  });

  it('join the text as a numbered second question when they ask too', async () => {
    bench.model.onTurn('two of them', { toolCalls: [question('Which colour?', ['red', 'blue']), question('How many?')] });
    const { body } = await bench.rest.run({ input: 'ask two of them' });
    const both = '1. Which colour?\n   a) red\n   b) blue\n\n2. How many?\n\nPlease answer each question by its number.';
    expect(body).toMatchObject({ status: 'completed', text: both, clarification: { question: both } });
    expect(await questionsOf(body.sessionId)).toHaveLength(1);
    bench.model.onTurn('1: blue', 'Understood.');
    const next = await bench.rest.run({ sessionId: body.sessionId, input: '1: blue, 2: three' });
    expect(next.body).toMatchObject({ status: 'completed', text: 'Understood.' });
  });
});

describe('a direct call, which has no session', () => {
  const callDirectly = async (toolName: string, parameters: object) =>
    (
      await bench.rest.request<{ status: string; message: string; result: Record<string, unknown> }>('POST', '/tools/call', {
        toolName,
        parameters,
      })
    ).body;

  it('to clarify returns the question and says that no person was asked', async () => {
    const body = await callDirectly('clarify', { question: 'Which colour?', choices: ['red', 'blue'] });
    expect(body.status).toBe('success');
    expect(body.message).toMatch(/^No person was asked[\s\S]*Which colour\?[\s\S]*2\. blue/);
    expect(body.result).toMatchObject({ status: 'not_asked', question: 'Which colour?', choices: ['red', 'blue'] });
  });

  it('to todo says that the plan is not stored', async () => {
    const body = await callDirectly('todo', { todos: [{ id: 'a', content: 'measure', status: 'pending' }] });
    expect(body.message).toMatch(/Nothing is kept/);
    expect(body.result).toMatchObject({ kept: false, todos: [{ id: 'a' }] });
  });
});
