/** The official client of Durable Streams reads the log of a run by offset, while the run goes on and after it. */
import { DurableStream, stream } from '@durable-streams/client';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import { bearer, withKey } from '../support/key_bench';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';

const ADMIN = 'admin-secret-0123456789';
const READER = 'reader-secret-0123456789';
const STRANGER = 'stranger-secret-0123456789';
const CHUNK = 'once upon ';
const STORY = CHUNK.repeat(30);
const PAGE = 'https://page.example';

let bench: AgentBench;
let rest: RestClient;
const headers = bearer(READER);

const urlOf = (runId: string) => `${bench.gateway.url}/streams/runs/${runId}`;
const ask = (runId: string, query = '', more: Record<string, string> = {}, method = 'GET') =>
  fetch(`${urlOf(runId)}${query}`, { method, headers: { ...headers, ...more } });
const positionOf = (answer: Response) => ({
  next: answer.headers.get('stream-next-offset'),
  upToDate: answer.headers.get('stream-up-to-date'),
  closed: answer.headers.get('stream-closed'),
});

async function start(input: string): Promise<string> {
  const { body } = await rest.run({ input }, { prefer: 'respond-async' });
  return body.runId;
}

async function endedRun(input = 'hello'): Promise<string> {
  const { body } = await rest.run({ input });
  return body.runId;
}

async function logOf(runId: string): Promise<RunEvent[]> {
  const { body } = await rest.request<PageBody<RunEvent>>('GET', `/runs/${runId}/events?limit=1000`);
  return body.data;
}

type OnBatch = (events: readonly RunEvent[]) => void;

/** Reads until the stream is closed. `onBatch` gets all events so far. Opens the stream again at the last offset when a connection breaks. */
async function readToEnd(
  runId: string,
  { live = 'sse', offset = '-1', onBatch }: { live?: 'sse' | 'long-poll'; offset?: string; onBatch?: OnBatch } = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  let last = offset;
  const readOnce = async () => {
    const response = await stream<RunEvent>({ url: urlOf(runId), headers, live, offset: last, json: true });
    await new Promise<void>((resolve, reject) => {
      response.closed.catch(reject);
      response.subscribeJson(batch => {
        events.push(...batch.items);
        last = batch.offset;
        onBatch?.(events);
        if (batch.streamClosed) resolve();
      });
    });
  };
  for (;;) {
    try {
      await readOnce();
      return events;
    } catch (thrown) {
      if (!/terminated/.test(String(thrown))) throw thrown;
    }
  }
}

const textOf = (events: readonly RunEvent[]) => events.map(event => (event.type === 'text_delta' ? event.data.text : '')).join('');

beforeAll(async () => {
  const keys = [`root:${ADMIN}:default:chat+admin`, `reader:${READER}:readers:chat`, `stranger:${STRANGER}:strangers:chat`];
  bench = await startBench({ own: 'it is restarted', env: { NETA_API_KEYS: keys.join(','), NETA_ORIGINS: PAGE } });
  rest = withKey(bench.gateway.url, READER);
  bench.model.onTurn('hello', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, { text: 'All done, friend.', chunkSize: 3 });
  bench.model.onTurn(/story/, { text: STORY, chunkSize: CHUNK.length, pauseAfter: 10 });
  bench.model.onTurn('novel', { text: 'Chapter. '.repeat(30_000), chunkSize: 2_000 });
});

afterAll(() => bench?.stop());

