/** Two gateways on one data directory take turns in a session that outgrows the window. */
import { historyProblem } from '../../src/runtime/history';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import type { ModelRequest } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';

const LONG = 'The beans grow along the wall of the shed. '.repeat(120);
const SUMMARY = '## Goals\nA garden plan.';
const isSummaryCall = ({ body }: ModelRequest) => (body.messages[0]?.content ?? '').startsWith('You write the summary');

let bench: AgentBench;
let second: Gateway;

beforeAll(async () => {
  const env = { NETA_CONTEXT_TOKENS: '20000' };
  bench = await startBench({ env });
  const { dataDir, workspace } = bench.gateway;
  const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
  second = await startGateway({ env: { ...model, ...env, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace } });
  bench.model.onTurn(isSummaryCall, SUMMARY);
  bench.model.onTurn(/^turn \d+/, 'Fine.');
});

afterAll(async () => {
  await second?.stop();
  await bench?.stop();
});

it('each turn gets a summary and the turns behind it without a gap, whichever gateway wrote the summary', async () => {
  const doors = [bench.rest, createRestClient(second.url)];
  let sessionId: string | undefined;
  for (let i = 0; i < 24; i++) {
    const { body } = (await doors[i % 2]?.run({ input: `turn ${i} ${LONG}`, ...(sessionId && { sessionId }) })) ?? { body: undefined };
    expect(body?.status).toBe('completed');
    sessionId = body?.sessionId;
    const { messages } = (bench.model.requests(`turn ${i} `).findLast(request => !isSummaryCall(request)) as ModelRequest).body;
    expect(historyProblem(messages.slice(1))).toBeUndefined();
    expect(messages[0]?.content).not.toContain('left out');
    const turns = messages.flatMap(({ content }) => (content?.startsWith('turn ') ? [Number.parseInt(content.slice(5), 10)] : []));
    const first = turns[0] ?? -1;
    expect(turns).toEqual(Array.from({ length: i - first + 1 }, (_, k) => first + k));
    expect(messages.some(({ content }) => content?.includes('<conversation_summary>'))).toBe(first > 0);
  }
  expect(bench.model.requests(isSummaryCall).length).toBeGreaterThan(1);
  const { body } = await bench.rest.request<{ data: unknown[] }>('GET', `/sessions/${sessionId}/messages?limit=1000`);
  expect(body.data).toHaveLength(48);
});
