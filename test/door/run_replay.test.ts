/** Recorded runs are replayed offline and compared, over REST and with `neta replay`. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomUtils, parseDocument } from 'htmlparser2';
import { type ChildRow, type CrewBench, delegate, startCrewBench } from '../support/crew_bench';
import { ADMIN, withKey } from '../support/key_bench';
import type { ModelRequest } from '../support/mock_model';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

interface ReplayBody {
  result: string;
  differences: string[];
  model?: string;
  requests: { state: string; changed?: string[] }[];
  calls: { state: string; name: string; source?: string }[];
  recorded: { text: string; usage: { inputTokens: number } };
  replayed: { text: string; usage: { inputTokens: number } };
  answerDiff?: string;
  promptDiff?: string;
}

const CHATTER = 'chatter-secret-0123456789';
const [WEIGHER, HASTY, SINGLE] = ['weigher-secret-0123456789', 'hasty-secret-0123456789', 'single-secret-0123456789'] as const;
const ACME_OPS = 'acme-ops-secret-0123456789';
const KEYS = `root:${ADMIN}:default:chat+tools+approve+ops:read+ops:write+admin,chatter:${CHATTER}:default:chat,ops:${ACME_OPS}:acme:chat+ops:read+ops:write,weigher:${WEIGHER}:default:chat,hasty:${HASTY}:default:chat,single:${SINGLE}:default:chat`;
const LIMITS = 'keys:\n  weigher: { tokensPerDay: 450 }\n  hasty: { runsPerMinute: 1 }\n  single: { concurrentRuns: 1 }\n';
const PROGRAM = join(__dirname, '../../scripts/neta.mjs');

let bench: CrewBench;
let [chatter, acmeOps]: RestClient[] = [];

beforeAll(async () => {
  const crew = await startCrewBench({ files: { 'notes.txt': 'beans\n' }, env: { NETA_API_KEYS: KEYS } }, undefined, directory =>
    writeFile(join(directory, 'limits.yaml'), LIMITS),
  );
  const { url } = crew.gateway;
  bench = { ...crew, rest: withKey(url, ADMIN) };
  chatter = withKey(url, CHATTER);
  acmeOps = withKey(url, ACME_OPS);
  const { model } = bench;
  const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] };
  const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'made\n' } }] };
  model.onTurn(/"criterion":"It breaks/, { error: { status: 400, message: 'no judging today' } });
  model.onTurn(/"criterion":"It says/, '{"pass": false, "reason": "It says too little."}');
  model.onTurn('tidy the notes', read, write, { text: 'Tidied.', usage: { inputTokens: 40, outputTokens: 4 } });
  const ask = { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'green'] } }] };
  model.onTurn('paint it', ask, ({ toolResults }) => `Painted: ${toolResults[0]}`);
  model.onTurn('lead the hunt', delegate('hunt mushrooms'), ({ toolResults }) => `Report: ${toolResults[0]}`);
  model.onTurn('hunt mushrooms', 'Two mushrooms.');
});
afterAll(() => bench?.stop());

const run = async (input: string) => (await bench.rest.run({ input })).body;
const replay = async (runId: string, body = {}) => (await bench.rest.request<ReplayBody>('POST', `/runs/${runId}/replay`, body)).body;

/** Runs `neta` and resolves with its exit code and output. */
const neta = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const env = { PATH: process.env['PATH'] ?? '', LANG: 'C', NETA_URL: bench.gateway.url, NETA_API_KEY: ADMIN };
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

const readXml = (text: string) => parseDocument(text, { xmlMode: true });

/** The attributes of all elements of this name, in their order. */
const attributesOf = (document: ReturnType<typeof readXml>, name: string) =>
  DomUtils.getElementsByTagName(name, document).map(({ attribs }) => attribs);

