/** The agents that a caller can give runs to. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MODEL: 'model-of-the-day' } });
});

afterAll(() => bench?.stop());

interface AgentRow {
  name: string;
  tools: string[];
}

it('are listed with what a caller chooses by', async () => {
  const { status, body } = await bench.rest.request<PageBody<AgentRow>>('GET', '/agents');
  expect(status).toBe(200);
  expect(body.data.map(agent => agent.name).sort()).toEqual(['default', 'researcher']);
  for (const agent of body.data) {
    expect(agent).toEqual({
      name: expect.any(String),
      label: expect.any(String),
      description: expect.any(String),
      model: 'model-of-the-day',
      tools: expect.arrayContaining([expect.any(String)]),
      members: [],
    });
  }
});

it('are read by name; the tools are those that a run gets', async () => {
  const { body } = await bench.rest.request<AgentRow>('GET', '/agents/researcher');
  expect(body).toMatchObject({ name: 'researcher' });
  bench.model.onTurn('who are you', 'the researcher');
  const { body: run } = await bench.rest.run({ input: 'who are you', agent: 'researcher' });
  expect(run).toMatchObject({ status: 'completed' });
  expect(bench.model.requests('who are you').at(-1)?.toolNames).toEqual(body.tools);
});

it.each(['nobody', 'a%20b'])('%s is not found', async name => {
  expect(await bench.rest.request<ErrorBody>('GET', `/agents/${name}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});
