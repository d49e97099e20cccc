/** An agent that may have more tools than its budget: which ones the model gets, over both doors, in later turns and after a restart. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { compileInto } from '../support/built_source';
import type { ModelRequest } from '../support/mock_model';
import { until } from '../support/until';

/** 60 tools as servers have them, of git, calendar, mail, chat, files, tables and databases. */
const CLASSES = `
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { AgentTool } from './tools/agent_tool_decorator';

const { foreignTools } = require(${JSON.stringify(join(__dirname, '../../bench/assembler/corpus.cjs'))});

@Provide()
@Scope(ScopeEnum.Singleton)
class ServerTools {}
for (const { execute, ...tool } of foreignTools().slice(0, 60)) {
  ServerTools.prototype[tool.name] = () => 'ran ' + tool.name;
  AgentTool({ ...tool, effect: 'read' })(ServerTools.prototype, tool.name, {});
}

export const TOOL_CLASSES = [ServerTools];
`;
const SKILL = '---\nname: standup\ndescription: Writes the report of the day.\nallowed-tools: redis_keys\n---\nLook at the cache.\n';
const FIXED = ['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'todo', 'clarify'];

let copy: BuildCopy;
let config: AgentConfig;
let bench: AgentBench;

beforeAll(async () => {
  copy = await copyBuild();
  await compileInto(copy, 'tool_classes.ts', CLASSES);
  config = await createProfiles({
    default: 'label: Default',
    closed: 'discover: false',
    mailer: 'discover: [gmail]',
    skilled: 'skills: true',
    lead: 'members: [closed]',
  });
  bench = await startBench({ root: copy.root, env: { NETA_CONFIG_DIR: config.directory, NETA_TOOL_BUDGET: '20' } });
});

afterAll(async () => {
  await bench?.stop();
  await config?.remove();
  await copy?.remove();
});

const requestOf = (text: string): ModelRequest => bench.model.requests(text).at(-1) as ModelRequest;
const toolsOf = (text: string): string[] => requestOf(text).toolNames;

async function ask(text: string, more: Record<string, unknown> = {}) {
  bench.model.onTurn(text, 'done');
  const { body } = await bench.rest.run({ input: text, ...more });
  expect(body).toMatchObject({ status: 'completed' });
  return { sessionId: body.sessionId, runId: body.runId, tools: toolsOf(text) };
}

describe('the tools of a run whose agent may have 67, with a budget of 20 (beaver.assembler)', () => {
  it('are those of its profile, then the ones that fit the message, and run_start names the same', async () => {
    const { tools, runId } = await ask('Cancel my meeting with Eve on Friday and email her why');
    expect(tools.slice(0, FIXED.length)).toEqual(FIXED);
    expect(tools.length).toBeLessThanOrEqual(20);
    expect(tools).toEqual(expect.arrayContaining(['calendar__delete_event', 'gmail__send_email']));
    expect(tools).not.toContain('redis_keys');
    const { body } = await bench.rest.request<{ data: { data: { tools: string[] } }[] }>('GET', `/runs/${runId}/events`);
    expect(body.data[0]?.data.tools).toEqual(tools);
  });

  it('are found for a Chinese message too, and the prompt names no tool but these', async () => {
    const { tools } = await ask('周五和小李的会议取消掉，再发邮件告诉他原因', { locale: 'zh-CN' });
    expect(tools).toEqual(expect.arrayContaining(['calendar__delete_event', 'gmail__send_email']));
    const prompt = requestOf('周五和小李').body.messages[0]?.content ?? '';
    expect(prompt).toContain('gmail__send_email');
    expect(prompt).not.toMatch(/redis_|list_slow_queries/);
  });

  it('are the same over Socket.IO', async () => {
    const { tools } = await ask('Which branch has the parser commit?');
    const client = await bench.connect();
    const { runId } = await client.chat('Which branch has the parser commit?');
    await client.endOf(runId);
    expect(client.eventsOf(runId)[0]).toMatchObject({ type: 'run_start', data: { tools } });
    expect(toolsOf('Which branch has the parser commit?')).toEqual(tools);
  });

  it('grow behind the old ones in a later turn, and a restart keeps their order', async () => {
    const first = await ask('What did the design channel talk about?');
    const second = await ask('Which columns does the orders table of the database have?', { sessionId: first.sessionId });
    expect(second.tools.slice(0, first.tools.length)).toEqual(first.tools);
    expect(second.tools.length).toBeGreaterThan(first.tools.length);
    expect(second.tools).toContain('postgres__describe_table');
    await bench.gateway.restart();
    const third = await ask('Thank you!', { sessionId: first.sessionId });
    expect(third.tools).toEqual(second.tools);
    // The recordings of these lists go with the session.
    const countParts = () => {
      const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'), { readOnly: true });
      const query = "select count(*) as parts from prompt_parts where text like '%postgres__describe_table%' and owner in (?, '*')";
      const [row] = database.prepare(query).all(first.sessionId);
      database.close();
      return Number(row?.['parts']);
    };
    expect(await until(countParts, parts => parts > 0)).toBeGreaterThan(0);
    await bench.rest.request('DELETE', `/sessions/${first.sessionId}`);
    expect(countParts()).toBe(0);
  });

  it('are chosen afresh past twice the budget', async () => {
    const { sessionId, tools } = await ask('Show the commit log of git');
    const subjects = [
      'Email the landlord',
      'Draw a pie chart of the sheet',
      'Clear the redis cache',
      'Merge the pull request',
      'Post it in the Slack channel',
      'Share the file in Drive',
      'Move my calendar event',
      'Explain the slow query',
    ];
    const sizes = [];
    for (const subject of subjects) sizes.push((await ask(subject, { sessionId })).tools);
    for (const list of sizes) expect(list.length).toBeLessThanOrEqual(40);
    const isPrefix = (a: string[], b: string[] | undefined) => b !== undefined && a.every((name, i) => b[i] === name);
    expect([tools, ...sizes].some((list, i, all) => i + 1 < all.length && !isPrefix(list, all[i + 1]))).toBe(true);
    expect(sizes.at(-1)).toEqual(expect.arrayContaining(['postgres__explain']));
  });

  it('include one that was left out, once the model calls it', async () => {
    const text = 'Write a poem about rain';
    bench.model.onTurn(text, { toolCalls: [{ name: 'redis_get', arguments: { key: 'poem' } }] }, 'done');
    const { body } = await bench.rest.run({ input: text });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'redis_get', ok: true })]);
    const [before, after] = bench.model.requests(text);
    expect(before?.toolNames).not.toContain('redis_get');
    expect(after?.toolNames).toEqual([...(before?.toolNames ?? []), 'redis_get']);
    expect(after?.toolResults).toEqual(['ran redis_get']);
    expect((await ask('And another one', { sessionId: body.sessionId })).tools).toEqual(after?.toolNames);
  });

  it('include what a skill asks for, from the next model call after the session has read it', async () => {
    const put = await bench.rest.request('PUT', '/skills/standup', { content: SKILL });
    expect(put.status).toBeLessThan(300);
    const text = 'Prepare the standup';
    bench.model.onTurn(text, { toolCalls: [{ name: 'read_skill', arguments: { name: 'standup' } }] }, 'done');
    const { body } = await bench.rest.run({ input: text, agent: 'skilled' });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'read_skill', ok: true })]);
    const [before, after] = bench.model.requests(text);
    expect(before?.toolNames).not.toContain('redis_keys');
    expect(after?.toolNames).toEqual([...(before?.toolNames ?? []), 'redis_keys']);
    expect((await ask('Go on', { sessionId: body.sessionId })).tools).toContain('redis_keys');
  });

  it('count the plan of the session', async () => {
    const text = 'Let us get organised';
    const todos = [{ id: 'a', content: 'create a chart from the spreadsheet', status: 'in_progress' }];
    bench.model.onTurn(text, { toolCalls: [{ name: 'todo', arguments: { todos } }] }, 'done');
    const { body } = await bench.rest.run({ input: text });
    expect((await ask('Please continue', { sessionId: body.sessionId })).tools).toContain('sheets__create_chart');
  });
});