it('replays a run with tools without the model and without effects, and says that it is the same', async () => {
  const { runId } = await run('tidy the notes');
  await rm(join(bench.gateway.workspace, 'made.txt'));
  const asked = bench.model.requests().length;
  const same = await replay(runId);
  expect(same).toMatchObject({ result: 'same', differences: [], replayed: { text: 'Tidied.' } });
  expect(same.requests.map(({ state }) => state)).toEqual(['same', 'same', 'same']);
  expect(same.calls.map(({ name, state, source }) => [name, state, source])).toEqual([
    ['read_file', 'same', 'record'],
    ['write_file', 'same', 'record'],
  ]);
  expect(same.replayed.usage).toEqual(same.recorded.usage);
  expect(bench.model.requests()).toHaveLength(asked);
  await expect(rm(join(bench.gateway.workspace, 'made.txt'))).rejects.toThrow('ENOENT');
  expect(await neta('replay', runId)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^same · default · recorded answers\n= read_file/),
  });
});

it('shows a changed prompt, and the answers stay the same', async () => {
  const { runId } = await run('tidy the notes');
  const file = join(bench.gateway.dataDir, 'prompt.txt');
  await writeFile(file, 'You are terse.');
  const { code, stdout } = await neta('replay', runId, '--prompt', file);
  expect(code).toBe(0);
  expect(stdout).toContain('1: request changed (prompt)');
  expect(stdout).toContain('+You are terse.');
  const other = await replay(runId, { agent: 'asker' });
  expect(other.requests[0]).toEqual({ state: 'changed', changed: ['prompt', 'tools'] });
  expect(other.result).toBe('same');
});

it('calls a model that is named, and shows its other answer and its other calls', async () => {
  const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
  bench.model.onTurn('count the beans', { text: 'One bean.', times: 1 });
  bench.model.onTurn('count the beans', list, ({ toolResults }) => `Two beans. ${toolResults[0]}`);
  const { runId } = await run('count the beans');
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const id = models.data[0]?.id ?? '';
  const { code, stdout } = await neta('replay', runId, '--model', id, '--json');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    result: 'different',
    differences: ['answer', 'calls'],
    model: id,
    requests: [{ state: 'same' }, { state: 'unrecorded' }],
    calls: [{ state: 'added', name: 'list_dir', source: 'none' }],
    answerDiff: expect.stringMatching(/-One bean\.\n(.*\n)*\+Two beans\. Not run: this is a replay/),
  });
  const live = await replay(runId, { model: id, liveTools: 'read' });
  expect(live.calls).toMatchObject([{ name: 'list_dir', source: 'live' }]);
  expect(live.replayed.text).toContain('notes.txt');
  expect(await replay(runId, { model: 'no-such-model' })).toMatchObject({ error: { code: 'not_found', param: '/model' } });
});

it('tells the model of a tool that is switched off while the replay goes on', async () => {
  const isReplay = ({ body }: ModelRequest) => body.messages[0]?.content === 'You look around.';
  const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }], pauseAfter: 0 };
  bench.model.onTurn(isReplay, list, ({ toolResults }) => `Saw: ${toolResults[0]}`);
  bench.model.onTurn('look around', 'Nothing.');
  const { runId } = await run('look around');
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const replaying = replay(runId, { model: models.data[0]?.id, prompt: 'You look around.', liveTools: 'read' });
  await bench.model.waitFor(isReplay);
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: false, reason: 'repairs' });
  bench.model.resume();
  const replayed = await replaying;
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: true });
  expect(replayed).toMatchObject({ result: 'different', replayed: { text: expect.stringMatching(/^Saw: .*list_dir: .*repairs/) } });
});

