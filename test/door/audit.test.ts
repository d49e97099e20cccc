/** The audit log through the doors: each act leaves a row with its actor, without the texts of people. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditHash, FIRST_AUDIT_HASH } from '../../src/port/store/audit_hash';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { ADMIN, type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { manifestText } from '../support/manifest_config';
import type { PageBody, RestClient } from '../support/rest_client';
import { skillText } from '../support/skill_folders';
import { until } from '../support/until';

interface Row {
  id: string;
  tenant: string;
  at: string;
  actor: string;
  action: string;
  target: string;
  details: Record<string, unknown>;
  prevHash: string;
  hash: string;
}

/** Stands in every text that a person writes here. */
const PRIVATE = 'heliotrope';

const rowsOf = async (client: RestClient, query = ''): Promise<Row[]> =>
  (await client.request<PageBody<Row>>('GET', `/audit?limit=1000${query}`)).body.data;

/** Waits for the open question of a run, over REST. */
async function openRequest(client: RestClient, kind: 'clarifications' | 'approvals'): Promise<string> {
  const open = async () => (await client.request<PageBody<{ requestId: string }>>('GET', `/${kind}?status=pending`)).body.data[0];
  return (await until(open))?.requestId ?? '';
}

describe('a gateway without keys', () => {
  let config: AgentConfig;
  let bench: AgentBench;

  beforeAll(async () => {
    config = await createAgentConfig(['base', 'skill', 'interaction', 'memory']);
    await writeFile(
      join(config.directory, 'approvals.yaml'),
      'rules:\n  - { tool: skill_manage, decision: allow }\n  - { tool: write_file, decision: ask }\n',
    );
    bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory }, failpoints: true });
    const { model } = bench;
    model.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: `Which ${PRIVATE}?` } }] }, 'Thanks.');
    model.onTurn('write', { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: PRIVATE } }] }, 'Not written.');
    const create = { action: 'create', name: 'brewing', content: skillText('brewing') };
    model.onTurn('learn', { toolCalls: [{ name: 'skill_manage', arguments: create }] }, 'Learnt.');
  });
  afterAll(async () => {
    await bench?.stop();
    await config?.remove();
  });

  const start = async (input: string, more: object = {}) =>
    (
      await bench.rest.request<{ runId: string; sessionId: string }>(
        'POST',
        '/runs',
        { input: `${input} ${PRIVATE}`, ...more },
        { prefer: 'respond-async' },
      )
    ).body;

  it('records the answer to a question and the decision about an approval, each with its run', async () => {
    const { runId: asking, sessionId: place } = await start('ask', { clarify: 'wait' });
    const question = await openRequest(bench.rest, 'clarifications');
    await bench.rest.request('POST', `/clarifications/${question}`, { answer: PRIVATE });
    expect(await rowsOf(bench.rest, `&target=${question}`)).toMatchObject([
      { tenant: 'default', actor: 'local', action: 'question.answer', details: { runId: asking, sessionId: place } },
    ]);
    const client = await bench.connect({ capabilities: ['approval@1'] });
    const { runId, sessionId } = await client.chat('write');
    const approval = await openRequest(bench.rest, 'approvals');
    await bench.rest.request('POST', `/approvals/${approval}`, { decision: 'deny', reason: PRIVATE });
    await client.endOf(runId);
    expect(await rowsOf(bench.rest, `&target=${approval}`)).toMatchObject([
      { actor: 'local', action: 'approval.deny', details: { runId, sessionId, tool: 'write_file', decision: 'deny' } },
    ]);
    // The loser of two answers has done nothing.
    expect((await bench.rest.request('POST', `/approvals/${approval}`, { decision: 'allow_once' })).status).toBe(409);
    expect(await rowsOf(bench.rest, `&target=${approval}`)).toHaveLength(1);
  });

  it('records a question that the next message answers, and no ordinary message', async () => {
    const { body } = await bench.rest.run({ input: 'ask', clarify: 'text' });
    const before = await rowsOf(bench.rest);
    await bench.rest.run({ input: PRIVATE, sessionId: body.sessionId });
    await bench.rest.run({ input: 'hello', sessionId: body.sessionId });
    expect(await rowsOf(bench.rest)).toMatchObject([
      { action: 'question.answer', target: body.clarification?.requestId, details: { sessionId: body.sessionId } },
      ...before,
    ]);
  });

  it('records each act once, newest first, and no text of a person', async () => {
    const { rest } = bench;
    const made = async (path: string, body: object) => (await rest.request<{ id: string }>('POST', path, body)).body.id;
    const asking = await start('ask', { clarify: 'wait' });
    await openRequest(rest, 'clarifications');
    await rest.request('POST', `/runs/${asking.runId}/cancel`);
    await rest.request('POST', `/runs/${asking.runId}/cancel`);
    const memory = await made('/memories', { text: `Likes ${PRIVATE}` });
    await rest.request('DELETE', `/memories/${memory}`);
    const job = await made('/jobs', { name: PRIVATE, input: PRIVATE, schedule: { everyMs: 3_600_000 } });
    await rest.request('PATCH', `/jobs/${job}`, { enabled: false });
    await rest.request('POST', `/jobs/${job}/run`);
    await rest.request('DELETE', `/jobs/${job}`);
    const webhook = await made('/webhooks', { url: `https://example.com/${PRIVATE}` });
    await rest.request('DELETE', `/webhooks/${webhook}`);
    await rest.request('PUT', '/skills/brewing', { content: skillText('brewing') });
    await rest.request('PATCH', '/skills/brewing', { enabled: false });
    await rest.request('DELETE', '/skills/brewing');
    await rest.request('PUT', '/files/notes.txt', { text: PRIVATE });
    await rest.request('DELETE', '/files/notes.txt');
    await rest.request('DELETE', `/sessions/${asking.sessionId}`);
    const rows = (await rowsOf(rest)).reverse();
    const since = rows.slice(rows.findIndex(({ target }) => target === asking.runId));
    expect(since.map(({ actor, action, target }) => `${actor} ${action} ${target}`)).toEqual([
      `local run.cancel ${asking.runId}`,
      `local memory.delete ${memory}`,
      `local job.create ${job}`,
      `local job.update ${job}`,
      `local job.run ${job}`,
      `local job.delete ${job}`,
      `local webhook.create ${webhook}`,
      `local webhook.delete ${webhook}`,
      'local skill.write brewing',
      'local skill.disable brewing',
      'local skill.delete brewing',
      'local file.delete notes.txt',
      `local session.delete ${asking.sessionId}`,
    ]);
    expect(JSON.stringify(rows)).not.toContain(PRIVATE);
    let prevHash = FIRST_AUDIT_HASH;
    for (const { tenant: tenantId, at, hash, ...row } of rows) {
      expect(row.prevHash).toBe(prevHash);
      expect(
        auditHash(prevHash, { ...row, action: row.action as never, details: row.details as never, tenantId, at: Date.parse(at) }),
      ).toBe(hash);
      prevHash = hash;
    }
  });

  it('names the agent that changed a skill, and the key for which it worked', async () => {
    await bench.rest.run({ input: 'learn' });
    expect((await rowsOf(bench.rest, '&action=skill.write'))[0]).toMatchObject({
      actor: 'agent:default',
      target: 'brewing',
      details: { key: 'local' },
    });
  });

  it('records that a changed configuration file is in use, with its hash before and after', async () => {
    const changed = async () => (await rowsOf(bench.rest, '&action=config.reload&target=limits.yaml'))[0];
    const path = join(config.directory, 'limits.yaml');
    await writeFile(path, 'default:\n  requestsPerMinute: 600000\n');
    expect(await until(changed)).toMatchObject({
      actor: 'gateway:config',
      details: { before: 'none', after: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('records that a manifest appeared while the gateway runs', async () => {
    await mkdir(join(config.directory, 'tools'), { recursive: true });
    await writeFile(join(config.directory, 'tools/echo.yaml'), manifestText('echo', 'echo.cjs', 'runtime: javascript'));
    const appeared = () => rowsOf(bench.rest, '&action=config.reload&target=tools/echo.yaml');
    expect(await until(appeared, rows => rows.length > 0)).toMatchObject([
      { actor: 'gateway:config', details: { before: 'none', after: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });

  it('reads pages, times and filters, and refuses what it does not know', async () => {
    const { rest } = bench;
    const all = await rowsOf(rest);
    const first = await rest.request<PageBody<Row>>('GET', '/audit?limit=2');
    expect(first.headers.get('link')).toContain('rel="next"');
    const second = await rest.request<PageBody<Row>>('GET', `/audit?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.slice(0, 4));
    const today = new Date().toISOString().slice(0, 10);
    expect(await rowsOf(rest, `&from=${today}&to=${today}`)).toEqual(all);
    expect(await rowsOf(rest, '&to=2020-01-01')).toEqual([]);
    expect(await rowsOf(rest, '&tenant=acme')).toEqual([]);
    for (const [query, param] of [
      ['from=2026-02-31', '/from'],
      ['to=yesterday', '/to'],
      ['verb=delete', '/verb'],
      ['cursor=abc', '/cursor'],
      ['limit=0', '/limit'],
    ]) {
      expect((await rest.request('GET', `/audit?${query}`)).body.error).toMatchObject({ code: 'invalid_request', param });
    }
  });

  it('answers the page as CSV when asked for it', async () => {
    const response = await fetch(`${bench.gateway.url}/api/v1/audit?limit=1&action=job.create`, { headers: { accept: 'text/csv' } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [row] = await rowsOf(bench.rest, '&action=job.create');
    const details = `"${JSON.stringify(row?.details).replaceAll('"', '""')}"`;
    expect(await response.text()).toBe(
      `id,tenant,at,actor,action,target,details,prevHash,hash\r\n${row?.id},default,${row?.at},local,job.create,${row?.target},${details},${row?.prevHash},${row?.hash}\r\n`,
    );
  });

  it('kill -9: an act and its row are both stored or neither is', async () => {
    const asked = async () => {
      await start('ask', { clarify: 'wait' });
      return openRequest(bench.rest, 'clarifications');
    };
    const answerAndDie = async (request: string) => {
      await bench.rest.request('POST', `/clarifications/${request}`, { answer: 'blue' }).catch(() => undefined);
      await bench.gateway.exited();
    };
    const lost = await asked();
    await bench.gateway.arm('audit_row=crash');
    await answerAndDie(lost);
    await bench.gateway.restart();
    expect(await rowsOf(bench.rest, `&target=${lost}`)).toEqual([]);
    expect(await openRequest(bench.rest, 'clarifications')).toBe(lost);
    await bench.gateway.arm('clarify_answered=crash');
    await answerAndDie(lost);
    await bench.gateway.restart();
    expect(await rowsOf(bench.rest, `&target=${lost}`)).toHaveLength(1);
  });
});

describe('a gateway with keys', () => {
  let keys: KeyBench;
  beforeAll(async () => {
    keys = await startKeyBench();
  });
  afterAll(() => keys?.bench.stop());

  it('records keys and logins under the tenant of the key, and shows a key of operators its own tenant', async () => {
    const { admin, url } = keys;
    const auditor = await keys.makeKey({ name: 'auditor', tenant: 'acme', scopes: ['ops:read'] });
    const own = withKey(url, auditor.secret);
    const login = (key: string) =>
      fetch(`${url}/api/v1/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ key }) });
    const cookie = (await login(ADMIN)).headers.get('set-cookie') ?? '';
    expect((await login('wrong-secret-0123456789')).status).toBe(401);
    expect((await login('wrong-secret-0123456789')).status).toBe(401);
    await fetch(`${url}/api/v1/logout`, { method: 'POST', headers: { cookie: cookie.split(';')[0] ?? '', origin: url } });
    const doomed = await keys.makeKey({ name: 'doomed', scopes: ['chat'] });
    await admin.request('DELETE', `/api-keys/${doomed.id}`);
    const rows = (await rowsOf(admin)).reverse();
    expect(rows.map(({ tenant, actor, action }) => `${tenant} ${actor} ${action}`)).toEqual([
      'acme root key.create',
      'default root login.create',
      expect.stringMatching(/^default address:\S+ login\.fail$/),
      'default root login.end',
      'default root key.create',
      'default root key.revoke',
    ]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${ADMIN}|${auditor.secret}|${doomed.secret}|wrong-secret`));
    expect(await rowsOf(own)).toMatchObject([
      { action: 'key.create', target: auditor.id, details: { name: 'auditor', scopes: ['ops:read'] } },
    ]);
    expect((await own.request('GET', '/audit?tenant=default')).body.error).toMatchObject({ code: 'forbidden', param: '/tenant' });
    expect(await rowsOf(admin, '&tenant=acme')).toHaveLength(1);
  });

  it('names the key that answers for another one', async () => {
    const { bench, admin, url } = keys;
    bench.model.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] }, 'Thanks.');
    const { secret } = await keys.makeKey({ name: 'bot', scopes: ['chat'] });
    const bot = withKey(url, secret);
    await bot.request('POST', '/runs', { input: 'ask', clarify: 'wait' }, { prefer: 'respond-async' });
    const request = await openRequest(admin, 'clarifications');
    await admin.request('POST', `/clarifications/${request}`, { answer: 'left' });
    expect(await rowsOf(admin, `&target=${request}`)).toMatchObject([{ actor: 'root', details: { onBehalfOf: 'bot' } }]);
  });
});