describe('the field tools of a request, with more tools than the budget', () => {
  it('leaves out what it denies, also when the model calls it, and the session keeps its list', async () => {
    const before = await ask('Cancel the meeting and email Eve');
    expect(before.tools).toContain('calendar__delete_event');
    const { sessionId } = before;
    const text = 'Email her anyway';
    bench.model.onTurn(text, { toolCalls: [{ name: 'calendar__delete_event', arguments: { eventId: 'e1' } }] }, 'done');
    const tools = { deny: ['calendar__delete_event', 'bash'] };
    const { body } = await bench.rest.run({ input: text, sessionId, tools });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'calendar__delete_event', ok: false })]);
    expect(toolsOf(text)).toEqual(before.tools.filter(name => !tools.deny.includes(name)));
    expect((await ask('And now with all of them', { sessionId })).tools).toEqual(before.tools);
  });

  it('can leave a single tool, which the message does not have to fit', async () => {
    expect((await ask('Hello there', { tools: { allow: ['redis_keys', 'read_file'] } })).tools).toEqual(['read_file', 'redis_keys']);
  });
});

describe('the field discover of a profile (beaver.assembler)', () => {
  it('false: the agent has the tools of its profile alone', async () => {
    expect((await ask('Send an email to Bob', { agent: 'closed' })).tools).toEqual(FIXED);
  });

  it('names of toolsets: only their tools; all of them when they fit', async () => {
    const { tools } = await ask('Show the git log and mail it', { agent: 'mailer' });
    expect(tools.slice(FIXED.length)).toEqual([
      'gmail__send_email',
      'gmail__draft_email',
      'gmail__search_emails',
      'gmail__read_email',
      'gmail__modify_email',
      'gmail__delete_email',
      'gmail__download_attachment',
    ]);
  });

  it('does not give a tool to an agent that may not discover it', async () => {
    bench.model.onTurn('Try redis', { toolCalls: [{ name: 'redis_get', arguments: { key: 'a' } }] }, 'done');
    const { body } = await bench.rest.run({ input: 'Try redis', agent: 'mailer' });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'redis_get', ok: false })]);
  });
});

