/** A person's data: deleted sessions leave no text behind, and all data can be taken along. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

/** Stands in everything that the person and the agent write. */
const MARKER = 'heliotrope';

let config: AgentConfig;
let bench: AgentBench;

beforeAll(async () => {
  config = await createProfiles({
    default: 'toolsets: [base, planning, interaction]\nmembers: [scout]',
    scout: 'description: Looks around.',
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  const { model } = bench;
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args as Record<string, unknown> }] });
  model.onTurn(
    'plan',
    call('todo', { todos: [{ id: '1', content: `Buy ${MARKER}`, status: 'in_progress' }] }),
    call('read_file', { path: 'secret.txt' }),
    call('write_file', { path: 'secret.txt', content: 'nothing' }),
    call('clarify', { question: `Which ${MARKER}?`, choices: [`a ${MARKER}`, 'none'] }),
    call('delegate_task', { task: `scout the ${MARKER}` }),
    `Here is your ${MARKER}.`,
  );
  model.onTurn('scout the', `A ${MARKER} was there.`);
  model.onTurn('hello', 'Hello.');
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

/** Paths of the files below a directory whose bytes hold the marker. */
async function filesWithMarker(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter(one => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(MARKER)) found.push(path);
  }
  return found;
}

/** Has a whole conversation about the marker; resolves with its session. */
async function converse(): Promise<string> {
  const { rest } = bench;
  // Long enough for pages of its own, and for a file of the whole result.
  await rest.request('PUT', '/files/secret.txt', { text: `${MARKER} `.repeat(20_000) });
  const started = await rest.request<{ runId: string; sessionId: string }>(
    'POST',
    '/runs',
    { input: `plan my ${MARKER} `.repeat(2_000), clarify: 'wait', metadata: { about: MARKER } },
    { prefer: 'respond-async' },
  );
  const { runId, sessionId } = started.body;
  const open = async () => (await rest.request<PageBody<{ requestId: string }>>('GET', '/clarifications?status=pending')).body.data[0];
  await rest.request('POST', `/clarifications/${(await until(open))?.requestId}`, { answer: `the ${MARKER}` });
  const events = await rest.stream('GET', `/runs/${runId}/events`);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: `Here is your ${MARKER}.` } });
  // The search indexes in the background.
  await until(async () => (await rest.request<PageBody<object>>('GET', `/search?q=${MARKER}`)).body.data[0]);
  return sessionId;
}

it('DELETE /sessions/:id leaves no text in any table and file of the gateway; usage and audit rows stay', async () => {
  const { rest, gateway } = bench;
  const kept = (await rest.run({ input: 'hello' })).body.sessionId;
  const sessionId = await converse();
  expect(await filesWithMarker(gateway.dataDir)).not.toEqual([]);
  expect((await rest.request('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
  // The change of the file before the conversation belongs to no session, and neither does the file.
  await until(async () => (await filesWithMarker(gateway.dataDir)).length === 0);
  expect(await readdir(join(gateway.workspace, '.neta/results')).catch(() => [])).toEqual([]);
  expect((await rest.request<PageBody<object>>('GET', `/search?q=${MARKER}`)).body.data).toEqual([]);
  const audit = await rest.request<PageBody<object>>('GET', `/audit?target=${sessionId}`);
  expect(audit.body.data).toMatchObject([{ action: 'session.delete' }]);
  expect((await rest.request<{ data: object[] }>('GET', '/usage')).body.data).toMatchObject([{ runs: 3 }]);
  expect((await rest.history(kept)).map(({ content }) => content)).toContain('Hello.');
});

it('leaves no text of a memory that was deleted or corrected', async () => {
  const { rest, gateway } = bench;
  const add = async (text: string) => (await rest.request<{ id: string }>('POST', '/memories', { text })).body.id;
  const [deleted, corrected] = [await add(`Grows ${MARKER}`), await add(`Sells 12 ${MARKER} plants a day at the market`)];
  expect(await filesWithMarker(gateway.dataDir)).not.toEqual([]);
  expect((await rest.request('DELETE', `/memories/${deleted}`)).status).toBe(204);
  expect((await rest.request('PATCH', `/memories/${corrected}`, { text: 'Sells plants' })).status).toBe(200);
  await until(async () => (await filesWithMarker(gateway.dataDir)).length === 0);
  await rest.request('DELETE', `/memories/${corrected}`);
});

it('exports a session, and everything of the tenant, as JSON lines that the audit log records', async () => {
  const { rest, gateway } = bench;
  const sessionId = await converse();
  await rest.request('POST', '/memories', { text: `Likes ${MARKER}` });
  await rest.request('POST', '/jobs', { name: MARKER, input: 'hello', schedule: { everyMs: 3_600_000 } });
  await rest.request('POST', '/hooks', { name: 'deploys', template: MARKER });
  await rest.request('POST', '/webhooks', { url: 'https://example.com/', secret: `whsec_${'A'.repeat(32)}` });
  const download = async (path: string) => {
    const response = await fetch(`${gateway.url}/api/v1${path}`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map(line => JSON.parse(line) as { type: string; data: Record<string, unknown> });
  };
  const typesOf = (items: { type: string }[]) => [...new Set(items.map(({ type }) => type))].sort();
  const one = await download(`/sessions/${sessionId}/export`);
  expect(one[0]).toMatchObject({ type: 'session', data: { id: sessionId } });
  expect(typesOf(one)).toEqual(['event', 'message', 'plan', 'question', 'run', 'session', 'tool_execution']);
  const { body } = await rest.request<{ data: object[] }>('GET', `/sessions/${sessionId}/messages?limit=1000`);
  const ofSession = one.filter(({ type, data }) => type === 'message' && data['sessionId'] === sessionId);
  expect(ofSession.map(({ data: { sessionId: _id, ...message } }) => message)).toEqual(body.data);
  expect(one.find(({ type }) => type === 'plan')?.data).toMatchObject({ sessionId, todos: [{ content: `Buy ${MARKER}` }] });
  expect(one.filter(({ type }) => type === 'session')).toHaveLength(2);
  const runs = one.filter(({ type }) => type === 'run');
  for (const { data } of runs) {
    const events = one.filter(item => item.type === 'event' && item.data['runId'] === data['runId']);
    expect(events.map(item => item.data['seq'])).toEqual(Array.from({ length: events.length }, (_, i) => i + 1));
    expect(events.at(-1)?.data['type']).toBe('run_end');
  }
  const all = await download('/export');
  expect(typesOf(all)).toEqual([
    'event',
    'hook',
    'job',
    'memory',
    'message',
    'plan',
    'question',
    'run',
    'session',
    'tool_execution',
    'webhook',
  ]);
  expect(JSON.stringify(all)).not.toContain('whsec_');
  expect(all.filter(({ type, data }) => type === 'tool_execution' && data['sessionId'] === undefined)).not.toEqual([]);
  const audit = await rest.request<PageBody<{ action: string; target: string }>>('GET', '/audit?limit=2');
  expect(audit.body.data.map(({ action, target }) => [action, target])).toEqual([
    ['data.export', 'default'],
    ['session.export', sessionId],
  ]);
  expect((await rest.request('GET', '/sessions/ses_unknown/export')).status).toBe(404);
});
