/** Unusual HTTP requests: upgrade offers, wrong methods, odd bodies, ranges and cursors. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorCode, WireError } from '../../src/errors';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type RawAnswer, rawRequest } from '../support/raw_request';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'its log is read' });
  bench.model.onTurn('hello', 'hello too');
  bench.model.onTurn('take your time', { text: 'slowly', pauseAfter: 0 });
});

afterAll(() => bench?.stop());

const api = (path: string): string => `${bench.gateway.url}/api/v1${path}`;

/** Sends the lines as they are and reads until the gateway closes the connection. */
async function rawExchange(lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(bench.gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
  return text;
}

function expectEnvelope(answer: RawAnswer, code: ErrorCode): WireError {
  const { error } = JSON.parse(answer.text) as { error: WireError };
  expect(error).toMatchObject({ code, requestId: answer.headers['x-request-id'] });
  return error;
}

it.each([
  ['en', 'let the balancer send all requests of a client to one gateway'],
  ['zh-CN', '让负载均衡器把同一客户端的请求都发给同一个网关'],
])('a request of a polling connection that is not here says what to set: %s', async (language, text) => {
  const headers = { 'accept-language': language };
  const polling = `${bench.gateway.url}/socket.io/?EIO=4&transport=polling&sid=unknown`;
  for (const method of ['GET', 'POST']) {
    const answer = await rawRequest(polling, { method, headers, ...(method === 'POST' && { body: '40' }) });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: 1, message: 'Session ID unknown' }]);
    expect(expectEnvelope(answer, 'invalid_request')).toMatchObject({ param: '/sid', message: expect.stringContaining(text) });
  }
});

describe('an offer to speak another protocol', () => {
  it.each(['h2c', 'TLS/1.0', 'websocket'])('%s does not keep a request from being answered', async protocol => {
    const head = [`Host: ${new URL(bench.gateway.url).host}`, 'Connection: Upgrade, HTTP2-Settings, close', `Upgrade: ${protocol}`];
    const text = await rawExchange(['GET /healthz HTTP/1.1', ...head, 'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA']);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain('{"status":"ok"}');
  });

  it('h2c is ignored for a request with a body too', async () => {
    const body = '{"input":"hello"}';
    const text = await rawExchange(
      [
        'POST /api/v1/runs HTTP/1.1',
        `Host: ${new URL(bench.gateway.url).host}`,
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain('hello too');
  });
});

it('an unknown Expect header is ignored', async () => {
  expect(await rawRequest(api('/info'), { headers: { expect: 'a-miracle' } })).toMatchObject({ status: 200 });
});

describe('bytes that are no HTTP request', () => {
  it('get an error in wire form', async () => {
    const text = await rawExchange(['GET /healthz HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: many']);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'invalid_request' } });
  });

  it('get the same form when the headers are too long', async () => {
    const text = await rawExchange(['GET /healthz HTTP/1.1', 'Host: 127.0.0.1', `X-Long: ${'x'.repeat(20_000)}`]);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'too_large' } });
  });
});

