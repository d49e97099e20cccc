/** Requests of one session begin with the same bytes, so that a model server's prompt cache holds from turn to turn. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatMessage } from '../../src/port/llm';
import type { AgentBench } from '../support/agent_bench';
import { startCrewBench } from '../support/crew_bench';
import type { ModelRequest } from '../support/mock_model';

const MINUTE_MS = 60_000;
const LONG = 'The beans grow along the wall of the shed. '.repeat(120);
const SENT = /^\[Sent: UTC (\d{4}-\d\d-\d\d \d\d:\d\d); Local [^;]+; Zone [^\]]+\]\n/;

let bench: AgentBench;
let folder: string;
let aheadMs = 0;

/** Puts the clock of the gateway ahead of where it stands. */
async function passMinutes(minutes: number): Promise<void> {
  aheadMs += minutes * MINUTE_MS;
  await writeFile(join(folder, 'clock'), String(aheadMs));
}
const passAnHour = () => passMinutes(60);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neta-clock-'));
  bench = await startCrewBench({
    env: {
      NODE_OPTIONS: `--require ${join(__dirname, '../support/shifted_clock.cjs')}`,
      NETA_TEST_CLOCK_FILE: join(folder, 'clock'),
      NETA_CONTEXT_TOKENS: '30000',
    },
    files: { 'notes.txt': 'beans\n' },
  });
  const isSummary = ({ body }: ModelRequest) => /^You write the summary/.test(body.messages[0]?.content ?? '');
  bench.model.onTurn(isSummary, '## Goals\nA garden plan.');
  bench.model.onTurn('read', { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, 'Beans.');
  bench.model.onTurn('hang', { text: 'never', pauseAfter: 0, times: 1 });
  bench.model.onTurn('hang', 'resumed');
  bench.model.onTurn(
    ({ userText, body }) => userText.endsWith('delegate it') && !isTask(body.messages),
    {
      toolCalls: [{ name: 'delegate_task', arguments: { member: 'scout', task: 'count the beans' } }],
    },
    'Delegated.',
  );
  bench.model.onTurn('count the beans', 'Two beans.');
  bench.model.onTurn(/turn|delegate/, request => `Done ${request.userText.slice(-8)}.`);
});

afterAll(async () => {
  await bench?.stop();
  await rm(folder, { recursive: true, force: true });
});

const isTask = (messages: readonly ChatMessage[]) =>
  messages.length > 0 && (messages[0]?.content ?? '').includes('You are a member of a crew');

async function say(input: string, sessionId?: string): Promise<{ sessionId: string; runId: string }> {
  const { body } = await bench.rest.run({ input, ...(sessionId !== undefined && { sessionId }) });
  expect(body).toMatchObject({ status: 'completed' });
  return body;
}

/** The newest request of a turn with this text. */
const lastRequest = (text: string): ModelRequest => {
  const found = bench.model.requests(text).at(-1);
  if (!found) throw new Error(`no request for ${text}`);
  return found;
};

/** The request is the earlier one with messages behind it, byte for byte. */
function expectPrefix(earlier: ModelRequest, later: ModelRequest): void {
  const [before, after] = [earlier, later].map(({ body }) => JSON.stringify(body.messages)) as [string, string];
  expect(after.slice(0, before.length - 1)).toBe(before.slice(0, -1));
  expect(JSON.stringify(later.body.tools)).toBe(JSON.stringify(earlier.body.tools));
}

const newest = ({ body }: ModelRequest): string => body.messages.findLast(({ role }) => role === 'user')?.content ?? '';

