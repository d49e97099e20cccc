/** A steering message reaches the model at its next call, or becomes the next message of the session; it is never lost. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  const wait = (seconds: number) => ({ name: 'bash', arguments: { command: `echo started; sleep ${seconds}` } });
  bench.model.onTurn('long job', { toolCalls: [wait(0.3)] });
  bench.model.onTurn('endless job', { toolCalls: [wait(60)] }, 'The job is over.');
  bench.model.onTurn('story', { text: 'A story without any tool.', chunkSize: 5, pauseAfter: 2 });
  bench.model.onTurn('instead', request => `Understood after ${request.body.messages.length - 1} messages: ${request.userText}`);
});

afterAll(() => bench?.stop());

async function startJob(client: ChatClient, text: string) {
  const run = await client.chat(text);
  await client.waitFor('tool_call_delta', event => event.runId === run.runId && event.data.output.includes('started'));
  return run;
}

const userTexts = async (sessionId: string) =>
  (await bench.rest.history(sessionId)).flatMap(message => (message.role === 'user' ? [message.content] : []));

describe('a steering message', () => {
  it('reaches the model after the tool call and is shown to every reader', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await startJob(client, 'long job one');
    expect(await client.send({ type: 'steer', runId, text: 'beans instead' })).toEqual({ ok: true, runId, sessionId });
    expect((await client.endOf(runId)).data.text).toBe('Understood after 4 messages: beans instead');
    const shown = await client.waitFor('message_end', event => event.data.role === 'user');
    expect(shown).toMatchObject({ runId, data: { content: 'beans instead' } });
    expect(await userTexts(sessionId)).toEqual(['long job one', 'beans instead']);
  });

  it('can be sent over REST and as a chat message with onBusy', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await startJob(client, 'long job two');
    const rest = await bench.rest.request('POST', `/runs/${runId}/steer`, { text: 'peas instead' });
    expect(rest).toMatchObject({ status: 202, body: { runId, sessionId } });
    const chat = await client.send({ type: 'chat', sessionId, text: 'roses instead', onBusy: 'steer', clientMessageId: 'roses' });
    expect(chat).toMatchObject({ ok: true, runId, steered: true, deduplicated: false });
    const again = await client.send({ type: 'chat', sessionId, text: 'roses instead', onBusy: 'steer', clientMessageId: 'roses' });
    expect(again).toMatchObject({ ok: true, runId, deduplicated: true });
    expect((await client.endOf(runId)).data.text).toBe('Understood after 6 messages: roses instead');
    expect(await userTexts(sessionId)).toEqual(['long job two', 'peas instead', 'roses instead']);
  });

  it('becomes the next message when the run ends without another model call', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat('story one');
    await client.waitFor('text_delta', event => event.runId === runId);
    await client.send({ type: 'steer', runId, text: 'a poem instead' });
    bench.model.resume();
    await client.endOf(runId);
    const next = await client.waitFor('run_end', event => event.runId !== runId && event.sessionId === sessionId);
    expect(next.data).toMatchObject({ status: 'completed', text: 'Understood after 3 messages: a poem instead' });
    expect(await userTexts(sessionId)).toEqual(['story one', 'a poem instead']);
  });

  it('starts the next run when its run has ended', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat('this instead');
    await client.endOf(runId);
    const ack = await client.send({ type: 'steer', runId, text: 'that instead' });
    expect(ack).toMatchObject({ ok: true, sessionId });
    expect(ack['runId']).not.toBe(runId);
    expect((await client.endOf(String(ack['runId']))).data.text).toBe('Understood after 3 messages: that instead');
  });

  it('becomes the next message when the run is cancelled', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await startJob(client, 'endless job one');
    await client.send({ type: 'steer', runId, text: 'nothing instead' });
    await client.send({ type: 'cancel', runId });
    const next = await client.waitFor('run_end', event => event.runId !== runId && event.sessionId === sessionId);
    expect(next.data.text).toContain('nothing instead');
  });

  it('survives a crash', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await startJob(client, 'endless job two');
    await client.send({ type: 'steer', runId, text: 'grapes instead' });
    await bench.gateway.restart();
    const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: 'Understood after 4 messages: grapes instead' } });
    expect(await userTexts(sessionId)).toEqual(['endless job two', 'grapes instead']);
  });

  it('gets not_found for an unknown run', async () => {
    const rest = await bench.rest.request<ErrorBody>('POST', '/runs/run_unknown/steer', { text: 'hello' });
    expect(rest).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
