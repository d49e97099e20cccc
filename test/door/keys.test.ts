/** API keys through both doors: who is served, what a key may do, and how it ends. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { ADMIN, bearer, type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { connectMcp } from '../support/mcp_client';
import { createRestClient, type PageBody } from '../support/rest_client';
import { until } from '../support/until';

interface KeyRow {
  id: string;
  name: string;
  tenant: string;
  scopes: string[];
  source: string;
  lastUsedAt?: string;
  secret?: string;
}

describe('a gateway with keys', () => {
  let keys: KeyBench;

  beforeAll(async () => {
    keys = await startKeyBench();
  });
  afterAll(() => keys?.bench.stop());

  it('answers 401 with WWW-Authenticate without a key and for an unknown one, and serves health, docs and pages', async () => {
    const { url } = keys;
    for (const headers of [{}, bearer('not-a-key-of-this-gateway')]) {
      const { status, headers: answered, body } = await createRestClient(url).request('GET', '/sessions', undefined, headers);
      expect([status, body.error.code, answered.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Bearer']);
    }
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/']) expect((await fetch(url + path)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/no-such-thing`)).status).toBe(401);
  });

  it('says who the caller is', async () => {
    const { id, secret } = await keys.makeKey({ name: 'reader', tenant: 'acme', scopes: ['chat'], expiresAt: '2999-01-01T00:00:00Z' });
    const { body } = await withKey(keys.url, secret).request('GET', '/me');
    expect(body).toEqual({
      keyName: 'reader',
      keyId: id,
      tenant: 'acme',
      scopes: ['chat'],
      operator: false,
      loginRequired: true,
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
  });

  it('lets an admin of a tenant see, make and revoke the keys of that tenant alone', async () => {
    const ofAcme = await keys.makeKey({ name: 'boss', tenant: 'acme', scopes: ['admin', 'ops:read', 'chat'] });
    const other = await keys.makeKey({ name: 'other', tenant: 'globex', scopes: ['chat'] });
    const boss = withKey(keys.url, ofAcme.secret);
    const { body } = await boss.request<PageBody<KeyRow>>('GET', '/api-keys');
    expect(new Set(body.data.map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
    const made = await boss.request<KeyRow>('POST', '/api-keys', { name: 'hand', scopes: ['chat'] });
    expect(made).toMatchObject({ status: 201, body: { tenant: 'acme' } });
    expect(await boss.request('POST', '/api-keys', { name: 'spy', tenant: 'globex', scopes: ['chat'] })).toMatchObject({
      status: 403,
      body: { error: { param: '/tenant' } },
    });
    expect((await boss.request('DELETE', `/api-keys/${other.id}`)).status).toBe(404);
    expect((await boss.request('DELETE', `/api-keys/${made.body.id}`)).status).toBe(204);
    expect((await boss.request('GET', '/audit?tenant=globex')).status).toBe(403);
    const audit = await boss.request<PageBody<{ tenant: string }>>('GET', '/audit');
    expect(new Set(audit.body.data.map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
  });

  it('ASVS 2.10.3: shows the secret once, lists keys without it, and stores no secret', async () => {
    const { id, secret } = await keys.makeKey({ name: 'once', scopes: ['chat'] });
    expect(secret).toMatch(/^neta_[\w-]{43}$/);
    await withKey(keys.url, secret).request('GET', '/me');
    const { body } = await keys.admin.request<PageBody<KeyRow>>('GET', '/api-keys');
    const [first] = body.data;
    expect(first).toMatchObject({ id: 'env-root', source: 'settings', lastUsedAt: expect.any(String) });
    expect(body.data.find(row => row.id === id)).toMatchObject({
      name: 'once',
      tenant: 'default',
      source: 'stored',
      lastUsedAt: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(secret);
    const { dataDir } = keys.bench.gateway;
    const stored = readdirSync(dataDir).filter(file => file.startsWith('neta.db'));
    expect(stored.length).toBeGreaterThan(0);
    for (const file of stored) expect(readFileSync(join(dataDir, file)).includes(secret)).toBe(false);
    expect(keys.bench.gateway.output()).not.toContain(secret);
  });

  it('makes a key for each request of a client that counts its retries', async () => {
    const headers = { 'x-stainless-retry-count': '0' };
    const make = (name: string) => keys.admin.request<KeyRow>('POST', '/api-keys', { name, scopes: ['chat'] }, headers);
    const made = [await make('counted'), await make('counted'), await make('other')];
    expect(made.map(({ status, body }) => [status, typeof body.secret])).toEqual(Array(3).fill([201, 'string']));
  });

  it('answers a replay with the same id and no secret, and refuses the key for another body', async () => {
    const headers = { 'idempotency-key': 'make-1' };
    const fields = { name: 'retried', scopes: ['chat'] };
    const make = (body: object) => keys.admin.request<KeyRow>('POST', '/api-keys', body, headers);
    const first = await make(fields);
    const again = await make(fields);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({ id: first.body.id });
    expect(again.body.secret).toBeUndefined();
    expect((await make({ ...fields, name: 'other' })).body).toMatchObject({ error: { code: 'idempotency_mismatch' } });
  });

  it('ASVS 4.1.1: checks the scope of a route however its path is written', async () => {
    const { secret } = await keys.makeKey({ name: 'only-admin', scopes: ['admin'] });
    for (const path of ['/api/v1/sessions', '/API/v1/sessions', '/api/V1/Sessions/', '/Api/v1/Runs/run_none', '/V1/models']) {
      const answer = await fetch(keys.url + path, { headers: bearer(secret) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  it('ASVS 4.1.2: gives no scope that the caller does not have', async () => {
    const { secret } = await keys.makeKey({ name: 'keeper', scopes: ['admin'] });
    const { status, body } = await withKey(keys.url, secret).request('POST', '/api-keys', { name: 'more', scopes: ['admin', 'chat'] });
    expect([status, body.error.code, body.error.param]).toEqual([403, 'forbidden', '/scopes']);
    expect((await withKey(keys.url, secret).request('GET', '/sessions')).body.error).toMatchObject({
      code: 'forbidden',
      details: { scopes: ['chat', 'chat:read'] },
    });
  });

  it.each([
    [{ name: 'a b', scopes: ['chat'] }, '/name'],
    [{ name: 'local', scopes: ['chat'] }, '/name'],
    [{ name: 'late', scopes: ['chat'], expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'late', scopes: ['chat'], expiresAt: 'soon' }, '/expiresAt'],
    [{ name: 'odd', scopes: ['root'] }, '/scopes/0'],
    [{ name: 'odd', scopes: [] }, '/scopes'],
  ])('refuses the key %j', async (fields, param) => {
    const { status, body } = await keys.admin.request('POST', '/api-keys', fields);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('refuses to revoke a key of the settings and an unknown one', async () => {
    expect((await keys.admin.request('DELETE', '/api-keys/env-root')).status).toBe(403);
    expect((await keys.admin.request('DELETE', '/api-keys/key_unknown')).status).toBe(404);
  });

  it('ends the sockets and event streams of a revoked key at once, and refuses it from then on', async () => {
    const { id, secret } = await keys.makeKey({ name: 'leaver', scopes: ['chat'] });
    keys.bench.model.onTurn('wait for me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
    const client = await connectChat(keys.url, { token: secret, capabilities: ['clarify@1'] });
    const { runId } = await client.chat('wait for me');
    await client.waitFor('clarify_request');
    const stream = await fetch(`${keys.url}/api/v1/runs/${runId}/events`, { headers: { ...bearer(secret), accept: 'text/event-stream' } });
    const streamed = stream.text();
    const closed = new Promise(resolve => client.socket.once('disconnect', resolve));
    expect((await keys.admin.request('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect(await closed).toBe('io server disconnect');
    expect(client.received.at(-1)).toMatchObject({ type: 'error', data: { error: { code: 'unauthenticated' } } });
    expect(await streamed).toMatch(/event: error\ndata: .*"unauthenticated"/);
    expect((await withKey(keys.url, secret).request('GET', '/me')).status).toBe(401);
    await expect(connectChat(keys.url, { token: secret })).rejects.toMatchObject({ data: { error: { code: 'unauthenticated' } } });
  });

  it('ends the stream of a response with an error event when its key is revoked', async () => {
    const { id, secret } = await keys.makeKey({ name: 'responder', scopes: ['chat'] });
    keys.bench.model.onTurn('respond slowly', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2 });
    const stream = await fetch(`${keys.url}/v1/responses`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', input: 'respond slowly', stream: true }),
    });
    const streamed = stream.text();
    await keys.bench.model.waitFor('respond slowly');
    expect((await keys.admin.request('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect(await streamed).toMatch(/event: error\ndata: {"type":"error","code":"invalid_api_key".*"sequence_number":\d+}\n\n$/);
  });

  it('ends the stream of a chat completion with an error when its key is revoked', async () => {
    const { id, secret } = await keys.makeKey({ name: 'completer', scopes: ['chat'] });
    keys.bench.model.onTurn('complete slowly', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2 });
    const stream = await fetch(`${keys.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'complete slowly' }], stream: true }),
    });
    const streamed = stream.text();
    await keys.bench.model.waitFor('complete slowly');
    expect((await keys.admin.request('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect(await streamed).toMatch(/data: {"error":{.*"code":"invalid_api_key".*}}\n\n$/);
  });

  it('leaves room for the large bodies of other keys and tenants while slow uploads hold theirs', async () => {
    const made = await Promise.all(
      ['acme', 'acme', 'globex'].map((tenant, i) => keys.makeKey({ name: `uploader-${i}`, tenant, scopes: ['chat'] })),
    );
    const uploads: ClientRequest[] = [];
    /** Begins a body of 2 MiB and resolves with the status, or with `reading` once the gateway takes it. */
    const upload = async (secret = '') => {
      const headers = { ...bearer(secret), expect: '100-continue', 'content-type': 'application/json', 'content-length': 2 * 1024 * 1024 };
      const sent = request(`${keys.url}/api/v1/runs`, { method: 'POST', headers });
      sent.on('error', () => {});
      uploads.push(sent);
      sent.flushHeaders();
      const answered = once(sent, 'response').then(([answer]) => (answer as IncomingMessage).statusCode);
      const read = once(sent, 'continue').then(() => 'reading');
      return Promise.race([read, answered]).then(async first => {
        if (first !== 'reading') return first;
        // A refusal follows the 100 at once; a body that is read is waited for.
        return Promise.race([answered, keys.admin.request('GET', '/me').then(() => 'reading')]);
      });
    };
    const [first, second, third] = made.map(({ secret }) => secret);
    const outcomes = [];
    for (const secret of [first, first, first, second, second, third, third]) outcomes.push(await upload(secret));
    for (const sent of uploads) sent.destroy();
    // Two of a key, three of a tenant, four in all.
    expect(outcomes).toEqual(['reading', 'reading', 429, 'reading', 429, 'reading', 429]);
  });

  it('refuses a request whose key is revoked while its body arrives', async () => {
    const { id, secret } = await keys.makeKey({ name: 'slow-writer', scopes: ['chat'] });
    const body = JSON.stringify({ title: 'too late' });
    const headers = { ...bearer(secret), expect: '100-continue', 'content-type': 'application/json', 'content-length': body.length };
    const late = request(`${keys.url}/api/v1/sessions`, { method: 'POST', headers });
    late.flushHeaders();
    await once(late, 'continue');
    expect((await keys.admin.request('DELETE', `/api-keys/${id}`)).status).toBe(204);
    late.end(body);
    const [answer] = (await once(late, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
  });

  it('ends the sockets of a key that expires', async () => {
    const expiresAt = new Date(Date.now() + 1_200).toISOString();
    const { secret } = await keys.makeKey({ name: 'brief', scopes: ['chat'], expiresAt });
    const client = await connectChat(keys.url, { token: secret });
    await client.waitForAny(message => message.type === 'error');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect((await withKey(keys.url, secret).request('GET', '/me')).status).toBe(401);
  });

  it('checks the scope of each socket message', async () => {
    const { secret } = await keys.makeKey({ name: 'approver', scopes: ['approve'] });
    const client = await connectChat(keys.url, { token: secret });
    expect(await client.send({ type: 'chat', text: 'hello' })).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await client.send({ type: 'ping' })).toMatchObject({ ok: true });
    const decide = { type: 'approval_response', sessionId: 'ses_none', requestId: 'none', decision: 'allow_once' };
    expect(await client.send(decide)).toMatchObject({ error: { code: 'not_found' } });
    client.close();
  });

  it('records the key of a run', async () => {
    const { secret } = await keys.makeKey({ name: 'worker', scopes: ['chat'] });
    const client = withKey(keys.url, secret);
    const { body } = await client.run({ input: 'hello' });
    expect((await client.request('GET', `/runs/${body.runId}`)).body).toMatchObject({ keyName: 'worker' });
  });

  describe('a call that needs approval, from a key that may not decide', () => {
    const READ_KEYS = { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] };

    it('waits for a colleague, whichever door it came through', async () => {
      keys.bench.model.onTurn('read the colleague file', READ_KEYS, ({ toolResults }) => `It says ${toolResults[0]}`);
      const { secret } = await keys.makeKey({ name: 'junior', scopes: ['chat'] });
      const rest = withKey(keys.url, secret);
      const client = await connectChat(keys.url, { token: secret, capabilities: ['approval@1'] });
      const { runId, sessionId } = await client.chat('read the colleague file');
      const { requestId } = (await client.waitFor('approval_request')).data;
      const mine = { type: 'approval_response', sessionId, requestId, decision: 'allow_once' };
      expect(await client.send(mine)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      expect((await rest.request('POST', `/approvals/${requestId}`, { decision: 'allow_once' })).status).toBe(403);
      expect((await keys.admin.request('POST', `/approvals/${requestId}`, { decision: 'deny', reason: 'not today' })).status).toBe(200);
      expect((await client.waitFor('approval_end')).data).toMatchObject({ decision: 'deny', decidedBy: 'root' });
      expect((await client.endOf(runId)).data).toMatchObject({ text: expect.stringContaining('not today') });
      client.close();

      const started = rest.run({ input: 'read the colleague file', clarify: 'wait' });
      const pending = await until(
        () => rest.request<{ data: { requestId: string }[] }>('GET', '/approvals?status=pending'),
        ({ body }) => body.data.length === 1,
      );
      await keys.admin.request('POST', `/approvals/${pending.body.data[0]?.requestId}`, { decision: 'deny', reason: 'nor here' });
      expect((await started).body.text).toContain('nor here');
    });

    it('is refused at once in a tenant in which nobody may decide', async () => {
      keys.bench.model.onTurn('read the lonely file', READ_KEYS, ({ toolResults }) => `It says ${toolResults[0]}`);
      const { secret } = await keys.makeKey({ name: 'lonely', tenant: 'lonely', scopes: ['chat'] });
      const client = await connectChat(keys.url, { token: secret, capabilities: ['approval@1'] });
      const { runId } = await client.chat('read the lonely file');
      expect((await client.endOf(runId)).data).toMatchObject({ text: expect.stringContaining('no person can be asked here') });
      client.close();
    });
  });
});

