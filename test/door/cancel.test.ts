/** Cancelling a run: the connection to the model closes, no process of a tool survives, and the session can continue. */
import { readdirSync, readFileSync } from 'node:fs';
import { type AgentBench, startBench } from '../support/agent_bench';
import { textOf } from '../support/chat_client';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('long poem', { text: 'Roses are red and so on and on', chunkSize: 4, pauseAfter: 3 });
  bench.model.onTurn('go on', request => `I see: ${request.body.messages.map(message => message.role).join(' ')}`);
});

afterAll(() => bench?.stop());

/** Returns true when a process of this machine has `text` among its arguments. */
function isRunning(text: string): boolean {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .some(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}

describe('cancelling over Socket.IO', () => {
  it('closes the connection to a streaming model, keeps the partial text and ends with one run_end', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('a long poem, socket');
    await client.waitForText(runId, 'Roses are re');
    const request = await bench.model.waitFor('a long poem, socket');
    const startedAt = performance.now();
    const hungUp = request.ended.then(how => ({ how, afterMs: performance.now() - startedAt }));
    const ack = await client.send({ type: 'cancel', runId });
    const ackAfterMs = performance.now() - startedAt;
    expect(ack).toEqual({ ok: true, status: 'cancelled' });
    const closed = await hungUp;
    expect(closed.how).toBe('hung_up');
    expect(closed.afterMs).toBeLessThan(ackAfterMs + 250);
    const events = client.eventsOf(runId);
    expect(events.filter(event => event.type === 'run_end')).toEqual([events.at(-1)]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'cancelled' } });
    expect(textOf(events)).toBe('Roses are re');
    expect((await bench.rest.history(sessionId)).map(message => message.content)).toEqual(['a long poem, socket', 'Roses are re']);
    await client.chat('go on', { sessionId });
    expect((await client.waitFor('run_end', event => event.runId !== runId)).data.text).toBe('I see: system user assistant user');
  });

  it('kills a sleeping command, and the next message finds a valid history', async () => {
    const marker = `4711.${process.pid}${Date.now()}`;
    const call = (id: string, command: string) => ({ name: 'bash', id, arguments: { command } });
    bench.model.onTurn('sleep well', {
      toolCalls: [call('first', `echo started; (setsid sleep ${marker} &); sleep ${marker}`), call('second', 'echo never')],
    });
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('sleep well');
    await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
    expect(isRunning(marker)).toBe(true);
    expect(await client.send({ type: 'cancel', runId })).toEqual({ ok: true, status: 'cancelled' });
    expect(isRunning(marker)).toBe(false);
    const results = client.eventsOf(runId).flatMap(event => (event.type === 'tool_call_end' ? [event.data] : []));
    expect(results).toMatchObject([
      { toolCallId: 'first', ok: false, result: expect.stringContaining('Cancelled') },
      { toolCallId: 'second', ok: false, result: expect.stringContaining('cancelled') },
    ]);
    const next = await client.chat('go on', { sessionId });
    expect((await client.endOf(next.runId)).data.text).toBe('I see: system user assistant tool tool user');
  });

  it('removes a queued run, which never starts', async () => {
    const client = await bench.connect();
    const first = await client.chat('a long poem, with a queue');
    await client.waitFor('text_delta');
    const second = await client.chat('never asked', { sessionId: first.sessionId });
    expect(await client.send({ type: 'cancel', runId: second.runId })).toEqual({ ok: true, status: 'cancelled' });
    expect(client.eventsOf(second.runId)).toMatchObject([{ type: 'run_end', seq: 1, data: { status: 'cancelled' } }]);
    expect(await client.send({ type: 'cancel', runId: first.runId })).toEqual({ ok: true, status: 'cancelled' });
    expect(bench.model.requests('never asked')).toEqual([]);
  });

  it('returns the final status when repeated or when the run has ended', async () => {
    const client = await bench.connect();
    const { runId } = await client.chat('a long poem, twice');
    await client.waitFor('text_delta');
    const acks = await Promise.all([client.send({ type: 'cancel', runId }), client.send({ type: 'cancel', runId })]);
    expect(acks).toEqual([
      { ok: true, status: 'cancelled' },
      { ok: true, status: 'cancelled' },
    ]);
    const done = await client.chat('go on');
    await client.endOf(done.runId);
    expect(await client.send({ type: 'cancel', runId: done.runId })).toEqual({ ok: true, status: 'completed' });
    expect(client.eventsOf(done.runId).filter(event => event.type === 'run_end')).toHaveLength(1);
    expect((await client.send({ type: 'cancel', runId: 'run_unknown' })).error).toMatchObject({ code: 'not_found', param: '/runId' });
  });
});

describe('cancelling over REST', () => {
  it('answers with the ended run, also to a caller that waits for it', async () => {
    const waiting = bench.rest.run({ input: 'a long poem, rest' });
    await bench.model.waitFor('a long poem, rest');
    const { body } = await bench.rest.request<{ data: { runId: string }[] }>('GET', '/runs?status=running');
    const runId = body.data[0]?.runId ?? '';
    const cancelled = await bench.rest.request('POST', `/runs/${runId}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { runId, status: 'cancelled' } });
    expect((await waiting).body).toMatchObject({ runId, status: 'cancelled' });
    const unknown = await bench.rest.request<ErrorBody>('POST', '/runs/run_unknown/cancel');
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
