/** A session executes one run at a time; another message is queued, is refused or interrupts, as its sender chose with onBusy. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ failpoints: true });
  bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('next', request => `${request.userText} after ${request.body.messages.length - 2}`);
});

afterAll(() => bench?.stop());

describe('a message to a busy session', () => {
  it('is queued by default, in the order of arrival, and its run sees the earlier messages', async () => {
    const client = await bench.connect();
    const first = await client.chat('slow one, in order');
    const { sessionId } = first;
    const second = await client.chat('next a', { sessionId });
    const third = await client.chat('next b', { sessionId });
    await client.waitForText(first.runId, 'slow');
    const queued = await bench.rest.request<{ status: string }>('GET', `/runs/${third.runId}`);
    expect(queued.body.status).toBe('queued');
    bench.model.resume();
    expect((await client.endOf(third.runId)).data.text).toBe('next b after 4');
    const order = client.received.flatMap(message => (message.type === 'run_start' || message.type === 'run_end' ? [message.runId] : []));
    expect(order).toEqual([first, first, second, second, third, third].map(run => run.runId));
  });

  it('is refused with session_busy and not stored when it asks for reject', async () => {
    const client = await bench.connect();
    const first = await client.chat('slow one, refusing');
    const { sessionId } = first;
    const refused = await client.send({ type: 'chat', text: 'next c', sessionId, onBusy: 'reject' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'session_busy', retryable: true, type: 'conflict_error' } });
    const rest = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'next c', sessionId, onBusy: 'reject' });
    expect(rest).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
    expect(rest.headers.get('x-should-retry')).toBe('false');
    expect(await bench.rest.history(sessionId)).toHaveLength(1);
    await client.send({ type: 'cancel', runId: first.runId });
    const later = await client.chat('next c', { sessionId, onBusy: 'reject' });
    expect((await client.endOf(later.runId)).data.status).toBe('completed');
  });

  it('cancels the active run first when it asks for interrupt', async () => {
    const client = await bench.connect();
    const first = await client.chat('slow one, giving way');
    await bench.model.waitFor('slow one, giving way');
    const second = await client.chat('next d', { sessionId: first.sessionId, onBusy: 'interrupt' });
    expect((await client.endOf(second.runId)).data.status).toBe('completed');
    expect((await client.endOf(first.runId)).data.status).toBe('cancelled');
  });

  it('does not interrupt its own run when it is sent again', async () => {
    const client = await bench.connect();
    const message = { onBusy: 'interrupt', clientMessageId: 'again-1' };
    const { sessionId } = await client.chat('next e');
    const first = await client.chat('slow one, sent again', { ...message, sessionId });
    const again = await client.chat('slow one, sent again', { ...message, sessionId });
    expect(again).toMatchObject({ runId: first.runId, deduplicated: true });
    await client.waitForText(first.runId, 'slow');
    bench.model.resume();
    expect((await client.endOf(first.runId)).data.status).toBe('completed');
  });

  it.each(['reject', 'enqueue'])(
    'has one active run when the check of the code is off and twenty starts race with onBusy %s',
    async onBusy => {
      const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', {});
      await bench.gateway.arm('active_check=fail:1000');
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          bench.rest.request<{ status: string } & Partial<ErrorBody>>(
            'POST',
            '/runs',
            { input: `slow one, ${onBusy} ${i}`, sessionId: session.id, onBusy },
            { prefer: 'respond-async' },
          ),
        ),
      );
      // The unique index of the store refuses a second active run.
      expect(answers.filter(({ body }) => body.status === 'running')).toHaveLength(1);
      const others = answers.filter(({ body }) => body.status !== 'running');
      expect(others.map(({ body }) => body.error?.code)).toEqual(others.map(() => 'session_busy'));
      await bench.gateway.arm('');
      bench.model.resume();
    },
  );

  it('is refused with retryAfterMs when 32 messages are queued', async () => {
    const client = await bench.connect();
    const first = await client.chat('slow one, overrun');
    const { sessionId } = first;
    const acks = await Promise.all(Array.from({ length: 33 }, () => client.send({ type: 'chat', text: 'next f', sessionId })));
    const refused = acks.filter(ack => !ack.ok);
    expect(refused).toMatchObject([{ error: { code: 'rate_limited', retryable: true, retryAfterMs: expect.any(Number) } }]);
    const rest = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'next f', sessionId });
    expect(rest).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await bench.rest.request('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
  });
});
