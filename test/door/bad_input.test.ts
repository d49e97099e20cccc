/** Invalid input: both doors refuse it with the same error form, name the field, and keep serving. */
import { ERRORS, type ErrorCode, type WireError } from '../../src/errors';
import { type AgentBench, startBench } from '../support/agent_bench';
import { rawRequest } from '../support/raw_request';
import type { ErrorBody, RestAnswer } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'its log is read' });
  bench.model.onTurn('hello', 'hello too');
});

afterAll(() => bench?.stop());

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

/** Members of problem details, which errors below /api/v1 have too. */
const PROBLEM_MEMBERS = ['type', 'title', 'status'];

/** The error has exactly the fields of the contract, and no stack or internal text. */
function expectContractForm(error: WireError, code: ErrorCode): void {
  const { status: _status, text: _text, ...row } = ERRORS[code];
  expect(error).toMatchObject({ code, ...row, message: expect.any(String), requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const known = ['code', 'message', 'type', 'param', 'retryable', 'retryAfterMs', 'requestId', 'details'];
  expect(Object.keys(error).filter(field => !known.includes(field))).toEqual([]);
  expect(JSON.stringify(error)).not.toMatch(/ at .*:\d+:\d+|node_modules|dist\/|\/home\/|SELECT |<html/i);
}

function expectRefusal({ status, headers, body }: RestAnswer<ErrorBody>, code: ErrorCode): void {
  expect(status).toBe(ERRORS[code].status);
  expect(Object.keys(body).filter(name => !PROBLEM_MEMBERS.includes(name))).toEqual(['error']);
  expectContractForm(body.error, code);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('x-request-id')).toBe(body.error.requestId);
}

describe('Socket.IO', () => {
  const id = 'x'.repeat(65);
  it.each([
    ['text instead of an object', 'hello', '/'],
    ['null', null, '/'],
    ['a list', [], '/'],
    ['no type', {}, '/type'],
    ['an unknown type', { type: 'shutdown' }, '/type'],
    ['the name of an inherited property as type', { type: 'constructor' }, '/type'],
    ['a type that is not a string', { type: { $ne: 1 } }, '/type'],
    ['a missing field', { type: 'chat' }, '/text'],
    ['a blank text', { type: 'chat', text: ' \n' }, '/text'],
    ['a text of zero-width characters', { type: 'chat', text: '\u200b\u2060\ufeff \u{e0041}' }, '/text'],
    ['a steering text of zero-width characters', { type: 'steer', runId: 'a', text: '\u200d\u00ad' }, '/text'],
    ['a field of another type', { type: 'chat', text: 5 }, '/text'],
    ['an unknown field', { type: 'chat', text: 'hello', colour: 'red' }, '/colour'],
    ['an unknown choice', { type: 'chat', text: 'hello', onBusy: 'explode' }, '/onBusy'],
    ['an impossible id', { type: 'subscribe', sessionId: id }, '/sessionId'],
    ['a negative cursor', { type: 'subscribe', sessionId: 'a', after: { runId: 'b', seq: -1 } }, '/after/seq'],
    ['an unknown nested field', { type: 'subscribe', sessionId: 'a', after: { runId: 'b', seq: 1, x: 1 } }, '/after/x'],
    ['a blank answer', { type: 'clarify_response', sessionId: 'a', requestId: 'b', answer: '' }, '/answer'],
    ['an answer of zero-width characters', { type: 'clarify_response', sessionId: 'a', requestId: 'b', answer: '\u200b' }, '/answer'],
    ['an unknown level', { type: 'set_thinking_level', sessionId: 'a', level: 'extreme' }, '/level'],
    ['a __proto__ key', JSON.parse('{"type":"ping","__proto__":{"x":1}}'), '/__proto__'],
    ['deep nesting', { type: 'ping', text: nested(80) }, `/text${'/a'.repeat(63)}`],
  ])('refuses %s and names the field', async (_what, message, param) => {
    const client = await bench.connect();
    const ack = await client.send(message as never);
    expect(Object.keys(ack)).toEqual(['ok', 'error']);
    expectContractForm(ack.error as WireError, 'invalid_request');
    expect(ack.error?.param).toBe(param);
  });

  it.each([
    ['chat in a session', { type: 'chat', text: 'hello', sessionId: 'ses_none' }],
    ['chat with an agent', { type: 'chat', text: 'hello', agent: 'nobody' }],
    ['subscribe', { type: 'subscribe', sessionId: 'ses_none' }],
    ['clarify_response', { type: 'clarify_response', sessionId: 'ses_none', requestId: 'none', answer: 'a' }],
    ['clarify_extend', { type: 'clarify_extend', sessionId: 'ses_none', requestId: 'none' }],
    ['cancel', { type: 'cancel', runId: 'run_none' }],
    ['set_thinking_level', { type: 'set_thinking_level', sessionId: 'ses_none', level: 'low' }],
  ])('acknowledges %s with an unknown id with not_found', async (_what, message) => {
    const client = await bench.connect();
    const ack = await client.send(message);
    expectContractForm(ack.error as WireError, 'not_found');
  });

  it('acknowledges every message, and answers ping with pong', async () => {
    const client = await bench.connect();
    expect(await client.send({ type: 'ping' })).toEqual({ ok: true });
    await client.waitForAny(message => message.type === 'pong');
    const { sessionId } = await client.chat('hello');
    expect(await client.send({ type: 'set_thinking_level', sessionId, level: 'low' })).toMatchObject({ ok: true });
  });

  it('sends an error event when the client asked for no ack', async () => {
    const client = await bench.connect();
    client.socket.emit('message', { type: 'chat' });
    const event = (await client.waitForAny(message => message.type === 'error')) as { data: { error?: WireError } };
    expect(event).toMatchObject({ v: 1, type: 'error', ts: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    expectContractForm(event.data.error as WireError, 'invalid_request');
  });

  it('acknowledges a message with extra arguments', async () => {
    const client = await bench.connect();
    expect(await client.socket.timeout(5_000).emitWithAck('message', { type: 'ping' }, 'extra')).toEqual({ ok: true });
    const refused = await client.socket.timeout(5_000).emitWithAck('message', { type: 'chat' }, 'extra', 2);
    expectContractForm(refused.error, 'invalid_request');
    const empty = await client.socket.timeout(5_000).emitWithAck('message');
    expectContractForm(empty.error, 'invalid_request');
  });

  it('acknowledges an unknown event with invalid_request, or sends an error event', async () => {
    const client = await bench.connect();
    for (const event of ['chat', 'messages', '__proto__']) {
      const ack = await client.socket.timeout(5_000).emitWithAck(event, { type: 'ping' });
      expect(Object.keys(ack)).toEqual(['ok', 'error']);
      expectContractForm(ack.error, 'invalid_request');
    }
    client.socket.emit('another event', 1);
    const event = (await client.waitForAny(message => message.type === 'error')) as { data: { error?: WireError } };
    expectContractForm(event.data.error as WireError, 'invalid_request');
  });

  it('keeps serving after extra arguments, other events and a message over the limit', async () => {
    const client = await bench.connect();
    client.socket.emit('message');
    client.socket.emit('message', { type: 'ping' }, 'not a function');
    client.socket.emit('another event', 1);
    expect(await client.send({ type: 'ping' })).toEqual({ ok: true });
    expect(await client.send({ type: 'chat', text: '长'.repeat(90_000) })).toMatchObject({ ok: false, error: { code: 'too_large' } });
    const closed = new Promise(resolve => client.socket.once('disconnect', resolve));
    client.socket.emit('message', { type: 'chat', text: 'x'.repeat(2_000_000) });
    await closed;
    expect((await bench.connect()).socket.connected).toBe(true);
  });

  it.each([
    ['an unknown field', { admin: true }],
    ['capabilities of another type', { capabilities: 'clarify@1' }],
    ['an unknown locale', { locale: 'xx' }],
    ['a clientId that is not an id', { clientId: 'a b' }],
  ])('refuses a handshake with %s', async (_what, auth) => {
    const refusal = await bench.connect(auth).catch(error => error);
    expect(refusal).toMatchObject({
      data: { error: { code: 'invalid_request', param: expect.stringMatching(/^\/(admin|capabilities|locale|clientId)$/) } },
    });
  });
});

describe('REST', () => {
  it.each([
    ['a missing field', {}, '/input'],
    ['a blank text', { input: ' ' }, '/input'],
    ['a text of zero-width characters', { input: '\u200b\u2060\ufeff \u{e0041}' }, '/input'],
    ['an unknown field', { input: 'hello', message: 'x' }, '/message'],
    ['an unknown choice', { input: 'hello', clarify: 'maybe' }, '/clarify'],
    ['a number out of range', { input: 'hello', limits: { maxToolIterations: 0 } }, '/limits/maxToolIterations'],
    ['an impossible id', { input: 'hello', sessionId: '../etc' }, '/sessionId'],
    ['deep nesting', { input: 'hello', metadata: nested(80) }, `/metadata${'/a'.repeat(63)}`],
    ['a __proto__ key', '{"input":"hello","metadata":{"__proto__":{"x":1}}}', '/metadata/__proto__'],
    ['a list', [], '/'],
    ['a text', '"hello"', '/'],
    ['null', 'null', '/'],
    ['text that is not JSON', '{"input": hello}', undefined],
    ['half a JSON text', '{"input": "hel', undefined],
  ])('refuses %s and names the field', async (_what, body, param) => {
    const answer = await bench.rest.request<ErrorBody>('POST', '/runs', body);
    expectRefusal(answer, 'invalid_request');
    if (param !== undefined) expect(answer.body.error.param).toBe(param);
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=5000', '/limit'],
    ['limit=ten', '/limit'],
    ['cursor=broken', '/cursor'],
    ['status=asleep', '/status'],
    ['colour=red', '/colour'],
  ])('refuses the query %s of a list', async (query, param) => {
    const answer = await bench.rest.request<ErrorBody>('GET', `/runs?${query}`);
    expectRefusal(answer, 'invalid_request');
    expect(answer.body.error.param).toBe(param);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x'])(
    'refuses a body of type %s',
    async type => {
      expectRefusal(
        await bench.rest.request<ErrorBody>('POST', '/runs', '{"input":"hello"}', { 'content-type': type }),
        'unsupported_media_type',
      );
    },
  );

  it('refuses a body without a content type', async () => {
    const { status, text } = await rawRequest(`${bench.gateway.url}/api/v1/runs`, { method: 'POST', body: '{"input":"hello"}' });
    expect(status).toBe(415);
    expectContractForm(JSON.parse(text).error, 'unsupported_media_type');
  });

  it('refuses a body over 1 MiB', async () => {
    expectRefusal(await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'x'.repeat(1_100_000) }), 'too_large');
  });

  it.each([
    ['GET', '/runs/run_none'],
    ['GET', '/runs/no%2Fid'],
    ['GET', '/runs/run_none/events'],
    ['POST', '/runs/run_none/cancel'],
    ['GET', '/sessions/ses_none'],
    ['PATCH', '/sessions/ses_none'],
    ['DELETE', '/sessions/ses_none'],
    ['GET', '/sessions/ses_none/messages'],
    ['POST', '/sessions/ses_none/fork'],
    ['GET', '/nowhere'],
    ['GET', '//nowhere'],
    ['GET', '//..%2f..%2fpackage.json'],
  ])('answers %s %s with not_found', async (method, path) => {
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
    expectRefusal(await bench.rest.request<ErrorBody>(method, path, body), 'not_found');
  });

  it('refuses an unknown session and agent in a run, and names the field', async () => {
    for (const field of ['sessionId', 'agent']) {
      const answer = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'hello', [field]: 'none' });
      expectRefusal(answer, 'not_found');
      expect(answer.body.error.param).toBe(`/${field}`);
    }
  });

  it('refuses an Idempotency-Key over 255 characters', async () => {
    const answer = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'hello' }, { 'idempotency-key': 'k'.repeat(256) });
    expectRefusal(answer, 'invalid_request');
  });

  it('keeps serving afterwards', async () => {
    expect(await bench.rest.run({ input: 'hello' })).toMatchObject({ status: 200, body: { text: 'hello too' } });
    expect(bench.gateway.output()).not.toContain('"level":"error"');
  });
});