it('uses the recorded answer to a question, and the recorded report of a crew member', async () => {
  const { body: waiting } = await bench.rest.request<{ runId: string }>(
    'POST',
    '/runs',
    { input: 'paint it', clarify: 'wait' },
    { prefer: 'respond-async' },
  );
  const pending = () => bench.rest.request<PageBody<{ requestId: string }>>('GET', '/clarifications?status=pending');
  const { body: asked } = await until(pending, ({ body }) => body.data.length > 0);
  await bench.rest.request('POST', `/clarifications/${asked.data[0]?.requestId}`, { answer: 'deep blue' });
  await until(
    () => bench.rest.request<{ status: string }>('GET', `/runs/${waiting.runId}`),
    ({ body }) => body.status === 'completed',
  );
  const led = await run('lead the hunt');
  const handed = await run('paint it');
  const { body: children } = await bench.rest.request<PageBody<ChildRow>>('GET', `/runs?parent=${led.runId}`);
  const [child] = children.data;
  const history = [
    { role: 'user', content: 'tidy the notes' },
    { role: 'assistant', content: 'Not yet.' },
    { role: 'user', content: 'ring the bell' },
  ];
  const bell = { type: 'function', function: { name: 'ring', description: 'Rings.', parameters: { type: 'object', properties: {} } } };
  bench.model.onTurn('ring the bell', { toolCalls: [{ name: 'ring' }] });
  await bench.rest.request('POST', '//v1/chat/completions', { model: 'default', messages: history, tools: [bell] });
  const { body: newest } = await bench.rest.request<PageBody<{ runId: string }>>('GET', '/runs?limit=1');
  const count = bench.model.requests().length;
  const ring = newest.data[0]?.runId ?? '';
  const handedBack = await replay(ring);
  expect(handedBack).toMatchObject({ result: 'same', requests: [{ state: 'same' }], calls: [{ name: 'ring', state: 'same' }] });
  expect(await replay(child?.runId ?? '')).toMatchObject({ result: 'same', replayed: { text: 'Two mushrooms.' } });
  expect(await replay(waiting.runId)).toMatchObject({ result: 'same', replayed: { text: expect.stringContaining('deep blue') } });
  expect(await replay(led.runId)).toMatchObject({ result: 'same', calls: [{ name: 'delegate_task', source: 'record' }] });
  expect(await replay(handed.runId)).toMatchObject({ result: 'same', replayed: { text: expect.stringContaining('Which colour?') } });
  expect(bench.model.requests()).toHaveLength(count);
  const { body } = await bench.rest.request<{ data: Record<string, unknown>[] }>('POST', '/ops/replays', { last: 4 });
  expect(body.data.map(row => [row['runId'], row['result'], row['changedRequests']])).toEqual(
    [ring, handed.runId, led.runId, waiting.runId].map(id => [id, 'same', 0]),
  );
});

it('keeps runs as cases of a suite, which outlive the runs, and reports each check to CI servers', async () => {
  const { runId, sessionId } = await run('tidy the notes');
  const add = (...checks: string[]) => neta('suite', 'add', runId, '--name', 'regress', ...checks);
  expect(await add('--contains', 'TIDIED', '--calls', 'write_file', '--same-calls')).toMatchObject({ code: 0 });
  expect(await add('--title', 'A & <b>', '--contains', 'polished', '--calls', 'bash', '--cost-at-most', '0.01')).toMatchObject({ code: 0 });
  expect(await add('--judge', 'It says what was tidied.', '--same-answer')).toMatchObject({ code: 0 });
  await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  expect(await neta('replay', runId)).toMatchObject({ code: 1 });

  const file = join(bench.gateway.dataDir, 'report.xml');
  const { code, stdout } = await neta('suite', 'run', 'regress', '--junit', file);
  expect(code).toBe(1);
  expect(stdout).toContain('regress: 1 ✓ 2 ✗');
  const report = readXml(await readFile(file, 'utf8'));
  expect(attributesOf(report, 'testsuite')).toMatchObject([{ name: 'regress', tests: '3', failures: '2' }]);
  expect(attributesOf(report, 'testcase').map(({ name }) => name)).toEqual([
    `tidy the notes (${runId})`,
    `A & <b> (${runId})`,
    `tidy the notes (${runId})`,
  ]);
  expect(attributesOf(report, 'failure').map(({ message }) => message)).toEqual([
    'answer_contains "polished"; tool_called "bash"; cost_at_most "0.01"',
    'judge "It says what was tidied." (It says too little.)',
  ]);

  const { body: suites } = await bench.rest.request<{ data: object[] }>('GET', '/suites');
  expect(suites.data).toMatchObject([{ name: 'regress', cases: 3, passed: 1, failed: 2, ranAt: expect.any(String) }]);
  const { stdout: listed } = await neta('suite', 'list', 'regress', '--json');
  const ids = listed
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).id);
  await neta('suite', 'remove', 'regress', ids[1] ?? '');
  await neta('suite', 'remove', 'regress', ids[2] ?? '');
  expect(await neta('suite', 'run')).toMatchObject({ code: 0, stdout: expect.stringContaining('regress: 1 ✓ 0 ✗') });
  expect(await neta('suite', 'remove', 'regress')).toMatchObject({ code: 0 });
  expect((await bench.rest.request<{ data: object[] }>('GET', '/suites')).body.data).toEqual([]);
  expect(await neta('suite', 'add', 'run_unknown')).toMatchObject({ code: 1, stderr: expect.stringContaining('no such run') });
});

