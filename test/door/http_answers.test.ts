/** How REST answers: negotiation, problem details, languages, compression, ETags, links between pages, and preferences. */
import { gunzipSync } from 'node:zlib';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type RawAnswer, rawRequest } from '../support/raw_request';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ files: { 'notes.txt': 'one\n' } });
  bench.model.onTurn('hello', 'hello too');
  bench.model.onTurn('take your time', { text: 'slowly', pauseAfter: 0 });
  bench.model.onTurn('long', 'word '.repeat(2_000));
});

afterAll(() => bench?.stop());

const api = (path: string): string => `${bench.gateway.url}/api/v1${path}`;

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const ask = (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> => rawRequest(api(path), { headers });

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  rawRequest(api(path), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

const errorOf = (answer: RawAnswer) => JSON.parse(answer.text).error;

describe('Accept', () => {
  it.each(['text/html', 'application/xml', 'application/json;q=0', 'image/*'])('%s gets 406, and nothing is stored', async accept => {
    const answer = await post('/sessions', { title: `for ${accept}` }, { accept });
    expect(answer.status).toBe(406);
    expect(errorOf(answer)).toMatchObject({ code: 'not_acceptable', details: { types: ['application/json'] } });
    const { body } = await bench.rest.request<{ data: { title: string }[] }>('GET', '/sessions');
    expect(body.data.map(({ title }) => title)).not.toContain(`for ${accept}`);
  });

  it.each(['*/*', 'application/*', 'application/json', 'text/html, */*;q=0.1', 'application/problem+json'])(
    '%s gets JSON',
    async accept => {
      expect(await ask('/sessions', { accept })).toMatchObject({
        status: 200,
        headers: { 'content-type': expect.stringContaining('application/json') },
      });
    },
  );

  it('text/event-stream is refused where no events are', async () => {
    expect((await ask('/info', { accept: 'text/event-stream' })).status).toBe(406);
  });

  it('does not keep a probe from its status', async () => {
    expect((await rawRequest(`${bench.gateway.url}/healthz`, { headers: { accept: 'text/plain' } })).status).toBe(200);
  });
});

describe('a body that a route does not read', () => {
  const send = ({ headers = {}, body = '' }: Asked) => rawRequest(api('/runs/run_none/cancel'), { method: 'POST', headers, body });

  it('is refused when it is no JSON', async () => {
    expect((await send({ headers: { 'content-type': 'text/xml' }, body: '<now/>' })).status).toBe(415);
  });

  it('is refused when it asks for something, and its field is named', async () => {
    const answer = await send({ headers: { 'content-type': 'application/json' }, body: '{"reason":"late"}' });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', param: '/reason' });
  });

  it.each(['', '{}', 'null'])('is ignored when it is empty: "%s"', async body => {
    expect((await send({ headers: { 'content-type': 'application/json' }, body })).status).toBe(404);
  });
});

describe('an error', () => {
  it('has the members of problem details beside ours, and its type leads to the list of errors', async () => {
    const answer = await ask('/runs/run_none');
    const { type, title, status, error } = JSON.parse(answer.text);
    expect({ title, status }).toEqual({ title: expect.any(String), status: 404 });
    expect(type).toBe(`${bench.gateway.url}/docs/errors#not_found`);
    expect(error).toMatchObject({ code: 'not_found', requestId: answer.headers['x-request-id'] });
    const page = await rawRequest(type);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } });
    expect(page.text).toContain('id="not_found"');
  });

  it('is application/problem+json for a caller that prefers it, with the message as detail', async () => {
    const answer = await ask('/runs/run_none', { accept: 'application/problem+json, application/json;q=0.5' });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    const problem = JSON.parse(answer.text);
    expect(problem).toMatchObject({ status: 404, detail: problem.error.message });
    expect((await ask('/runs/run_none', { accept: 'application/json' })).headers['content-type']).toMatch(/^application\/json/);
  });

  it('keeps its old form outside /api/v1', async () => {
    const answer = await rawRequest(`${bench.gateway.url}/openapi.json?lang=fr`);
    expect(answer.status).toBe(400);
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['error']);
  });
});