describe('a method that the path does not support', () => {
  it.each([
    ['PUT', '/runs', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/runs/run_1/', 'GET, HEAD, OPTIONS'],
    ['GET', '/tools/call', 'POST, OPTIONS'],
    ['HEAD', '/runs/run_1/cancel', 'POST, OPTIONS'],
    ['POST', '/sessions/ses_1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['PROPFIND', '/info', 'GET, HEAD, OPTIONS'],
  ])('%s %s gets 405, and Allow lists the methods of the path', async (method, path, allow) => {
    const answer = await rawRequest(api(path), { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow } });
    if (method !== 'HEAD') expectEnvelope(answer, 'method_not_allowed');
  });

  it('gets 405 on pages too', async () => {
    const answer = await rawRequest(`${bench.gateway.url}/`, { method: 'POST' });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  it('OPTIONS gets 204 with Allow on a known path, 404 elsewhere', async () => {
    const answer = await rawRequest(api('/sessions'), { method: 'OPTIONS' });
    expect(answer).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' }, text: '' });
    expectEnvelope(await rawRequest(api('/nowhere'), { method: 'OPTIONS' }), 'not_found');
  });

  it('HEAD answers like GET, without a body', async () => {
    for (const path of ['/info', '/runs', '/tools'])
      expect(await rawRequest(api(path), { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await rawRequest(api('/runs/run_none'), { method: 'HEAD' })).toMatchObject({ status: 404 });
  });

  it('HEAD of an event stream does not wait for the run', async () => {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'take your time' }, { prefer: 'respond-async' });
    const answer = await rawRequest(api(`/runs/${body.runId}/events`), { method: 'HEAD', headers: { accept: 'text/event-stream' } });
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-type': expect.stringContaining('text/event-stream') } });
    await bench.rest.request('POST', `/runs/${body.runId}/cancel`);
  });
});

describe('the type of a body', () => {
  const post = (path: string, type: string | undefined, body: string | Buffer, more: Record<string, string> = {}) =>
    rawRequest(api(path), { method: 'POST', headers: { ...(type !== undefined && { 'content-type': type }), ...more }, body });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
    'application/ld+json; profile="x"',
    'application/problem+json',
  ])('%s is read as JSON', async type => {
    const answer = await post('/sessions', type, '{"title":"Read"}');
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject({ title: 'Read' });
    expectEnvelope(await post('/sessions', type, '{"junk":1}'), 'invalid_request');
  });

  it.each(['application/json; charset=iso-8859-1', 'application/json; charset=utf-16', 'application/ld+json; charset=x-unknown'])(
    '%s is refused: only UTF-8 is read',
    async type => {
      const answer = await post('/sessions', type, '{"title":"Read"}');
      expect(answer.status).toBe(415);
      expect(expectEnvelope(answer, 'unsupported_media_type').message).toMatch(/charset/i);
    },
  );

  it.each(['text/plain', undefined])('%s is refused when the body is chunked too', async type => {
    const answer = await post('/sessions', type, '{"title":"Read"}', { 'transfer-encoding': 'chunked' });
    expect(answer.status).toBe(415);
    expectEnvelope(answer, 'unsupported_media_type');
  });
});

describe('a body that cannot be decoded', () => {
  const send = (encoding: string, body: string | Buffer) =>
    rawRequest(api('/sessions'), { method: 'POST', headers: { 'content-type': 'application/json', 'content-encoding': encoding }, body });

  it('is read when its compression matches its header', async () => {
    expect(await send('gzip', gzipSync('{"title":"small"}'))).toMatchObject({ status: 201 });
  });

  it.each([
    ['gzip', '{"title":"not compressed"}'],
    ['br', '{"title":"not compressed"}'],
    ['gzip', gzipSync('{"title":"cut off"}'.repeat(20)).subarray(0, 30)],
  ])('gets 400 when it does not match Content-Encoding %s, and the log stays empty', async (encoding, body) => {
    const answer = await send(encoding, body);
    expect(answer.status).toBe(400);
    expect(expectEnvelope(answer, 'invalid_request').message).toContain(encoding);
    expect(bench.gateway.output()).not.toContain('"level":"error"');
  });

  it('gets 415 when the encoding is unknown', async () => {
    const answer = await send('snappy', '{}');
    expect(answer.status).toBe(415);
    expect(expectEnvelope(answer, 'unsupported_media_type').message).toContain('Content-Encoding');
  });

  it('with a __proto__ key at any depth is refused, and the key is named', async () => {
    const body = '{"title":"x","metadata":{"a":[{"__proto__":{"admin":true}}]}}';
    const answer = await rawRequest(api('/sessions'), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(expectEnvelope(answer, 'invalid_request')).toMatchObject({
      param: '/metadata/a/0/__proto__',
      message: expect.stringContaining('__proto__'),
    });
  });
});

describe('a Range header', () => {
  it.each(['bytes=0-10', 'bytes=999999-9999999', 'bytes=abc', 'lines=1-2'])('%s is ignored by the API', async range => {
    const whole = await rawRequest(api('/tools'));
    const answer = await rawRequest(api('/tools'), { headers: { range } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(whole.text);
    expect(answer.headers).not.toHaveProperty('accept-ranges');
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  it.each(['bytes=0-10', 'bytes=999999-9999999', 'bytes=abc'])('%s is ignored for pages: the whole file is sent', async range => {
    const whole = await rawRequest(`${bench.gateway.url}/`);
    const [asset] = /\/assets\/[\w.-]+\.js/.exec(whole.text) ?? [];
    for (const path of ['/', String(asset)]) {
      const answer = await rawRequest(bench.gateway.url + path, { headers: { range } });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('accept-ranges');
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
    }
  });
});

describe('the cursor of an event source', () => {
  let runId: string;
  let lastSeq: number;
  const follow = (id: string) =>
    rawRequest(api(`/runs/${runId}/events`), { headers: { accept: 'text/event-stream', 'last-event-id': id } });

  beforeAll(async () => {
    const { body } = await bench.rest.run({ input: 'hello' });
    runId = body.runId;
    const run = await bench.rest.request<{ lastSeq: number }>('GET', `/runs/${runId}`);
    lastSeq = run.body.lastSeq;
  });

  it('gets 204 after run_end, which tells it to stop', async () => {
    expect(await follow(String(lastSeq))).toMatchObject({ status: 204, text: '' });
  });

  it('gets the events that it missed', async () => {
    const answer = await follow(String(lastSeq - 1));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`id: ${lastSeq}\nevent: run_end\n`);
  });

  it('gets no 204 while the run goes on', async () => {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'take your time' }, { prefer: 'respond-async' });
    await bench.model.waitFor('take your time');
    const { body: run } = await bench.rest.request<{ lastSeq: number }>('GET', `/runs/${body.runId}`);
    const rest = rawRequest(api(`/runs/${body.runId}/events`), {
      headers: { accept: 'text/event-stream', 'last-event-id': String(run.lastSeq) },
    });
    await bench.rest.request('POST', `/runs/${body.runId}/cancel`);
    expect(await rest).toMatchObject({ status: 200, text: expect.stringContaining('event: run_end') });
  });

  it.each(['seven', '-1', '1.5', '9999999999', '0x1'])('%s is refused, and the header is named', async id => {
    for (const accept of ['text/event-stream', 'application/json']) {
      const answer = await rawRequest(api(`/runs/${runId}/events`), { headers: { accept, 'last-event-id': id } });
      expect(answer.status).toBe(400);
      expect(expectEnvelope(answer, 'invalid_request')).toMatchObject({ param: '/last-event-id' });
    }
  });
});
