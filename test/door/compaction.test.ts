/** A session that fills the context window goes on with a summary of its older turns (beaver.limits). */
import type { RunEvent } from '../../src/port/run_event';
import { historyProblem } from '../../src/runtime/history';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { MockModel, ModelRequest, ScriptedAnswer, ScriptedError } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';

const WINDOW = 20_000;
/** About 1,200 tokens. */
const LONG = 'The beans grow along the wall of the shed. '.repeat(120);
const SUMMARY = '## Goals\nA garden plan.\n## Open\nWater the beans.';

const isSummaryCall = ({ body }: ModelRequest) => /^You write the summary|^请为一个用户/.test(body.messages[0]?.content ?? '');

const contentsOf = ({ body }: ModelRequest) => body.messages.map(message => message.content ?? '');

let config: AgentConfig;
let bench: AgentBench;

/** How the model answers the call for a summary when the conversation holds these words. */
const FAILURES: Record<string, string | ScriptedAnswer | ScriptedError> = {
  'fails with an error': { error: { status: 400, message: 'no summaries here' } },
  'answers with nothing': { text: ' \n ' },
  'answers with a call': { toolCalls: [{ name: 'read_file', arguments: { path: 'a' } }] },
  'writes more than it replaces': 'Beans. '.repeat(20_000),
  'is stopped by the content filter': { text: 'Be', finishReason: 'content_filter' },
};

/** Returns the number of the last file that a call of the conversation names; 0 without a call. A crash may repeat a call, so requests do not count. */
function lastFileOf({ body }: ModelRequest): number {
  const [call] = body.messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).slice(-1);
  return Number(/big\/(\d+)/.exec(call?.function.arguments ?? '')?.[1] ?? 0);
}

/** Scripts the turns of these tests. */
function scriptTurns(model: MockModel): void {
  for (const words of ['pauses, cancel', 'pauses, kill']) {
    const isPaused = (request: ModelRequest) => isSummaryCall(request) && request.userText.includes(words);
    model.onTurn(isPaused, { text: SUMMARY, pauseAfter: 0, times: 1 });
  }
  model.onTurn(isSummaryCall, ({ userText }) => FAILURES[Object.keys(FAILURES).find(way => userText.includes(way)) ?? ''] ?? SUMMARY);
  const read = (request: ModelRequest): string | ScriptedAnswer => {
    const path = `big/${lastFileOf(request) + 1}.txt`;
    const usage = { inputTokens: Math.ceil(JSON.stringify(request.body).length / 4.5), outputTokens: 10 };
    if (request.toolResults.join().includes('END OF BEDS')) return { text: 'All read.', usage };
    return { toolCalls: [{ name: 'read_file', arguments: { path } }], usage };
  };
  model.onTurn('read all', ...Array.from({ length: 20 }, () => read));
  const todos = [{ id: '1', content: 'Dig the bed', status: 'in_progress' }];
  model.onTurn(
    'plan the garden',
    { toolCalls: [{ name: 'todo', arguments: { todos } }] },
    { toolCalls: [{ name: 'read_file', arguments: { path: 'notes/beds.txt' } }] },
    'Planned.',
  );
  model.onTurn(/^turn \d+/, request => `Done with ${request.userText.slice(0, 8).trim()}.`);
}

beforeAll(async () => {
  config = await createAgentConfig(['base', 'planning', 'interaction']);
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_CONTEXT_TOKENS: String(WINDOW) },
    files: {
      'notes/beds.txt': 'Two beds.\n',
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [`big/${i + 1}.txt`, `${LONG.replaceAll('. ', '.\n')}\n${i === 11 ? 'END OF BEDS\n' : ''}`]),
      ),
    },
  });
  scriptTurns(bench.model);
});

afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

type Compacted = Extract<RunEvent, { type: 'context_compacted' }>;

async function eventsOf(runId: string): Promise<RunEvent[]> {
  const { body } = await bench.rest.request<PageBody<RunEvent>>('GET', `/runs/${runId}/events`);
  return body.data;
}

const compactedIn = (events: readonly RunEvent[]) => events.filter((event): event is Compacted => event.type === 'context_compacted');