describe('Accept-Language', () => {
  const messageFor = async (language: string | undefined, body: unknown = { titel: 'x' }) => {
    const answer = await post('/sessions', body, language === undefined ? {} : { 'accept-language': language });
    return { message: errorOf(answer).message as string, headers: answer.headers };
  };

  it.each(['zh', 'zh-CN', 'zh-TW', 'zh-Hans-CN', 'fr, zh;q=0.5', 'en;q=0.4, zh;q=0.9'])('%s gets Chinese messages', async language => {
    const { message, headers } = await messageFor(language);
    expect(message).toMatch(/^\/titel：\p{Script=Han}/u);
    expect(headers).toMatchObject({ 'content-language': 'zh-CN', vary: expect.stringMatching(/accept-language/i) });
  });

  it.each([undefined, 'en', 'fr', 'zh;q=0.1, en', 'zh;q=0', '*', 'not a language'])('%s gets English messages', async language => {
    const { message, headers } = await messageFor(language);
    expect(message).not.toMatch(/\p{Script=Han}/u);
    expect(headers).toMatchObject({ 'content-language': 'en' });
  });

  it.each([
    ['a missing field', '/runs', {}],
    ['a wrong type', '/runs', { input: 7 }],
    ['a text that is too long', '/sessions', { title: 'x'.repeat(5_000) }],
    ['a blank text', '/runs', { input: ' ' }],
    ['a wrong choice', '/runs', { input: 'hello', onBusy: 'wait' }],
    ['a number out of range', '/runs', { input: 'hello', limits: { timeoutMs: 1 } }],
    ['a body that is no object', '/runs', [1]],
    ['an unknown session', '/runs', { input: 'hello', sessionId: 'ses_none' }],
    ['an unknown agent', '/runs', { input: 'hello', agent: 'nobody' }],
    ['an unknown tool', '/tools/call', { toolName: 'no_such_tool', parameters: {} }],
  ])('translates %s', async (_what, path, body) => {
    const answer = await post(path, body, { 'accept-language': 'zh' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(errorOf(answer).message).toMatch(/\p{Script=Han}/u);
  });

  it('chooses the language of labels by preference too', async () => {
    const answer = await ask('/agents', { 'accept-language': 'de, zh;q=0.8, en;q=0.3' });
    expect(answer.headers['content-language']).toBe('zh-CN');
    expect(answer.text).toMatch(/\p{Script=Han}/u);
  });
});

it('a refusal over Socket.IO is in the language of the handshake', async () => {
  const chinese = await bench.connect({ locale: 'zh-CN' });
  const english = await bench.connect({ locale: 'en' });
  const refused = async (client: typeof chinese) => (await client.send({ type: 'chat', text: ' ' })) as { error?: { message: string } };
  expect((await refused(chinese)).error?.message).toMatch(/\p{Script=Han}/u);
  expect((await refused(english)).error?.message).not.toMatch(/\p{Script=Han}/u);
});

describe('compression', () => {
  async function bytesOf(path: string, encoding: string): Promise<{ headers: Headers; text: string; wasGzip: boolean }> {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      request(api(path), { headers: { 'accept-encoding': encoding } }, async response => {
        const pieces: Buffer[] = [];
        for await (const piece of response) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        const wasGzip = response.headers['content-encoding'] === 'gzip';
        expect(Number(response.headers['content-length'])).toBe(bytes.length);
        resolve({
          headers: new Headers(response.headers as Record<string, string>),
          text: String(wasGzip ? gunzipSync(bytes) : bytes),
          wasGzip,
        });
      })
        .once('error', reject)
        .end();
    });
  }

  it('packs JSON of more than 1 KiB for callers that accept gzip', async () => {
    const packed = await bytesOf('/toolsets', 'gzip, br');
    const tools = await bytesOf('/tools', 'gzip');
    expect(tools.wasGzip).toBe(true);
    expect(tools.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(Number(tools.headers.get('content-length'))).toBeLessThan(tools.text.length / 2);
    expect(JSON.parse(tools.text).data.length).toBeGreaterThan(5);
    expect(packed.wasGzip).toBe(packed.text.length >= 1_024);
  });

  it.each(['identity', 'gzip;q=0', 'br'])('sends it plain for %s', async encoding => {
    expect((await bytesOf('/tools', encoding)).wasGzip).toBe(false);
  });

  it('leaves small answers as they are', async () => {
    expect((await bytesOf('/sessions/ses_none', 'gzip')).wasGzip).toBe(false);
  });

  it('leaves event streams as they are', async () => {
    const answer = await rawRequest(api('/runs'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'accept-encoding': 'gzip' },
      body: '{"input":"long"}',
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.text).toContain('event: run_end');
  });
});

describe('an ETag', () => {
  it.each(['/toolsets', '/agents', '/agents/default', '/models', '/skills', '/../../openapi.json', '/../../docs/errors'])(
    'of %s lets a reader ask whether it has changed',
    async path => {
      const url = new URL(api(path)).href;
      const first = await rawRequest(url);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^W\/"/);
      expect(await rawRequest(url, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '', headers: { etag } });
      expect(await rawRequest(url, { headers: { 'if-none-match': `"other", ${etag}`, 'accept-encoding': 'gzip' } })).toMatchObject({
        status: 304,
      });
      expect(await rawRequest(url, { headers: { 'if-none-match': 'W/"other"' } })).toMatchObject({ status: 200, text: first.text });
    },
  );

  it('counts although fetch says by itself that no cache may answer', async () => {
    const url = new URL(api('/agents')).href;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(url, { headers: { 'if-none-match': '*' } })).status).toBe(304);
  });

  it('differs by language', async () => {
    const [english, chinese] = await Promise.all(['en', 'zh'].map(language => ask('/agents', { 'accept-language': language })));
    expect(english?.headers.etag).not.toBe(chinese?.headers.etag);
  });

  it('changes with the document', async () => {
    const { headers } = await ask('/tools');
    await post('/tools/call', { toolName: 'list_dir', parameters: {} });
    expect((await ask('/tools', { 'if-none-match': String(headers.etag) })).status).toBe(200);
  });
});