it('writes the JUnit report also when the command breaks off, with the cases that did not run as errors', async () => {
  const { runId } = await run('tidy the notes');
  for (const name of ['first', 'second']) await bench.rest.request('POST', '/suites', { runId, name, checks: { sameCalls: true } });
  const file = join(bench.gateway.dataDir, 'broken.xml');
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'));
  database.prepare("update suite_cases set recorded = '0' where suite = 'second'").run();
  database.close();
  expect(await neta('suite', 'run', '--junit', file)).toMatchObject({ code: 1 });
  const report = readXml(await readFile(file, 'utf8'));
  expect(attributesOf(report, 'testsuite')).toMatchObject([
    { name: 'first', tests: '1', errors: '0' },
    { name: 'second', tests: '1', errors: '1' },
  ]);
  expect(attributesOf(report, 'error')).toMatchObject([{ type: 'not_run', message: expect.stringMatching(/./) }]);
  await Promise.all(['first', 'second'].map(name => neta('suite', 'remove', name)));

  expect(await neta('suite', 'run', 'no-such-suite', '--junit', file)).toMatchObject({ code: 1 });
  expect(attributesOf(readXml(await readFile(file, 'utf8')), 'error')).toMatchObject([
    { message: expect.stringContaining('no such suite') },
  ]);
});

it('shows the prompt only to operators, and runs tools only for keys that may call tools', async () => {
  const { runId } = await run('tidy the notes');
  const asChatter = (body: object) => chatter?.request<ReplayBody & ErrorBody>('POST', `/runs/${runId}/replay`, body);
  const changed = await asChatter({ prompt: 'You are terse.' });
  expect(changed?.body.requests[0]).toEqual({ state: 'changed', changed: ['prompt'] });
  expect(changed?.body.promptDiff).toBeUndefined();
  expect((await replay(runId, { prompt: 'You are terse.' })).promptDiff).toContain('+You are terse.');
  expect(await asChatter({ liveTools: 'read' })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden', param: '/liveTools' } },
  });
});

