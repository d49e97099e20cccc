/** Inbound webhooks over HTTP: who may call them, which message they make, and that a message that arrives twice starts one run. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { callSigned, callWithSecret, makeHook, post, signedHeaders } from '../support/hook_client';
import type { ErrorBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;

interface Run {
  status: string;
  door: string;
  input: string;
  text: string;
  agent: string;
  keyName: string;
  metadata: Record<string, unknown>;
}

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('The deploy of', 'I looked at it.');
});
afterAll(() => bench?.stop());

const TEMPLATE = 'The deploy of {{body.service}} failed: {{body.error.message}}';

async function endedRun(id: string): Promise<Run> {
  return until(
    async () => (await bench.rest.request<Run>('GET', `/runs/${id}`)).body,
    run => run.status === 'completed',
  );
}

it('[hooks] a signed message starts a run with the message of the template, and the list of runs says where it comes from', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE });
  expect(hook.secret).toMatch(/^whsec_/);
  expect(hook.url).toBe(`${bench.gateway.url}/hooks/${hook.id}`);
  const body = JSON.stringify({ service: 'shop', error: { message: 'out of disk' } });
  const answer = await callSigned(hook, 'msg_1', body);
  const { runId, sessionId, status } = answer.body;
  expect([answer.status, status, answer.headers.get('location')]).toEqual([202, expect.any(String), `/api/v1/runs/${runId}`]);
  expect(await endedRun(runId)).toMatchObject({
    door: 'hook',
    agent: 'default',
    input: 'The deploy of shop failed: out of disk',
    text: 'I looked at it.',
    metadata: { hookId: hook.id, messageId: 'msg_1' },
  });
  const { body: runs } = await bench.rest.request<{ data: { runId: string; door: string }[] }>('GET', '/runs?limit=1');
  expect(runs.data).toMatchObject([{ runId, door: 'hook' }]);
  const { body: session } = await bench.rest.request('GET', `/sessions/${sessionId}`);
  expect(session).toMatchObject({ title: 'deploys', origin: { hookId: hook.id } });
  const { body: audit } = await bench.rest.request<{ data: { action: string; target: string }[] }>('GET', '/audit?limit=10');
  expect(audit.data.filter(({ target }) => target === hook.id)).toMatchObject([
    { action: 'hook.run', actor: `hook:${hook.id}`, details: { runId, key: 'local' } },
    { action: 'hook.create', actor: 'local', details: { name: 'deploys' } },
  ]);
});

it('[hooks] the same webhook-id starts one run, also when two arrive at once; another body under it is refused', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE });
  const body = JSON.stringify({ service: 'twice' });
  const atOnce = await Promise.all([callSigned(hook, 'msg_2', body), callSigned(hook, 'msg_2', body)]);
  const answers = [...atOnce];
  answers.push(await callSigned(hook, 'msg_2', body, new Date(Date.now() - 60_000)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map(answer => answer.body.runId)).size).toBe(1);
  expect(answers[2]?.headers.get('idempotency-replayed')).toBe('true');
  const other = await callSigned(hook, 'msg_2', JSON.stringify({ service: 'other' }));
  expect([other.status, other.body.error?.code]).toEqual([409, 'idempotency_mismatch']);
  const withSecret = await callWithSecret(hook, body, { 'webhook-id': 'msg_2' });
  expect(withSecret.body.runId).toBe(answers[0]?.body.runId);
  const another = await makeHook(bench.rest, { template: TEMPLATE });
  expect((await callSigned(another, 'msg_2', body)).body.runId).not.toBe(answers[0]?.body.runId);
});

it('[hooks] a request without proof, with a wrong or old signature or with a key of the gateway starts nothing', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE });
  const other = await makeHook(bench.rest, { template: TEMPLATE });
  const body = JSON.stringify({ service: 'secret' });
  const good = signedHeaders(hook.secret, 'msg_3', body);
  const old = new Date(Date.now() - 310_000);
  const early = new Date(Date.now() + 310_000);
  const attempts: Record<string, string>[] = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${other.secret}` },
    signedHeaders(other.secret, 'msg_3', body),
    { ...good, 'webhook-id': 'msg_4' },
    { ...good, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 100) },
    { ...good, 'webhook-signature': good['webhook-signature']?.replace('v1,', 'v2,') ?? '' },
    { ...good, 'webhook-signature': 'v1,', authorization: `Bearer ${hook.secret}` },
    signedHeaders(hook.secret, 'msg_3', body, old),
    signedHeaders(hook.secret, 'msg_3', body, early),
  ];
  for (const headers of attempts) {
    const answer = await post(hook.url, body, headers);
    expect([headers, answer.status, answer.body.error?.code]).toEqual([headers, 401, 'unauthenticated']);
  }
  expect((await post(hook.url, JSON.stringify({ service: 'changed' }), good)).status).toBe(401);
  const rotated = { ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature']}` };
  expect((await post(hook.url, body, rotated)).status).toBe(202);
  expect((await post(`${bench.gateway.url}/hooks/hook_unknown`, body, good)).status).toBe(404);
});

it('[hooks] twenty wrong secrets of one address close the hook to that address for a minute', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE });
  for (let i = 0; i < 20; i++) expect((await post(hook.url, '{}', { authorization: 'Bearer x' })).status).toBe(401);
  const refused = await callWithSecret(hook, { service: 'late' });
  expect([refused.status, refused.body.error?.code, refused.headers.has('retry-after')]).toEqual([429, 'rate_limited', true]);
  const other = await makeHook(bench.rest, { template: TEMPLATE });
  expect((await callWithSecret(other, { service: 'late' })).status).toBe(202);
});

it('[hooks] JSON, forms and texts fill the template; what the body does not have is left empty', async () => {
  const template = 'The deploy of {{ body.service }}: {{body.tags}} {{body.list.1.name}} {{body.nothing.here}}{{body.__proto__}}.';
  const hook = await makeHook(bench.rest, { template });
  const inputOf = async (body: string, type: string) => {
    const answer = await callWithSecret(hook, body, { 'content-type': type });
    return answer.status === 202 ? (await endedRun(answer.body.runId)).input : answer.body.error?.code;
  };
  const json = JSON.stringify({ service: '$& {{body.tags}}', tags: { a: 1 }, list: [{}, { name: 'x' }] });
  expect(await inputOf(json, 'application/cloudevents+json; charset=utf-8')).toBe('The deploy of $& {{body.tags}}: {"a":1} x .');
  expect(await inputOf('service=shop+1&tags=a&tags=b', 'application/x-www-form-urlencoded')).toBe('The deploy of shop 1: ["a","b"]  .');
  const whole = await makeHook(bench.rest, { template: 'The deploy of {{body}}' });
  const text = await callWithSecret(whole, 'a plain text', { 'content-type': 'text/plain; charset=utf-8' });
  expect((await endedRun(text.body.runId)).input).toBe('The deploy of a plain text');
  expect(await inputOf('{"service"', 'application/json')).toBe('invalid_request');
  expect(await inputOf('<a/>', 'application/xml')).toBe('unsupported_media_type');
  const odd = new Uint8Array([0x22, 0xff, 0x22]);
  expect((await post(hook.url, odd, { authorization: `Bearer ${hook.secret}` })).body.error?.code).toBe('invalid_request');
});

it('[hooks] a body over 256 KiB, one with too many names, a compressed one and a message that is empty or too long are refused', async () => {
  const hook = await makeHook(bench.rest, { template: '{{body.text}}' });
  const large = await callWithSecret(hook, { text: 'x'.repeat(256 * 1024) });
  expect([large.status, large.body.error?.code]).toEqual([413, 'too_large']);
  const packed = await callWithSecret(hook, '{}', { 'content-encoding': 'gzip' });
  expect(packed.body.error?.code).toBe('unsupported_media_type');
  const names = Array.from({ length: 10_001 }, (_, i) => `n${i}`).join('&');
  const wide = await callWithSecret(hook, names, { 'content-type': 'application/x-www-form-urlencoded' });
  expect([wide.status, wide.body.error?.code]).toEqual([400, 'invalid_request']);
  const twice = await makeHook(bench.rest, { template: '{{body.text}}{{body.text}}' });
  const long = await callWithSecret(twice, { text: 'x'.repeat(100_001) });
  expect([long.status, long.body.error?.code]).toEqual([413, 'too_large']);
  const empty = await callWithSecret(hook, { text: ' \u200b' });
  expect([empty.status, empty.body.error?.code]).toEqual([400, 'invalid_request']);
});

it('[hooks] with session same the runs go on in one session, also when the first two arrive at once', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE, session: 'same' });
  const answers = await Promise.all(['a', 'b', 'c'].map(service => callWithSecret(hook, { service })));
  answers.push(await callWithSecret(hook, { service: 'd' }));
  const sessions = new Set(answers.map(answer => answer.body.sessionId));
  expect([answers.map(({ status }) => status), sessions.size]).toEqual([[202, 202, 202, 202], 1]);
  const [sessionId] = sessions;
  expect((await bench.rest.request('GET', `/hooks/${hook.id}`)).body).toMatchObject({ session: 'same', sessionId });
  for (const { body } of answers) await endedRun(body.runId);
  await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  const next = await callWithSecret(hook, { service: 'e' });
  expect([next.status, next.body.sessionId === sessionId]).toEqual([202, false]);
  await endedRun(next.body.runId);
});

it('[hooks] a hook is listed without its secret, changed, paused and deleted', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE, name: 'changing' });
  const { body: listed } = await bench.rest.request<{ data: Record<string, unknown>[] }>('GET', '/hooks?limit=100');
  const row = listed.data.find(({ id }) => id === hook.id);
  expect([row?.['secret'], row?.['url'], row?.['keyName'], row?.['enabled']]).toEqual([undefined, hook.url, 'local', true]);
  const changed = await bench.rest.request('PATCH', `/hooks/${hook.id}`, { template: 'The deploy of all', enabled: false });
  expect(changed.body).toMatchObject({ name: 'changing', template: 'The deploy of all', enabled: false });
  const paused = await callWithSecret(hook, {});
  expect([paused.status, paused.body.error?.code]).toEqual([403, 'forbidden']);
  await bench.rest.request('PATCH', `/hooks/${hook.id}`, { enabled: true });
  expect((await callWithSecret(hook, {})).status).toBe(202);
  expect((await bench.rest.request('DELETE', `/hooks/${hook.id}`)).status).toBe(204);
  expect((await callWithSecret(hook, {})).status).toBe(404);
  expect((await bench.rest.request('DELETE', `/hooks/${hook.id}`)).status).toBe(404);
});

it('[hooks] an unknown placeholder or agent is refused when the hook is made; a repeated request makes one hook and shows no secret', async () => {
  const bad = await bench.rest.request<ErrorBody>('POST', '/hooks', { name: 'bad', template: 'Look at {{boddy.x}}' });
  expect([bad.status, bad.body.error.param, bad.body.error.message]).toEqual([400, '/template', expect.stringContaining('{{boddy.x}}')]);
  const nobody = await bench.rest.request<ErrorBody>('POST', '/hooks', { name: 'bad', template: 'x', agent: 'nobody' });
  expect(nobody.body.error.code).toBe('not_found');
  const make = () =>
    bench.rest.request<{ id: string; secret?: string }>(
      'POST',
      '/hooks',
      { name: 'once', template: 'x' },
      { 'idempotency-key': 'hook-once' },
    );
  const [first, second] = [await make(), await make()];
  expect([second.body.id, second.body.secret, typeof first.body.secret]).toEqual([first.body.id, undefined, 'string']);
});

it('[hooks] the last requests of a hook say how each one ended, and wrong ones push out no more than some', async () => {
  const hook = await makeHook(bench.rest, { template: TEMPLATE });
  const body = JSON.stringify({ service: 'listed' });
  const calls = async () => (await bench.rest.request<{ data: object[] }>('GET', `/hooks/${hook.id}/calls`)).body.data;
  expect(await calls()).toEqual([]);
  const { runId } = (await callSigned(hook, 'listed_1', body)).body;
  await callSigned(hook, 'listed_1', body);
  await callSigned(hook, 'listed_1', '{"service":"other"}');
  await callSigned(hook, 'listed_2', body, new Date(Date.now() - 600_000));
  await post(hook.url, body, { authorization: 'Bearer wrong' });
  await bench.rest.request('PATCH', `/hooks/${hook.id}`, { enabled: false });
  await callSigned(hook, 'listed_3', body);
  const ends = [
    { outcome: 'refused', code: 'forbidden' },
    { outcome: 'refused', code: 'unauthenticated' },
    { outcome: 'refused', code: 'unauthenticated' },
    { outcome: 'refused', code: 'idempotency_mismatch' },
    { outcome: 'duplicate', runId, messageId: 'listed_1' },
    { outcome: 'accepted', runId, messageId: 'listed_1' },
  ];
  expect(await calls()).toMatchObject(ends.map(end => ({ ...end, address: '127.0.0.1', createdAt: expect.any(String) })));
  for (let i = 0; i < 30; i++) await post(hook.url, body, { authorization: 'Bearer wrong' });
  const kept = (await calls()) as { outcome: string; code?: string }[];
  expect(kept).toHaveLength(2 + 20);
  expect(kept[0]).toMatchObject({ outcome: 'refused' });
  expect((await bench.rest.request('GET', '/hooks/hook_unknown/calls')).status).toBe(404);
});