describe('a list', () => {
  it('says whether there is more, and links to the next page', async () => {
    for (const title of ['a', 'b', 'c']) await post('/sessions', { title });
    const seen: string[] = [];
    let path = '/api/v1/sessions?limit=2';
    for (let pages = 0; pages < 20; pages += 1) {
      const { headers, text } = await rawRequest(bench.gateway.url + path);
      const { data, hasMore, nextCursor } = JSON.parse(text);
      seen.push(...data.map(({ id }: { id: string }) => id));
      expect(hasMore).toBe(nextCursor !== undefined);
      const next = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
      expect(next !== undefined).toBe(hasMore);
      if (next === undefined) break;
      expect(new URL(next, bench.gateway.url).searchParams.get('limit')).toBe('2');
      path = next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const { body } = await bench.rest.request<{ data: unknown[] }>('GET', '/sessions?limit=1000');
    expect(seen.length).toBe(body.data.length);
  });

  it('of events is followed by its link too', async () => {
    const { body } = await bench.rest.run({ input: 'hello' });
    const { headers } = await ask(`/runs/${body.runId}/events?limit=1`);
    const next = /<([^>]+)>/.exec(String(headers['link']))?.[1];
    const page = JSON.parse((await rawRequest(bench.gateway.url + next)).text);
    expect(page.data[0].seq).toBe(2);
  });

  it.each([
    '/runs',
    '/sessions',
    '/memories',
    '/agents',
    '/models',
    '/jobs',
    '/tools',
    '/toolsets',
    '/skills',
    '/mcp-servers',
    '/clarifications?status=pending',
    '/approvals?status=pending',
    '/tool-executions',
    '/search?q=hello',
  ])('at %s has hasMore', async path => {
    const { body } = await bench.rest.request<Record<string, unknown>>('GET', path);
    expect(body).toMatchObject({ data: expect.any(Array), hasMore: expect.any(Boolean) });
  });
});

describe('Prefer', () => {
  it('wait=N answers the result of a run that ends in time', async () => {
    const answer = await post('/runs', { input: 'hello' }, { prefer: 'wait=20' });
    expect(answer).toMatchObject({ status: 200, headers: { 'preference-applied': 'wait=20' } });
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'completed', text: 'hello too' });
  });

  it.each(['wait=1', 'respond-async, wait=1', 'wait=0', 'handling=lenient, wait="0"'])(
    '%s answers 202 for a run that takes longer',
    async prefer => {
      const answer = await post('/runs', { input: 'take your time' }, { prefer });
      expect(answer.status).toBe(202);
      const { runId, status } = JSON.parse(answer.text);
      expect(status).toBe('running');
      expect(answer.headers).toMatchObject({ location: `/api/v1/runs/${runId}`, 'preference-applied': expect.stringContaining('wait=') });
      expect((await post(`/runs/${runId}/cancel`, undefined)).status).toBe(200);
    },
  );

  it('respond-async says that it was applied', async () => {
    const answer = await post('/runs', { input: 'hello' }, { prefer: 'respond-async' });
    expect(answer).toMatchObject({ status: 202, headers: { 'preference-applied': 'respond-async' } });
  });

  it.each(['wait=soon', 'wait=-1', 'return=minimal', 'wait', ';;,='])('%s is ignored', async prefer => {
    const answer = await post('/runs', { input: 'hello' }, { prefer });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('preference-applied');
  });
});

describe('the id of a request', () => {
  it.each(['req-1', 'a', '01HZX.abc:7_2', '4bf92f3577b34da6a3ce929d0e0e4736'])('%s is kept', async id => {
    const answer = await ask('/runs/run_none', { 'x-request-id': id });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(errorOf(answer).requestId).toBe(id);
  });

  it.each(['', 'has space', '"quoted"', '<b>', 'x'.repeat(129), 'ümlaut'])('"%s" is replaced', async id => {
    const { headers } = await ask('/info', { 'x-request-id': Buffer.from(id).toString('latin1') });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it.each(['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', 'garbage'])(
  'traceparent %s does not disturb a request',
  async traceparent => {
    const answer = await post('/runs', { input: 'hello' }, { traceparent });
    expect(answer.status).toBe(200);
  },
);