it('counts the model calls of replays and judges in the usage, in the budget of the day and in the limits of runs', async () => {
  bench.model.onTurn(/"criterion":"It counts/, { text: '{"pass": true}', usage: { inputTokens: 300, outputTokens: 3 } });
  bench.model.onTurn('weigh the beans', { text: 'A gram.', usage: { inputTokens: 100, outputTokens: 1 } });
  const [weigher, hasty] = [WEIGHER, HASTY].map(secret => withKey(bench.gateway.url, secret)) as [RestClient, RestClient];
  const { runId } = (await weigher.run({ input: 'weigh the beans' })).body;
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const again = (client: RestClient) => client.request('POST', `/runs/${runId}/replay`, { model: models.data[0]?.id });
  const tokens = async () => {
    const { body } = await bench.rest.request<{ data: { key: string; inputTokens: number }[] }>('GET', '/usage?by=key');
    return body.data.find(({ key }) => key === 'weigher')?.inputTokens;
  };
  expect(await again(weigher)).toMatchObject({ body: { result: 'same' } });
  expect(await tokens()).toBe(200);
  await weigher.request('POST', '/suites', { runId, name: 'weights', checks: { judge: 'It counts.' } });
  expect(await weigher.request('POST', '/suites/weights/run', {})).toMatchObject({ body: { passed: 1 } });
  expect(await tokens()).toBe(500);
  expect(await again(weigher)).toMatchObject({ status: 429, body: { error: { code: 'quota_exceeded' } } });
  expect(await again(hasty)).toMatchObject({ body: { result: 'same' } });
  expect(await again(hasty)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
});

it('counts a replay that calls a model as an active run: in the limits, for operators and while the gateway pauses new runs', async () => {
  const single = withKey(bench.gateway.url, SINGLE);
  bench.model.onTurn('peel the pears', { text: 'Peeled.', times: 1 });
  bench.model.onTurn('peel the pears', { text: 'Peeled slowly.', pauseAfter: 0 });
  bench.model.onTurn('slice the pears', 'Sliced.');
  const { runId } = (await single.run({ input: 'peel the pears' })).body;
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const replayed = () => single.request<ReplayBody & ErrorBody>('POST', `/runs/${runId}/replay`, { model: models.data[0]?.id });
  const count = bench.model.requests().length;
  const first = replayed();
  await until(async () => bench.model.requests().length > count);
  const overview = async () => (await bench.rest.request<{ live: { replays: number } }>('GET', '/ops/overview')).body.live.replays;
  expect(await overview()).toBe(1);
  expect(await replayed()).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  const { body: queued } = await single.request<{ runId: string; status: string }>(
    'POST',
    '/runs',
    { input: 'slice the pears' },
    { prefer: 'respond-async' },
  );
  expect(queued.status).toBe('queued');
  await bench.rest.request('POST', '/ops/accepting', { accepting: false, reason: 'repairs' });
  const other = await bench.rest.request('POST', `/runs/${runId}/replay`, { model: models.data[0]?.id });
  expect(other).toMatchObject({ status: 503, body: { error: { code: 'not_accepting' } } });
  await bench.rest.request('POST', '/ops/accepting', { accepting: true });
  bench.model.resume();
  expect(await first).toMatchObject({ body: { replayed: { text: 'Peeled slowly.' } } });
  expect(await overview()).toBe(0);
  await until(
    () => single.request<{ status: string }>('GET', `/runs/${queued.runId}`),
    ({ body }) => body.status === 'completed',
  );
});

it('replays once per idempotency key, also for a request that joins another and for one that comes back later', async () => {
  bench.model.onTurn('pick the plums', { text: 'Picked.', times: 1 });
  bench.model.onTurn('pick the plums', { text: 'Picked slowly.', pauseAfter: 0, times: 1 });
  const { runId } = await run('pick the plums');
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const asked = (model: string | undefined, headers = { 'idempotency-key': 'plums' }) =>
    bench.rest.request<ReplayBody & ErrorBody>('POST', `/runs/${runId}/replay`, { model }, headers);
  expect(await asked('no-such-model')).toMatchObject({ status: 404 });
  const id = models.data[0]?.id;
  const other = { 'idempotency-key': 'more plums' };
  const count = bench.model.requests().length;
  const both = [asked(id, other), asked(id, other)];
  await until(async () => bench.model.requests().length > count);
  bench.model.resume();
  const answers = await Promise.all(both);
  const later = await asked(id, other);
  for (const { body } of [...answers, later]) expect(body.replayed.text).toBe('Picked slowly.');
  expect([...answers, later].map(({ headers }) => headers.get('idempotency-replayed')).sort()).toEqual([null, 'true', 'true']);
  expect(bench.model.requests()).toHaveLength(count + 1);
  expect(await asked(undefined, other)).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } });
});