describe('a gateway without keys', () => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway?.stop());

  it('ignores on each door the key that a client sends, says so once, and refuses it as soon as there is a key', async () => {
    const rest = createRestClient(gateway.url);
    const sent = bearer('sk-none');
    const doors = ['/api/v1/me', '/api/v1/ops/overview', '/v1/models', '/metrics', '/api/v1/tools'];
    const statusesOf = (headers: Record<string, string>) =>
      Promise.all(doors.map(async path => (await fetch(gateway.url + path, { headers })).status));
    const others: Record<string, string>[] = [
      { authorization: 'Basic bm9uZTpub25l' },
      { authorization: 'Bearer' },
      { 'x-api-key': 'none', 'api-key': 'none' },
      { cookie: 'neta_session=neta_of-another-time' },
    ];
    for (const headers of [sent, ...others]) expect(await statusesOf(headers)).toEqual(doors.map(() => 200));
    // More unknown keys than an address may show while there are keys.
    for (let i = 0; i < 30; i++)
      expect((await rest.request('GET', '/me', undefined, bearer(`sk-${i}`))).body).toMatchObject({ keyName: 'local' });
    const agui = () =>
      fetch(`${gateway.url}/agui/default`, { method: 'POST', headers: { ...sent, 'content-type': 'application/json' }, body: '{}' });
    expect((await agui()).status).toBe(400);
    await (await connectMcp(gateway.url, { secret: 'none' })).close();
    (await connectChat(gateway.url, { token: 'x'.repeat(4_000) })).close();
    const foreign = await rest.request('GET', '/me', undefined, { ...sent, origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'forbidden']);
    expect(gateway.output().match(/ignores the keys that clients send/g)).toHaveLength(1);
    await rest.request('POST', '/api-keys', { name: 'first', scopes: ['admin', 'chat'] }, sent);
    for (const headers of [sent, ...others]) expect(await statusesOf(headers)).toEqual(doors.map(() => 401));
    expect((await agui()).status).toBe(401);
    await expect(connectMcp(gateway.url, { secret: 'none' })).rejects.toMatchObject({ code: 401 });
    await expect(connectChat(gateway.url, { token: 'none' })).rejects.toMatchObject({ data: { error: { code: 'unauthenticated' } } });
  });

  it('serves this machine as local, and is locked by the first key', async () => {
    const rest = createRestClient(gateway.url);
    expect((await rest.request('GET', '/me')).body).toMatchObject({ keyName: 'local', tenant: 'default', loginRequired: false });
    const page = await connectChat(gateway.url);
    const made = await rest.request<KeyRow>('POST', '/api-keys', { name: 'first', scopes: ['admin', 'chat'] });
    await page.waitForAny(message => message.type === 'error');
    expect((await rest.request('GET', '/me')).status).toBe(401);
    await gateway.restart();
    const admin = withKey(gateway.url, String(made.body.secret));
    expect((await rest.request('GET', '/me')).status).toBe(401);
    expect((await admin.request('GET', '/me')).body).toMatchObject({ keyName: 'first' });
    expect((await admin.request('DELETE', `/api-keys/${made.body.id}`)).status).toBe(204);
    expect((await rest.request('GET', '/me')).body).toMatchObject({ keyName: 'local' });
  });

  it('sees within two seconds that another gateway on its store made and revoked a key', async () => {
    const other = await startGateway({ env: { NETA_DATA_DIR: gateway.dataDir } });
    try {
      const rest = createRestClient(gateway.url);
      const made = await createRestClient(other.url).request<KeyRow>('POST', '/api-keys', { name: 'shared', scopes: ['admin', 'chat'] });
      const secret = String(made.body.secret);
      expect((await withKey(gateway.url, secret).request('GET', '/me')).status).toBe(200);
      expect((await rest.request('GET', '/me')).status).toBe(401);
      const client = await connectChat(gateway.url, { token: secret });
      const revokedAt = Date.now();
      await withKey(other.url, secret).request('DELETE', `/api-keys/${made.body.id}`);
      await client.waitForAny(message => message.type === 'error');
      expect(Date.now() - revokedAt).toBeLessThan(2_500);
    } finally {
      await other.stop();
    }
  });
});