/** Sends one message and resolves with the session and the run. */
type Send = (text: string, sessionId?: string) => Promise<{ sessionId: string; runId: string }>;

const DOORS: Record<string, () => Promise<Send>> = {
  REST: async () => async (input, sessionId) => {
    const { body } = await bench.rest.run({ input, ...(sessionId && { sessionId }) });
    expect(body.status).toBe('completed');
    return body;
  },
  'Socket.IO': async () => {
    const client = await bench.connect();
    return async (text, sessionId) => {
      const run = await client.chat(text, { ...(sessionId && { sessionId }) });
      expect((await client.endOf(run.runId)).data.status).toBe('completed');
      return run;
    };
  },
};

/** Sends turns until one of them was compacted. */
async function sendUntilCompacted(send: Send, sessionId: string) {
  for (let i = 1; i < 30; i++) {
    const input = `turn ${i} ${LONG}`;
    const { runId } = await send(input, sessionId);
    const [compacted] = compactedIn(await eventsOf(runId));
    if (compacted) return { compacted, runId, turns: i };
  }
  throw new Error('no turn was compacted');
}

/** Starts a session whose next turn asks for a summary; `words` are in its first message. */
async function fillSession(words: string): Promise<string> {
  const send = (await DOORS['REST']?.()) as Send;
  const { sessionId } = await send(`turn 0 ${words}`);
  for (let i = 1; i <= 8; i++) await send(`turn ${i} ${LONG}`, sessionId);
  expect(bench.model.requests(request => isSummaryCall(request) && request.userText.includes(words))).toHaveLength(0);
  return sessionId;
}

const summaryCallsFor = (words: string) => bench.model.requests(request => isSummaryCall(request) && request.userText.includes(words));

describe.each(Object.keys(DOORS))('over %s', door => {
  it('summarises older turns once when the window is three quarters full, and keeps plan, files and the last turns', async () => {
    const send = (await DOORS[door]?.()) as Send;
    const { sessionId } = await send('plan the garden');
    const before = bench.model.requests(isSummaryCall).length;
    const { compacted, runId, turns } = await sendUntilCompacted(send, sessionId);
    expect(bench.model.requests(isSummaryCall)).toHaveLength(before + 1);
    const { beforeTokens, afterTokens, messages, summary } = compacted.data;
    expect(beforeTokens).toBeGreaterThan(WINDOW * 0.75);
    expect(beforeTokens).toBeLessThan(WINDOW);
    expect(afterTokens).toBeLessThan(WINDOW / 2);
    expect(messages).toBeGreaterThan(6);
    expect(summary).toBe(`${SUMMARY}\n\n## Plan as it stood\n- [in_progress] Dig the bed\n## Files named in calls\n- notes/beds.txt`);

    const last = bench.model.requests(`turn ${turns} `).at(-1) as ModelRequest;
    const [prompt, first, accepted, ...rest] = contentsOf(last);
    expect(prompt).not.toContain('left out');
    expect(first).toContain(`<conversation_summary>\n${summary}\n</conversation_summary>`);
    // Some servers demand alternating roles.
    expect(accepted).toBe('[I go on from this summary.]');
    expect(rest.at(-1)).toBe(`turn ${turns} ${LONG}`);
    expect(rest.slice(0, 2)).toEqual([expect.stringMatching(/^turn \d+ The beans/), expect.stringMatching(/^Done with turn/)]);
    // The replay writes no summary, and this is no difference.
    expect((await bench.rest.request('POST', `/runs/${runId}/replay`, {})).body).toMatchObject({ result: 'same', differences: [] });
    expect(rest.join()).not.toContain('plan the garden');

    // The next turn begins with the same summary, also in a process that has cached nothing.
    await send(`turn 0 once more`, sessionId);
    expect(contentsOf(bench.model.requests('turn 0').at(-1) as ModelRequest).slice(1, 2)).toEqual([first]);
    const history = await bench.rest.history(sessionId);
    expect(history.filter(message => message.role === 'user')).toHaveLength(turns + 2);
    // The tokens of the summary count.
    const events = await eventsOf(runId);
    const used = events.flatMap(event => (event.type === 'usage' ? [event.data.inputTokens] : []));
    expect(used).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { usage: { inputTokens: (used[0] ?? 0) + (used[1] ?? 0) } } });
  });
});

