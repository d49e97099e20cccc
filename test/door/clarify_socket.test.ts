/** Clarifications over Socket.IO: the run waits for a person, the first answer wins, and the model is told of a timeout or a cancel. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';
import type { ErrorBody, PageBody } from '../support/rest_client';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNDECLARED_TIMEOUT_MS = 1_000;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_CLARIFY_TIMEOUT_MS: String(UNDECLARED_TIMEOUT_MS) } });
  bench.model.onTurn(
    'paint',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } }] },
    request => `Told: ${request.toolResults[0]}`,
  );
});

afterAll(() => bench?.stop());

/** Sends a message that makes the model ask, and resolves when the question arrives. */
async function chatUntilApproval(client: ChatClient, more: Record<string, unknown> = {}) {
  const { sessionId, runId } = await client.chat('paint the door', more);
  const asked = await client.waitFor('clarify_request', event => event.runId === runId);
  return { sessionId, runId, asked, requestId: asked.data.requestId };
}

const runStatus = async (runId: string) => (await bench.rest.request<{ status: string }>('GET', `/runs/${runId}`)).body.status;

describe('a question over Socket.IO (neta.clarify.blocking, neta.clarify.protocol)', () => {
  it('makes the run wait, and the run continues with the answer', async () => {
    const client = await bench.connect();
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client);
    expect(requestId).toMatch(UUID);
    expect(asked.data).toEqual({ requestId, question: 'Which colour?', choices: ['red', 'blue'], expiresAt: expect.any(String) });
    expect(await runStatus(runId)).toBe('waiting');
    const ack = await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'a dark green' });
    expect(ack).toEqual({ ok: true, status: 'answered' });
    const end = await client.endOf(runId);
    expect(end.data).toMatchObject({ status: 'completed', text: expect.stringContaining('a dark green') });
    const closed = await client.waitFor('clarify_end', event => event.runId === runId);
    expect(closed.data).toEqual({ requestId, status: 'answered', answer: 'a dark green' });
  });

  it('accepts the number of a choice as the choice', async () => {
    const client = await bench.connect();
    const { sessionId, runId, requestId } = await chatUntilApproval(client);
    await client.send({ type: 'clarify_response', sessionId, requestId, answer: '2' });
    expect((await client.endOf(runId)).data.text).toContain('blue');
  });

  it('expires without an answer: the model is told to decide itself, and a late answer is refused', async () => {
    const client = await bench.connect({});
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client);
    expect(Date.parse(asked.data.expiresAt) - Date.parse(asked.ts)).toBeLessThanOrEqual(UNDECLARED_TIMEOUT_MS);
    const end = await client.endOf(runId);
    expect(end.data).toMatchObject({ status: 'completed', text: expect.stringMatching(/There was no answer in time\. Decide yourself/) });
    const late = await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'red' });
    expect(late).toMatchObject({ ok: false, error: { code: 'clarification_closed', retryable: false, details: { status: 'expired' } } });
    expect(client.eventsOf(runId).at(-1)).toEqual(end);
  });

  it('has the longer deadline for clients that declare clarify@1', async () => {
    const client = await bench.connect({ capabilities: ['clarify@1'] });
    const { runId, asked } = await chatUntilApproval(client);
    expect(Date.parse(asked.data.expiresAt) - Date.parse(asked.ts)).toBeGreaterThan(290_000);
    await client.send({ type: 'cancel', runId });
  });

  it('accepts the first of two answers and returns the winning one to the second', async () => {
    const [left, right] = [await bench.connect(), await bench.connect()];
    const { sessionId, runId, requestId } = await chatUntilApproval(left);
    const acks = await Promise.all([
      left.send({ type: 'clarify_response', sessionId, requestId, answer: 'from the left' }),
      right.send({ type: 'clarify_response', sessionId, requestId, answer: 'from the right' }),
    ]);
    const winner = acks[0].ok ? 'from the left' : 'from the right';
    expect(acks.filter(ack => ack.ok)).toHaveLength(1);
    const loser = acks.find(ack => !ack.ok);
    expect(loser?.error).toMatchObject({ code: 'clarification_closed', details: { status: 'answered', answer: winner } });
    expect((await left.endOf(runId)).data.text).toContain(winner);
  });

  it('refuses an answer from another session as if the question did not exist', async () => {
    const client = await bench.connect();
    const { sessionId, runId, requestId } = await chatUntilApproval(client);
    const other = await chatUntilApproval(client);
    const stolen = await client.send({ type: 'clarify_response', sessionId: other.sessionId, requestId, answer: 'red' });
    expect(stolen).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await runStatus(runId)).toBe('waiting');
    await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'mine' });
    expect((await client.endOf(runId)).data.text).toContain('mine');
    await client.send({ type: 'cancel', runId: other.runId });
  });

  it('outlives its socket: another connection sees it pending and answers it', async () => {
    const first = await bench.connect();
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(first);
    first.close();
    const second = await bench.connect();
    const ack = await second.send({ type: 'subscribe', sessionId, after: { runId, seq: asked.seq } });
    expect(ack).toMatchObject({
      ok: true,
      activeRun: { runId, status: 'waiting', lastSeq: asked.seq },
      clarifications: [
        { requestId, question: 'Which colour?', choices: ['red', 'blue'], status: 'pending', expiresAt: asked.data.expiresAt },
      ],
    });
    await second.send({ type: 'clarify_response', sessionId, requestId, answer: 'still here' });
    expect((await second.endOf(runId)).data.text).toContain('still here');
    expect(second.eventsOf(runId)[0]?.seq).toBe(asked.seq + 1);
  });

  it('can be answered over REST, once', async () => {
    const client = await bench.connect();
    const { sessionId, runId, requestId } = await chatUntilApproval(client);
    const open = await bench.rest.request<PageBody<unknown>>('GET', `/clarifications?status=pending&sessionId=${sessionId}`);
    expect(open.body.data).toEqual([expect.objectContaining({ requestId, sessionId, runId, status: 'pending' })]);
    const answered = await bench.rest.request('POST', `/clarifications/${requestId}`, { answer: 'by REST' });
    expect(answered).toMatchObject({ status: 200, body: { requestId, status: 'answered' } });
    const again = await bench.rest.request<ErrorBody>('POST', `/clarifications/${requestId}`, { answer: 'once more' });
    expect(again.status).toBe(409);
    expect(again.headers.get('x-should-retry')).toBe('false');
    expect(again.body.error).toMatchObject({ code: 'clarification_closed', details: { status: 'answered', answer: 'by REST' } });
    expect((await client.endOf(runId)).data.text).toContain('by REST');
  });

  it('is cancelled with its run', async () => {
    const client = await bench.connect();
    const { sessionId, runId, requestId } = await chatUntilApproval(client);
    expect(await client.send({ type: 'cancel', runId })).toEqual({ ok: true, status: 'cancelled' });
    expect((await client.endOf(runId)).data.status).toBe('cancelled');
    const closed = await client.waitFor('clarify_end', event => event.runId === runId);
    expect(closed.data).toEqual({ requestId, status: 'cancelled' });
    const late = await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'red' });
    expect(late.error).toMatchObject({ code: 'clarification_closed', details: { status: 'cancelled' } });
  });

  it('waits beside the other questions of the same answer, until the last of them is closed', async () => {
    const ask = (question: string) => ({ name: 'clarify', arguments: { question } });
    bench.model.onTurn('furnish', { toolCalls: [ask('Which table?'), ask('Which chair?')] }, request => request.toolResults.join(' + '));
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('furnish the room');
    const asked = (question: string) =>
      client.waitFor('clarify_request', event => event.runId === runId && event.data.question === question);
    const [table, chair] = await Promise.all([asked('Which table?'), asked('Which chair?')]);
    const answer = (requestId: string, text: string) => client.send({ type: 'clarify_response', sessionId, requestId, answer: text });
    expect(await answer(chair.data.requestId, 'a soft one')).toMatchObject({ ok: true });
    await client.waitFor('clarify_end', event => event.data.requestId === chair.data.requestId);
    expect(await runStatus(runId)).toBe('waiting');
    expect(await answer(table.data.requestId, 'a round one')).toMatchObject({ ok: true });
    // The results stand in the order of the calls.
    expect((await client.endOf(runId)).data.text).toMatch(/a round one \+ .*\n?a soft one/);
  });

  it('refuses an empty answer and stays open', async () => {
    const client = await bench.connect();
    const { sessionId, runId, requestId } = await chatUntilApproval(client);
    const ack = await client.send({ type: 'clarify_response', sessionId, requestId, answer: '  ' });
    expect(ack.error).toMatchObject({ code: 'invalid_request', param: '/answer' });
    expect(await runStatus(runId)).toBe('waiting');
    await client.send({ type: 'cancel', runId });
  });

  it('stays open past its first deadline after an extension', async () => {
    const hurried = await bench.connect({});
    const patient = await bench.connect({ capabilities: ['clarify@1'] });
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(hurried);
    const ack = await patient.send({ type: 'clarify_extend', sessionId, requestId });
    expect(Date.parse(String(ack['expiresAt']))).toBeGreaterThan(Date.parse(asked.data.expiresAt) + 60_000);
    // A later question with the same timeout has expired, so the first deadline of this one has passed too.
    await hurried.endOf((await chatUntilApproval(hurried)).runId);
    expect(await hurried.send({ type: 'clarify_response', sessionId, requestId, answer: 'took my time' })).toMatchObject({ ok: true });
    expect((await hurried.endOf(runId)).data.text).toContain('took my time');
    const closed = await patient.send({ type: 'clarify_extend', sessionId, requestId });
    expect(closed.error).toMatchObject({ code: 'clarification_closed' });
  });
});