describe('the requests of a session', () => {
  it('share their bytes up to the new message, an hour and a restart apart (beaver.runtime_context)', async () => {
    const { sessionId } = await say('read turn 1');
    const first = lastRequest('read turn 1');
    expect(first.body.messages[0]?.content?.split('\n\n').at(-1)).toMatch(
      /^# Time\n.+\n- UTC: \d{4}-\d\d-\d\d \d\d:\d\d\n- Local: .+\n- Zone: .+$/,
    );
    expect(newest(first)).toBe('read turn 1');

    await passAnHour();
    await say('turn 2', sessionId);
    const second = lastRequest('turn 2');
    expectPrefix(first, second);
    expect(newest(second)).toMatch(SENT);
    expect(newest(second).replace(SENT, '')).toBe('turn 2');
    const sent = Date.parse(`${SENT.exec(newest(second))?.[1]?.replace(' ', 'T')}Z`);
    expect(Math.abs(Date.now() + aheadMs - sent)).toBeLessThan(3 * MINUTE_MS);

    await bench.gateway.restart();
    await passAnHour();
    await say('turn 3', sessionId);
    expectPrefix(second, lastRequest('turn 3'));
    // People see what was written.
    expect((await bench.rest.history(sessionId)).filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'read turn 1',
      'turn 2',
      'turn 3',
    ]);
  });

  it('stay the same for a run that is resumed after kill -9', async () => {
    const { sessionId } = await say('turn 1');
    await passAnHour();
    await bench.rest.request('POST', '/runs', { input: 'hang on', sessionId }, { prefer: 'respond-async' });
    const before = await bench.model.waitFor('hang on');
    await bench.gateway.kill();
    // Well within the time limit of the run.
    await passMinutes(2);
    await bench.gateway.restart();
    const after = await bench.model.waitFor(request => request !== before && request.userText.includes('hang on'));
    expect(after.body.messages).toEqual(before.body.messages);
  });

  it('share their bytes behind a summary', async () => {
    let { sessionId } = await say(`turn 1 ${LONG}`);
    for (let i = 2; i < 30; i++) ({ sessionId } = await say(`turn ${i} ${LONG}`, sessionId));
    await passAnHour();
    await say('turn before', sessionId);
    const before = lastRequest('turn before');
    expect(JSON.stringify(before.body.messages)).toContain('conversation_summary');
    await passAnHour();
    await say('turn behind', sessionId);
    expectPrefix(before, lastRequest('turn behind'));
    expect(before.body.messages.slice(1, 4).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('hold the time of a child in its own prompt, and do not change in its parent', async () => {
    const { sessionId } = await say('turn 1');
    await passAnHour();
    await say('delegate it', sessionId);
    const delegated = lastRequest('delegate it');
    const child = lastRequest('count the beans');
    expect(newest(child)).not.toMatch(SENT);
    const hour = new Date(Date.now() + aheadMs).toISOString().slice(0, 13).replace('T', ' ');
    const earlier = new Date(Date.now() + aheadMs - MINUTE_MS).toISOString().slice(0, 13).replace('T', ' ');
    expect([`- UTC: ${hour}`, `- UTC: ${earlier}`].some(text => child.body.messages[0]?.content?.includes(text))).toBe(true);
    await passAnHour();
    await say('turn 3', sessionId);
    expectPrefix(delegated, lastRequest('turn 3'));
  });
});

describe('two messages of a person in a row', () => {
  it('have an answer between them for the model, behind a prefix that stays, and not in the history', async () => {
    bench.model.onTurn('wait for ever', { text: 'never', pauseAfter: 0, times: 1 });
    const start = { input: 'wait for ever' };
    const { body: first } = await bench.rest.request<{ runId: string; sessionId: string }>('POST', '/runs', start, {
      prefer: 'respond-async',
    });
    const before = await bench.model.waitFor('wait for ever');
    await bench.rest.request('POST', `/runs/${first.runId}/cancel`);
    await say('and turn 2', first.sessionId);
    const after = lastRequest('and turn 2');
    expectPrefix(before, after);
    expect(after.body.messages.slice(1)).toEqual([
      { role: 'user', content: 'wait for ever' },
      { role: 'assistant', content: '[The message above got no answer.]' },
      { role: 'user', content: 'and turn 2' },
    ]);
    const history = await bench.rest.history(first.sessionId);
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'wait for ever'],
      ['user', 'and turn 2'],
      ['assistant', expect.any(String)],
    ]);
  });
});