it('keeps keys out of the environment of commands, and refuses a command that shows a key', async () => {
  const keys = await startKeyBench({ NETA_SANDBOX: 'none' });
  try {
    keys.bench.model.onTurn('show the environment', { toolCalls: [{ name: 'bash', arguments: { command: 'env' } }] }, 'Done.');
    const { runId } = (await keys.admin.run({ input: 'show the environment' })).body;
    const { body } = await keys.admin.request('GET', `/runs/${runId}/events`);
    expect(JSON.stringify(body)).toContain('PATH=');
    expect(JSON.stringify(body)).not.toContain(ADMIN);
    const peek = 'tr "\\0" "\\n" < /proc/$PPID/environ; echo looked';
    keys.bench.model.onTurn('read the gateway', { toolCalls: [{ name: 'bash', arguments: { command: peek } }] }, 'Done.');
    const peeked = (await keys.admin.run({ input: 'read the gateway' })).body;
    const seen = JSON.stringify((await keys.admin.request('GET', `/runs/${peeked.runId}/events?limit=1000`)).body);
    expect(seen).toContain('looked');
    expect(seen).toContain('NETA_API_KEYS=root:[redacted]:');
    expect(seen).not.toContain(ADMIN);
    expect(JSON.stringify(keys.bench.model.requests())).not.toContain(ADMIN);
    const stolen = `curl -s -w ' status %{http_code}' -H 'authorization: Bearer ${ADMIN}' ${keys.url}/api/v1/me`;
    keys.bench.model.onTurn(
      'use a key',
      { toolCalls: [{ name: 'bash', arguments: { command: stolen } }] },
      ({ toolResults }) => `${toolResults}`,
    );
    const { text } = (await keys.admin.run({ input: 'use a key' })).body;
    expect(text).toMatch(/"code":"forbidden".* status 403/s);
  } finally {
    await keys.bench.stop();
  }
});
