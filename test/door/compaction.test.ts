/** A session that fills the context window goes on with a summary of its older turns (beaver.limits). */
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { MockModel, ModelRequest } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';

const WINDOW = 20_000;
/** About 1,200 tokens. */
const LONG = 'The beans grow along the wall of the shed. '.repeat(120);
const SUMMARY = '## Goals\nA garden plan.\n## Open\nWater the beans.';

const isSummaryCall = ({ body }: ModelRequest) => /^You write the summary|^请为一个用户/.test(body.messages[0]?.content ?? '');

const contentsOf = ({ body }: ModelRequest) => body.messages.map(message => message.content ?? '');

let config: AgentConfig;
let bench: AgentBench;

/** Scripts the turns of these tests; summaries are answered by `summary`. */
function scriptTurns(model: MockModel, summary: Parameters<MockModel['onTurn']>[1] = SUMMARY): void {
  model.onTurn(isSummaryCall, summary);
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
    files: { 'notes/beds.txt': 'Two beds.\n' },
  });
  scriptTurns(bench.model);
}, 60_000);

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
    const [prompt, first, ...rest] = contentsOf(last);
    expect(prompt).not.toContain('left out');
    expect(first).toContain(`<conversation_summary>\n${summary}\n</conversation_summary>`);
    expect(rest.at(-1)).toBe(`turn ${turns} ${LONG}`);
    expect(rest.slice(0, 2)).toEqual([expect.stringMatching(/^turn \d+ The beans/), expect.stringMatching(/^Done with turn/)]);
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
  }, 60_000);
});
