/** Recorded runs are replayed offline and compared, over REST and with `neta replay`. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomUtils, parseDocument } from 'htmlparser2';
import { type CrewBench, delegate, startCrewBench } from '../support/crew_bench';
import type { PageBody } from '../support/rest_client';
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

const PROGRAM = join(__dirname, '../../scripts/neta.mjs');

let bench: CrewBench;

beforeAll(async () => {
  bench = await startCrewBench({ files: { 'notes.txt': 'beans\n' } });
  const { model } = bench;
  const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] };
  const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'made\n' } }] };
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
    const env = { PATH: process.env['PATH'] ?? '', LANG: 'C', NETA_URL: bench.gateway.url };
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
  const [child] = await bench.childrenOf(led.runId);
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

it('says what is missing when a run has no recording', async () => {
  const { runId } = await run('tidy the notes');
  const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'));
  database.prepare('update runs set recording = null where id = ?').run(runId);
  database.close();
  const { code, stderr } = await neta('replay', runId);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no recording')]);
  expect(await neta('replay', 'run_unknown')).toMatchObject({ code: 1, stderr: expect.stringContaining('no such run') });
});