describe('a summary that fails', () => {
  it.each(Object.keys(FAILURES))(
    'because the model %s leaves out whole turns, is not repeated soon, and the run completes',
    async way => {
      const send = (await DOORS['REST']?.()) as Send;
      const { sessionId } = await send(`turn 0 ${way}`);
      let runId = '';
      for (let i = 1; i <= 14; i++) {
        ({ runId } = await send(`turn ${i} ${LONG}`, sessionId));
        expect(compactedIn(await eventsOf(runId))).toEqual([]);
      }
      expect(summaryCallsFor(way)).toHaveLength(1);
      const [prompt, ...sent] = contentsOf(bench.model.requests('turn 14 ').at(-1) as ModelRequest);
      expect(prompt).toContain('left out');
      expect(sent.length).toBeGreaterThan(6);
      expect(sent[0]).toMatch(/^turn \d+ The beans/);
      expect(bench.gateway.output()).toContain('a conversation was not summarised');
    },
    60_000,
  );
});

describe('while the summary is written', () => {
  const words = (name: string) => `the summary pauses, ${name}`;

  it('a cancel ends the run and closes the connection, and the session goes on', async () => {
    const sessionId = await fillSession(words('cancel'));
    const client = await bench.connect();
    const { runId } = await client.chat(`turn 9 ${LONG}${LONG}${LONG}`, { sessionId });
    const call = await bench.model.waitFor(request => isSummaryCall(request) && request.userText.includes(words('cancel')));
    await client.send({ type: 'cancel', runId });
    expect((await client.endOf(runId)).data.status).toBe('cancelled');
    expect(await call.ended).toBe('hung_up');
    expect(compactedIn(await eventsOf(runId))).toEqual([]);
    const next = await client.chat('turn 10', { sessionId });
    await bench.model.waitFor(request => isSummaryCall(request) && request !== call && request.userText.includes(words('cancel')));
    expect((await client.endOf(next.runId)).data).toMatchObject({ status: 'completed', text: 'Done with turn 10.' });
    expect(compactedIn(await eventsOf(next.runId))).toHaveLength(1);
  });

  it('kill -9 loses nothing: the next process writes it again, and the log has one event', async () => {
    const sessionId = await fillSession(words('kill'));
    const client = await bench.connect();
    const { runId } = await client.chat(`turn 9 ${LONG}${LONG}${LONG}`, { sessionId });
    const call = await bench.model.waitFor(request => isSummaryCall(request) && request.userText.includes(words('kill')));
    await bench.gateway.restart();
    await bench.model.waitFor(request => isSummaryCall(request) && request !== call && request.userText.includes(words('kill')));
    const again = await bench.connect();
    await again.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    expect((await again.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'Done with turn 9 T.' });
    expect(compactedIn(again.eventsOf(runId))).toHaveLength(1);
    // A process that has cached nothing begins with the stored summary.
    await bench.gateway.restart();
    const { body } = await bench.rest.run({ input: 'turn 10', sessionId });
    expect(body.status).toBe('completed');
    expect(summaryCallsFor(words('kill'))).toHaveLength(2);
    expect(contentsOf(bench.model.requests('turn 10').at(-1) as ModelRequest)[1]).toContain(SUMMARY);
  });
});

describe('a run that fills the window with results of tools', () => {
  it('is compacted between two attempts, keeps its request, and goes on', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat('read all of it, please');
    expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'All read.' });
    const compacted = compactedIn(client.eventsOf(runId));
    expect(compacted.length).toBeGreaterThan(0);
    expect(compacted[0]?.data.summary).toMatch(/## Files named in calls\n- big\/1\.txt\n- big\/2\.txt/);
    const requests = bench.model.requests(({ userText }) => userText === 'read all of it, please');
    expect(requests).toHaveLength(13);
    for (const { body } of requests) {
      expect(historyProblem(body.messages.slice(1))).toBeUndefined();
      expect(body.messages.filter(message => message.content === 'read all of it, please')).toHaveLength(1);
    }
    expect(requests.at(-1)?.body.messages.slice(1, 5)).toMatchObject([
      { role: 'user', content: expect.stringContaining('<conversation_summary>') },
      { role: 'assistant', content: '[I go on from this summary.]' },
      { role: 'user', content: 'read all of it, please' },
      { role: 'assistant', tool_calls: [{}] },
    ]);
    // The next turn begins inside the turn before it, with the same summary.
    await bench.rest.run({ input: 'turn 20', sessionId });
    const next = bench.model.requests('turn 20').at(-1) as ModelRequest;
    expect(next.body.messages[1]).toEqual(requests.at(-1)?.body.messages[1]);
    expect(next.body.messages[2]).toMatchObject({ role: 'assistant' });
    expect(historyProblem(next.body.messages.slice(1))).toBeUndefined();
    expect(await bench.rest.history(sessionId)).toHaveLength(1 + 12 * 2 + 1 + 2);
  });
});