describe('the stream of an ended run', () => {
  it('holds the events of the run log and is closed', async () => {
    const runId = await endedRun();
    const response = await stream<RunEvent>({ url: urlOf(runId), headers, live: false });
    const events = await response.json();
    expect(events).toEqual(await logOf(runId));
    expect(events.at(-1)?.type).toBe('run_end');
    expect([response.upToDate, response.streamClosed, response.contentType]).toEqual([
      true,
      true,
      expect.stringContaining('application/json'),
    ]);
  });

  it('resumes at any offset without a gap or a duplicate', async () => {
    const runId = await endedRun();
    const log = await logOf(runId);
    for (const [i, event] of log.entries()) {
      const offset = String(event.seq).padStart(10, '0');
      for (const live of [false, 'long-poll', 'sse'] as const) {
        const response = await stream<RunEvent>({ url: urlOf(runId), headers, live, offset, json: true });
        expect([offset, live, await response.json()]).toEqual([offset, live, log.slice(i + 1)]);
      }
    }
  });

  it('is read in parts, whose offsets grow as texts', async () => {
    const runId = await endedRun('novel');
    const log = await logOf(runId);
    const events: RunEvent[] = [];
    const offsets = ['-1'];
    for (;;) {
      const answer = await ask(runId, `?offset=${offsets.at(-1)}`);
      const { next, upToDate, closed } = positionOf(answer);
      events.push(...((await answer.json()) as RunEvent[]));
      offsets.push(next ?? '');
      expect(closed).toBe(upToDate);
      if (upToDate === 'true') break;
    }
    expect(events).toEqual(log);
    expect(offsets.length).toBeGreaterThan(2);
    expect(offsets.slice(1)).toEqual([...offsets.slice(1)].sort());
  });

  it('tells its end to HEAD and to offset=now, which no cache keeps', async () => {
    const runId = await endedRun();
    const { seq } = (await logOf(runId)).at(-1) as RunEvent;
    const handle = await DurableStream.connect({ url: urlOf(runId), headers });
    const end = String(seq).padStart(10, '0');
    expect(await handle.head()).toMatchObject({ exists: true, offset: end, streamClosed: true, cacheControl: 'no-store' });
    const now = await ask(runId, '?offset=now');
    expect([await now.json(), now.headers.get('cache-control'), now.headers.get('etag')]).toEqual([[], 'no-store', null]);
    expect(positionOf(now)).toEqual({ next: end, upToDate: 'true', closed: 'true' });
  });

  it('answers 204 at once to a long poll, and says that it is closed', async () => {
    const runId = await endedRun();
    const answer = await ask(runId, '?offset=now&live=long-poll');
    expect(answer.status).toBe(204);
    expect(positionOf(answer)).toMatchObject({ upToDate: 'true', closed: 'true' });
  });

  it('answers 304 to the ETag of the same part', async () => {
    const runId = await endedRun();
    const first = await ask(runId, '?offset=-1');
    const etag = first.headers.get('etag') ?? '';
    const again = await ask(runId, '?offset=-1', { 'if-none-match': etag });
    expect([again.status, await again.text(), positionOf(again)]).toEqual([304, '', positionOf(first)]);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect((await ask(runId, '?offset=0000000001', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('the stream of a run that goes on', () => {
  it.each(['sse', 'long-poll'] as const)('shows text by %s before the message is complete, and closes with the run', async live => {
    const runId = await start(`story by ${live}`);
    let isResumed = false;
    const events = await readToEnd(runId, {
      live,
      onBatch: seen => {
        if (isResumed || textOf(seen) !== CHUNK.repeat(10)) return;
        isResumed = true;
        bench.model.resume();
      },
    });
    expect(isResumed).toBe(true);
    expect(textOf(events)).toBe(STORY);
    expect(events).toEqual(await logOf(runId));
  });

  it('gives a reader of offset=now only later events', async () => {
    const runId = await start('story from now');
    await bench.model.waitFor('story from now');
    const events = await readToEnd(runId, { offset: 'now', onBatch: () => bench.model.resume() });
    expect(events[0]?.seq).toBeGreaterThan(1);
    expect(events).toEqual((await logOf(runId)).slice(-events.length));
  });

  it('gives each live answer a later cursor than the client sent', async () => {
    const runId = await start('story with cursors');
    await bench.model.waitFor('story with cursors');
    const cursors = [Number((await ask(runId, '?offset=-1&live=long-poll')).headers.get('stream-cursor'))];
    for (let i = 0; i < 3; i += 1) {
      const answer = await ask(runId, `?offset=-1&live=long-poll&cursor=${cursors.at(-1)}`);
      cursors.push(Number(answer.headers.get('stream-cursor')));
    }
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    bench.model.resume();
  });

  it.each(['sse', 'long-poll'] as const)('continues by %s over kill -9: no event changes, is lost or comes twice', async live => {
    const runId = await start(`story of a crash by ${live}`);
    let restarted: Promise<void> | undefined;
    // The model is asked again after the crash, and pauses again.
    const resuming = setInterval(() => restarted && bench.model.resume(), 100);
    const events = await readToEnd(runId, {
      live,
      onBatch: seen => {
        if (textOf(seen).startsWith(CHUNK.repeat(5))) restarted ??= bench.gateway.restart();
      },
    }).finally(() => clearInterval(resuming));
    expect(restarted).toBeDefined();
    await restarted;
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
    expect(events).toEqual(await logOf(runId));
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: STORY } });
  });
});

describe('a request that the stream refuses', () => {
  it.each(['PUT', 'POST', 'DELETE', 'PATCH'])('is %s: the stream is read-only', async method => {
    const answer = await ask(await endedRun(), '', {}, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    ['?offset=abc', '/offset'],
    ['?offset=', '/offset'],
    ['?offset=1', '/offset'],
    ['?offset=-1&offset=now', '/offset'],
    ['?offset=0999999999', '/offset'],
    ['?live=sse', '/offset'],
    ['?offset=-1&live=socket', '/live'],
    ['?offset=-1&limit=3', '/limit'],
  ])('has the query %s, and the error names %s', async (query, param) => {
    const answer = await ask(await endedRun(), query);
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code, error.param]).toEqual([400, 'invalid_request', param]);
  });

  it('comes without a key, or from another tenant', async () => {
    const runId = await endedRun();
    expect((await fetch(urlOf(runId))).status).toBe(401);
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${urlOf(runId)}?offset=-1`, { method, headers: bearer(STRANGER) });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect(await DurableStream.head({ url: urlOf(runId), headers: bearer(STRANGER) })).toEqual({ exists: false });
  });
});

it('lets a page of an allowed origin read the position', async () => {
  const answer = await ask(await endedRun(), '', { origin: PAGE });
  expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase();
  for (const name of ['stream-next-offset', 'stream-up-to-date', 'stream-closed', 'stream-cursor', 'etag']) expect(exposed).toContain(name);
});