describe('POST /runs/preview (beaver.assembler)', () => {
  interface Preview {
    agent: string;
    model: string;
    tools: { name: string; why: string; score?: number }[];
    leftOut: string[];
    prompt: string;
    estimatedTokens: number;
  }
  const preview = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await bench.rest.request<Preview>('POST', '/runs/preview', body);
    expect(status).toBe(200);
    return { ...answer, names: answer.tools.map(({ name }) => name) };
  };
  const storedRuns = async () => (await bench.rest.request<{ data: unknown[] }>('GET', '/runs?limit=1000')).body.data.length;

  it('says what the run then sends, and why, and stores nothing', async () => {
    const input = 'Upload the photo to the drive and share it with Kim';
    const before = await storedRuns();
    const { names, tools, leftOut, prompt, estimatedTokens, ...rest } = await preview({ input });
    expect(await storedRuns()).toBe(before);
    expect(rest).toMatchObject({ agent: 'default', model: expect.stringMatching(/./) });
    expect((await ask(input)).tools).toEqual(names);
    const system = requestOf(input).body.messages[0]?.content ?? '';
    expect(system.replace(/\d\d:\d\d/g, '')).toBe(prompt.replace(/\d\d:\d\d/g, ''));
    expect(tools.slice(0, FIXED.length)).toEqual(FIXED.map(name => ({ name, why: 'toolset' })));
    for (const tool of tools.slice(FIXED.length)) expect(tool).toEqual({ name: tool.name, why: 'relevance', score: expect.any(Number) });
    expect(tools.find(({ name }) => name.endsWith('drive_share'))?.score).toBeGreaterThan(0.5);
    expect(names.length + leftOut.length).toBe(67);
    expect(estimatedTokens).toBeGreaterThan(prompt.length / 5);
  });

  it('continues a session: its tools stay in front, and a skill that it has read is a reason', async () => {
    const { sessionId, tools } = await ask('Find the parser in the code on GitHub');
    const { names, estimatedTokens } = await preview({ input: 'Clear the redis cache', sessionId });
    expect(names.slice(0, tools.length)).toEqual(tools);
    expect(names).toContain('redis_delete');
    expect(estimatedTokens).toBeGreaterThan(100);
    const text = 'Read the standup skill';
    bench.model.onTurn(text, { toolCalls: [{ name: 'read_skill', arguments: { name: 'standup' } }] }, 'done');
    const { body } = await bench.rest.run({ input: text, agent: 'skilled' });
    const skilled = await preview({ input: 'Go on', sessionId: body.sessionId, agent: 'skilled' });
    expect(skilled.tools).toContainEqual({ name: 'redis_keys', why: 'skill_hint' });
  });

  it('shows the parameters that would go to the model, and refuses wrong ones', async () => {
    const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', {
      parameters: { temperature: 0.1, topP: 0.5 },
    });
    const body = { input: 'hello', sessionId: session.id, parameters: { temperature: 0.9 } };
    expect(await preview(body)).toMatchObject({ parameters: { temperature: 0.9, topP: 0.5 } });
    expect(await preview({ input: 'hello' })).not.toHaveProperty('parameters');
    const wrong = { input: 'hello', parameters: { extra: { model: 'other' } } };
    const { status, body: answer } = await bench.rest.request('POST', '/runs/preview', wrong);
    expect([status, answer]).toMatchObject([400, { error: { param: '/parameters/extra/model' } }]);
  });

  it('explains an agent whose tools all fit', async () => {
    const { tools, leftOut } = await preview({ input: 'hello', agent: 'mailer', locale: 'zh-CN' });
    expect(tools.filter(({ why }) => why === 'relevance')).toHaveLength(7);
    expect(leftOut).toEqual([]);
  });

  it.each([
    [{ input: 'x', sessionId: 'ses_none' }, 404],
    [{ input: 'x', agent: 'nobody' }, 404],
    [{ input: '' }, 400],
    [{ input: 'x', colour: 'red' }, 400],
  ])('refuses %j with %i', async (body, status) => {
    expect((await bench.rest.request('POST', '/runs/preview', body)).status).toBe(status);
  });
});
