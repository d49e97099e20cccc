/** A run belongs to no connection: a reader that reconnects with its cursor gets every later event once. */
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type ChatClient, textOf } from '../support/chat_client';
import { createRestClient, type ErrorBody, type PageBody } from '../support/rest_client';

const STORY = 'Once upon a time there was a gateway that forgot nothing.';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('story', { text: STORY, chunkSize: 3, pauseAfter: 5 });
  bench.model.onTurn('quick', 'quick answer');
});

afterAll(() => bench?.stop());

const seqs = (events: readonly RunEvent[]) => events.map(event => event.seq);
const upTo = (length: number) => Array.from({ length }, (_, i) => i + 1);
const ofRun = (runId: string) => (event: { runId: string }) => event.runId === runId;

/** Starts a run whose model pauses in the middle of its text. */
async function pausedStory(client: ChatClient, text: string) {
  const run = await client.chat(text);
  await client.waitForText(run.runId, STORY.slice(0, 15));
  return run;
}

describe('a run whose socket was lost', () => {
  it('continues, and a new socket with the last cursor gets every later event once, also between two deltas', async () => {
    const first = await bench.connect();
    const { sessionId, runId } = await pausedStory(first, 'story one');
    const seen = first.eventsOf(runId);
    first.close();
    const second = await bench.connect();
    const ack = await second.send({ type: 'subscribe', sessionId, after: { runId, seq: seen.length } });
    expect(ack).toMatchObject({ ok: true, session: { id: sessionId }, activeRun: { runId, status: 'running' }, clarifications: [] });
    bench.model.resume();
    await second.endOf(runId);
    const all = [...seen, ...second.eventsOf(runId)];
    expect(seqs(all)).toEqual(upTo(all.length));
    expect(textOf(all)).toBe(STORY);
  });

  it('is replayed from a cursor in the middle of deltas that are not stored yet', async () => {
    const first = await bench.connect();
    const { sessionId, runId } = await pausedStory(first, 'story two');
    const third = await bench.connect();
    await third.send({ type: 'subscribe', sessionId, after: { runId, seq: 2 } });
    bench.model.resume();
    await Promise.all([first.endOf(runId), third.endOf(runId)]);
    expect(third.eventsOf(runId)).toEqual(first.eventsOf(runId).slice(2));
  });

  it('ends without a reader, and a later reader gets it with the runs that followed', async () => {
    const first = await bench.connect();
    const { sessionId, runId } = await pausedStory(first, 'story three');
    const lastSeq = first.eventsOf(runId).length;
    const { body: next } = await bench.rest.run({ input: 'quick', sessionId }, { prefer: 'respond-async' });
    first.close();
    bench.model.resume();
    await bench.rest.stream('GET', `/runs/${next.runId}/events`);
    const second = await bench.connect();
    const ack = await second.send({ type: 'subscribe', sessionId, after: { runId, seq: lastSeq } });
    expect(ack['activeRun']).toBeUndefined();
    await second.endOf(next.runId);
    expect(seqs(second.eventsOf(runId))[0]).toBe(lastSeq + 1);
    expect(second.eventsOf(runId).at(-1)?.type).toBe('run_end');
    const after = second.eventsOf(next.runId);
    expect(seqs(after)).toEqual(upTo(after.length));
  });
});

describe('several readers', () => {
  it('see the same events on two sockets, also of a run that a REST call started', async () => {
    const [left, right] = [await bench.connect(), await bench.connect()];
    const { sessionId, runId } = await pausedStory(left, 'story four');
    await right.send({ type: 'subscribe', sessionId });
    bench.model.resume();
    const { body } = await bench.rest.run({ input: 'quick', sessionId });
    await Promise.all([left.endOf(body.runId), right.endOf(body.runId)]);
    expect(right.received).toEqual(left.received);
    expect(new Set(left.received.map(message => ('runId' in message ? message.runId : '')))).toEqual(new Set([runId, body.runId]));
  });

  it('get no duplicates when they subscribe again on the same socket', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await pausedStory(client, 'story five');
    const seq = client.eventsOf(runId).length;
    await Promise.all([1, 2].map(() => client.send({ type: 'subscribe', sessionId, after: { runId, seq } })));
    bench.model.resume();
    await client.endOf(runId);
    expect(seqs(client.eventsOf(runId))).toEqual(upTo(client.eventsOf(runId).length));
  });

  it('continue server-sent events from Last-Event-ID, also while the run streams', async () => {
    const client = await bench.connect();
    const { runId } = await pausedStory(client, 'story six');
    const rest = createRestClient(bench.gateway.url);
    const seen = client.eventsOf(runId).length;
    const tail = rest.stream('GET', `/runs/${runId}/events?after=0`, undefined, { 'last-event-id': String(seen) });
    const whole = rest.stream('GET', `/runs/${runId}/events?after=0`);
    bench.model.resume();
    await client.endOf(runId);
    expect(await whole).toEqual(client.eventsOf(runId));
    expect(await tail).toEqual(client.eventsOf(runId).slice(seen));
  });

  it('get the same list in pages of JSON', async () => {
    const client = await bench.connect();
    const { runId } = await client.chat('quick');
    await client.endOf(runId);
    const pages: RunEvent[] = [];
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const { body }: { body: PageBody<RunEvent> } = await bench.rest.request('GET', `/runs/${runId}/events?limit=2&after=${after}`);
      pages.push(...body.data);
      after = body.nextCursor;
    }
    expect(pages).toEqual(client.eventsOf(runId));
  });
});

describe('an invalid cursor', () => {
  it('gets not_found for a run in another session and for an unknown run', async () => {
    const client = await bench.connect();
    const [one, two] = [await client.chat('quick'), await client.chat('quick')];
    for (const runId of [two.runId, 'run_unknown']) {
      const ack = await client.send({ type: 'subscribe', sessionId: one.sessionId, after: { runId, seq: 0 } });
      expect(ack.error).toMatchObject({ code: 'not_found' });
    }
    expect((await client.send({ type: 'subscribe', sessionId: 'ses_unknown' })).error).toMatchObject({ code: 'not_found' });
    const rest = await bench.rest.request<ErrorBody>('GET', '/runs/run_unknown/events');
    expect(rest).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('is reset with a snapshot when it is ahead of the end of the run', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('quick');
    await client.endOf(runId);
    const later = await bench.connect();
    await later.send({ type: 'subscribe', sessionId, after: { runId, seq: 900 } });
    const reset = await later.waitForAny(message => message.type === 'replay_reset');
    const events = client.eventsOf(runId);
    expect(reset).toMatchObject({ runId, data: { runId, lastSeq: events.length, snapshot: { events } } });
    expect(later.eventsOf(runId).filter(ofRun(runId))).toEqual([]);
  });
});