describe('kill -9 after a compaction in the middle of a run', () => {
  it('continues with the stored summary, and compacts nothing twice', async () => {
    const text = 'read all of it, and crash';
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat(text);
    await client.waitFor('context_compacted', event => event.runId === runId);
    await bench.gateway.restart();
    const again = await bench.connect();
    await again.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    expect((await again.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'All read.' });
    expect(summaryCallsFor(text)).toHaveLength(compactedIn(again.eventsOf(runId)).length);
    const requests = bench.model.requests(({ userText }) => userText === text);
    for (const { body } of requests) expect(historyProblem(body.messages.slice(1))).toBeUndefined();
    expect(contentsOf(requests.at(-1) as ModelRequest)[1]).toContain('<conversation_summary>');
    const calls = (await bench.rest.history(sessionId)).flatMap(message => message.toolCalls ?? []);
    expect(new Set(calls.map(call => call.arguments)).size).toBe(calls.length);
    expect(calls.length).toBeGreaterThan(9);
  });
});

describe('a fork', () => {
  it('takes the summary along, and deleting the session leaves it with the fork', async () => {
    const send = (await DOORS['REST']?.()) as Send;
    const { sessionId } = await send('turn 0 of the forked one');
    const { compacted } = await sendUntilCompacted(send, sessionId);
    const calls = bench.model.requests(isSummaryCall).length;
    const { body: fork } = await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`, {});
    await bench.rest.request('DELETE', `/sessions/${sessionId}`);
    await send('turn 77 in the fork', fork.id);
    expect(contentsOf(bench.model.requests('turn 77').at(-1) as ModelRequest)[1]).toContain(compacted.data.summary);
    expect(bench.model.requests(isSummaryCall)).toHaveLength(calls);
  });
});

describe('a session without end', () => {
  let long: AgentBench;

  beforeAll(async () => {
    long = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
    scriptTurns(long.model);
  });
  afterAll(() => long?.stop());

  async function runTurns(count: number, text: string) {
    let sessionId: string | undefined;
    for (let i = 1; i <= count; i++) {
      const { body } = await long.rest.run({ input: `turn ${i} ${text}`, ...(sessionId && { sessionId }) });
      expect(body).toMatchObject({ status: 'completed' });
      sessionId = body.sessionId;
    }
    return sessionId ?? '';
  }

  it('of 500 messages gets a summary instead of losing its oldest turns', async () => {
    const sessionId = await runTurns(250, 'short');
    expect(long.model.requests(isSummaryCall)).toHaveLength(1);
    const sent = long.model.requests('turn 250 ').at(-1) as ModelRequest;
    expect(sent.body.messages.length).toBeLessThan(402);
    expect(contentsOf(sent)[1]).toContain(SUMMARY);
    const { body } = await long.rest.request<PageBody<unknown>>('GET', `/sessions/${sessionId}/messages?limit=1000`);
    expect(body.data).toHaveLength(500);
  }, 120_000);

  it('of a million tokens goes on, and no request is larger than the window', async () => {
    const before = long.model.requests(isSummaryCall).length;
    // About 38,000 tokens a turn.
    await runTurns(27, 'The beans grow along the wall of the shed. '.repeat(4_400));
    const calls = long.model.requests(isSummaryCall).slice(before);
    expect(calls.length).toBeGreaterThan(5);
    for (const { body } of [...calls, ...long.model.requests('turn 27 ')]) {
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(128_000 * 5);
    }
  }, 120_000);
});
