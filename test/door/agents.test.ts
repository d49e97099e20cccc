/** Agents over REST: the list, one agent, unknown names. */
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

it('agents are listed with label, description, model and tools', async () => {
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
      members: agent.name === 'default' ? ['researcher'] : [],
      suggestions: agent.name === 'default' ? expect.arrayContaining([expect.any(String)]) : undefined,
    });
  }
});

it('label and description come in the language of the request', async () => {
  const chinese = { 'accept-language': 'zh-CN,zh;q=0.9' };
  const { body } = await bench.rest.request<AgentRow>('GET', '/agents/researcher', undefined, chinese);
  expect(body).toMatchObject({ name: 'researcher', label: '研究员', description: expect.stringContaining('搜索和阅读网页') });
  const { body: list } = await bench.rest.request<PageBody<AgentRow>>('GET', '/agents', undefined, chinese);
  expect(list.data).toContainEqual(expect.objectContaining({ name: 'default', label: '工作区智能体' }));
  const english = await bench.rest.request<AgentRow>('GET', '/agents/researcher', undefined, { 'accept-language': 'en' });
  expect(english.body).toMatchObject({ label: 'Researcher' });
});

it('an agent is read by name, with the tools that its runs get', async () => {
  const { body } = await bench.rest.request<AgentRow>('GET', '/agents/researcher');
  expect(body).toMatchObject({ name: 'researcher' });
  bench.model.onTurn('who are you', 'the researcher');
  const { body: run } = await bench.rest.run({ input: 'who are you', agent: 'researcher' });
  expect(run).toMatchObject({ status: 'completed' });
  expect(bench.model.requests('who are you').at(-1)?.toolNames).toEqual(body.tools);
});

it.each(['nobody', 'a%20b'])('the agent %s is not_found', async name => {
  expect(await bench.rest.request<ErrorBody>('GET', `/agents/${name}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});

it('refusals of memories and skills come in the language of the request', async () => {
  const secret = { text: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD' };
  const post = (language: string) => bench.rest.request<ErrorBody>('POST', '/memories', secret, { 'accept-language': language });
  expect((await post('zh-CN')).body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('密钥') });
  expect((await post('en')).body.error).toMatchObject({ message: expect.stringContaining('a key or a password') });
  const { body } = await bench.rest.request<ErrorBody>('GET', '/skills/nobody', undefined, { 'accept-language': 'zh-CN' });
  expect(body.error).toMatchObject({ code: 'not_found', message: expect.stringContaining('没有名为') });
});