it('frees the key of a refused replay, and stops a replay that all its callers have left', async () => {
  bench.model.onTurn('dry the figs', { text: 'Dried.', times: 1 });
  bench.model.onTurn('dry the figs', { text: 'Dried at last.', pauseAfter: 0 });
  const { runId } = await run('dry the figs');
  const { body: models } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/models');
  const key = { 'idempotency-key': 'figs' };
  await bench.rest.request('POST', '/ops/accepting', { accepting: false, reason: 'repairs' });
  const body = { model: models.data[0]?.id };
  expect(await bench.rest.request('POST', `/runs/${runId}/replay`, body, key)).toMatchObject({ status: 503 });
  await bench.rest.request('POST', '/ops/accepting', { accepting: true });
  const count = bench.model.requests().length;
  const leave = new AbortController();
  const left = fetch(`${bench.gateway.url}/api/v1/runs/${runId}/replay`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` },
    body: JSON.stringify(body),
    signal: leave.signal,
  }).catch(() => undefined);
  await until(async () => bench.model.requests().length > count);
  leave.abort();
  await left;
  const overview = async () => (await bench.rest.request<{ live: { replays: number } }>('GET', '/ops/overview')).body.live.replays;
  expect(await overview()).toBe(1);
  await until(async () => (await overview()) === 0);
  bench.model.resume();
});

it('runs one case of a suite again, and records changes and runs of suites in the audit log', async () => {
  const { runId, sessionId } = await run('tidy the notes');
  const { body: first } = await bench.rest.request<{ id: string; sessionId: string }>('POST', '/suites', { runId, name: 'noted' });
  await bench.rest.request('POST', '/suites', { runId, name: 'noted', checks: { answerContains: ['polished'] } });
  expect(first.sessionId).toBe(sessionId);
  const again = await bench.rest.request('POST', `/suites/noted/cases/${first.id}/run`, {});
  expect(again.body).toMatchObject({ name: 'noted', passed: 1, failed: 0, cases: [{ caseId: first.id }] });
  expect(await bench.rest.request('POST', '/suites/noted/cases/cas_unknown/run', {})).toMatchObject({ status: 404 });
  expect(await neta('suite', 'run', 'noted', first.id)).toMatchObject({ code: 0, stdout: expect.stringContaining('noted: 1 ✓ 0 ✗') });
  await bench.rest.request('DELETE', `/suites/noted/cases/${first.id}`);
  await bench.rest.request('DELETE', '/suites/noted');
  const { body } = await bench.rest.request<{ data: { action: string; target: string; details: object }[] }>('GET', '/audit?limit=50');
  const rows = body.data.filter(({ target }) => target === 'noted').reverse();
  expect(rows.map(({ action }) => action)).toEqual(['suite.add', 'suite.add', 'suite.run', 'suite.run', 'suite.remove', 'suite.delete']);
  expect(rows[0]?.details).toMatchObject({ caseId: first.id, runId });
});

it('names the limit when a suite or a tenant has as many cases as it may have', async () => {
  const { runId } = await run('tidy the notes');
  await bench.rest.request('POST', '/suites', { runId, name: 'full' });
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'));
  const fill = (names: string, count: number) =>
    database
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) insert into suite_cases
         (tenant_id, id, suite, title, run_id, agent, checks, recorded, key_name, created_at)
         select tenant_id, 'fill_' || lower(hex(randomblob(8))), ${names}, title, run_id, agent, checks, recorded, key_name, created_at from n, suite_cases where suite = 'full' and id not like 'fill_%'`,
      )
      .run(count);
  const added = (name: string) => bench.rest.request<ErrorBody>('POST', '/suites', { runId, name });
  try {
    fill("'full'", 199);
    expect(await added('full')).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded', message: expect.stringContaining('at most 200 cases') } },
    });
    fill("'s' || i", 99);
    expect((await added('one-more')).body.error?.message).toContain('at most 100 suites');
    fill("'s1'", 201);
    expect((await added('s2')).body.error?.message).toContain('at most 500 cases');
  } finally {
    database.prepare('delete from suite_cases').run();
    database.close();
  }
});

it('replays the newest runs of the own tenant only, for operators that are no admins', async () => {
  const foreign = await run('tidy the notes');
  const lastFor = async (client: RestClient | undefined) =>
    (await client?.request<{ data: { runId: string }[] }>('POST', '/ops/replays', { last: 2 }))?.body.data;
  expect(await lastFor(acmeOps)).toEqual([]);
  const own = (await acmeOps?.run({ input: 'tidy the notes' }))?.body.runId;
  expect(await lastFor(acmeOps)).toMatchObject([{ tenantId: 'acme', runId: own }]);
  expect(await lastFor(bench.rest)).toMatchObject([{ runId: own }, { runId: foreign.runId }]);
});

it('keeps no run of a temporary chat as a case', async () => {
  const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', { temporary: true });
  const { body } = await bench.rest.run({ input: 'tidy the notes', sessionId: session.id });
  const added = await bench.rest.request('POST', '/suites', { runId: body.runId, name: 'secret' });
  expect(added).toMatchObject({ status: 403, body: { error: { code: 'forbidden', param: '/runId' } } });
});

it('gives the results of all cases although the judge of one fails', async () => {
  const { runId } = await run('tidy the notes');
  for (const checks of [{ judge: 'It breaks.' }, { sameAnswer: true }])
    await bench.rest.request('POST', '/suites', { runId, name: 'judged', checks });
  const { body } = await bench.rest.request('POST', '/suites/judged/run', {});
  const failed = { check: 'judge', passed: false, expected: 'It breaks.', found: expect.stringContaining('no judging today') };
  expect(body).toMatchObject({ passed: 1, failed: 1, cases: [{ checks: [{ passed: true }, failed] }, { passed: true }] });
});

it('says what is missing when a run has no recording', async () => {
  const { runId } = await run('tidy the notes');
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'));
  database.prepare("update runs set recording = '{}' where id = ?").run(runId);
  const { body } = await bench.rest.request('POST', '/ops/replays', { last: 2 });
  expect(body).toMatchObject({ data: [{ runId, result: 'failed', error: 'internal' }, { result: 'same' }] });
  database.prepare('update runs set recording = null where id = ?').run(runId);
  database.close();
  const { code, stderr } = await neta('replay', runId);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no recording')]);
  expect(await neta('replay', 'run_unknown')).toMatchObject({ code: 1, stderr: expect.stringContaining('no such run') });
});

it('lets an operator of all tenants replay a run of another tenant, whose audit log names the reader', async () => {
  const { runId } = (await acmeOps?.run({ input: 'tidy the notes' }))?.body ?? { runId: '' };
  const asOperator = (client: RestClient | undefined, body = {}) =>
    client?.request<ReplayBody & ErrorBody>('POST', `/ops/runs/${runId}/replay`, body);
  expect(await asOperator(bench.rest)).toMatchObject({ body: { result: 'same', replayed: { text: 'Tidied.' } } });
  expect(await asOperator(bench.rest, { liveTools: 'read' })).toMatchObject({
    body: { error: { code: 'forbidden', param: '/liveTools' } },
  });
  expect(await asOperator(chatter)).toMatchObject({ status: 403 });
  expect(await replay(runId)).toMatchObject({ error: { code: 'not_found' } });
  const { body } = await bench.rest.request<{ data: object[] }>('GET', '/audit?action=session.read&tenant=acme');
  expect(body.data).toContainEqual(expect.objectContaining({ action: 'session.read', target: runId }));
});
