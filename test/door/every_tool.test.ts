/**
 * Calls every tool that can run: in a run over each door, and directly. Checks the result for the model, the files on disk and the execution log.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { ModelRequest } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';
import { type Site, startSite } from '../support/site';
import { skillText, writeSkillFiles } from '../support/skill_folders';
import { FOLDER_FILES, SERVICE_PAGES, serviceSettings, TOOL_ROWS, type ToolRow } from '../support/tool_rows';

const TOOLSETS = ['base', 'planning', 'interaction', 'skill', 'web', 'data', 'utility', 'files', 'terminal', 'memory', 'jobs'];
/** Agents with the toolset base do not have these unless their profile names them. */
const DOUBLES = ['file_read', 'file_write', 'file_list'];

let bench: AgentBench;
let site: Site;
let config: AgentConfig;

beforeAll(async () => {
  site = await startSite(SERVICE_PAGES);
  config = await createAgentConfig(TOOLSETS, { helper: ['base'] }, DOUBLES, ['helper']);
  await writeFile(join(config.directory, 'approvals.yaml'), 'rules:\n  - { tool: skill_manage, decision: allow }\n');
  await writeSkillFiles(join(config.directory, 'skills'), {
    'mooring/SKILL.md': skillText('mooring', 'Ties boats.', 'Tie a bowline.'),
    'mooring/references/knots.md': 'Bowline first.',
  });
  const folders = DOORS.flatMap(({ folder }) => Object.entries(FOLDER_FILES).map(([path, text]) => [`${folder}/${path}`, text]));
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory, ...serviceSettings(site) }, files: Object.fromEntries(folders) });
  bench.model.onTurn('water the beans', 'Watered.');
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
  await config?.remove();
});

interface Called {
  ok: boolean;
  /** The result for the model or the caller. */
  told: string;
}

interface Door {
  name: string;
  folder: string;
  call: (row: ToolRow, args: Record<string, unknown>) => Promise<Called>;
}

/** Scripts a turn that makes the call. Returns the text that starts it. */
function script(door: string, { tool }: ToolRow, args: Record<string, unknown>): string {
  const text = `call ${tool} over ${door}`;
  bench.model.onTurn(text, { toolCalls: [{ name: tool, arguments: args }] }, 'done');
  return text;
}

const toldTo = (text: string): string => (bench.model.requests(text).at(-1) as ModelRequest).toolResults[0] ?? '';

async function callOverSocket(row: ToolRow, args: Record<string, unknown>): Promise<Called> {
  const text = script('Socket.IO', row, args);
  const client = await bench.connect();
  const { sessionId, runId } = await client.chat(text);
  if (row.tool === 'clarify' || row.tool === 'escalate') {
    const { data } = await client.waitFor('clarify_request');
    await client.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: '2' });
  }
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'done' });
  const end = client.eventsOf(runId).find(event => event.type === 'tool_call_end');
  client.close();
  return { ok: end?.data.name === row.tool && end.data.ok, told: toldTo(text) };
}

async function callOverRest(row: ToolRow, args: Record<string, unknown>): Promise<Called> {
  const text = script('REST', row, args);
  const { body } = await bench.rest.run({ input: text });
  // Over REST a question becomes the reply and ends the turn.
  const isQuestion = body.clarification !== undefined;
  expect(body).toMatchObject({ status: 'completed', text: isQuestion ? expect.stringContaining('2. blue') : 'done' });
  return { ok: body.toolCalls[0]?.name === row.tool && body.toolCalls[0].ok === true, told: isQuestion ? body.text : toldTo(text) };
}

async function callDirectly({ tool }: ToolRow, parameters: Record<string, unknown>): Promise<Called> {
  const { status, body } = await bench.rest.request<{ status: string; result: { content: string } | null; message: string }>(
    'POST',
    '/tools/call',
    { toolName: tool, parameters },
  );
  const ok = body.status === 'success';
  expect([status, body.result?.content]).toEqual([200, ok ? body.message : undefined]);
  return { ok, told: body.message };
}

const DOORS: Door[] = [
  { name: 'Socket.IO', folder: 'socket', call: callOverSocket },
  { name: 'REST', folder: 'rest', call: callOverRest },
  { name: 'a direct call', folder: 'direct', call: callDirectly },
];

async function leftAt(path: string): Promise<unknown> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'nothing';
  return found.isDirectory() ? 'directory' : { text: await readFile(path, 'utf8') };
}

it('every tool that can run has a row here', async () => {
  const { body } = await bench.rest.request<PageBody<{ name: string; enabled: boolean }>>('GET', '/tools');
  const enabled = body.data.filter(tool => tool.enabled).map(tool => tool.name);
  expect(TOOL_ROWS.map(row => row.tool).sort()).toEqual(enabled.sort());
});

describe.each(DOORS)('every tool over $name (nanoclaw.data, nanoclaw.weather, nanoclaw.file)', ({ folder, call }) => {
  let memoryId: string;

  beforeAll(async () => {
    const text = `Paints the boat in ${folder}`;
    memoryId = (await bench.rest.request<{ id: string }>('POST', '/memories', { text, force: true })).body.id;
  });

  it.each(TOOL_ROWS)('$tool does its work, reports it and is logged', async row => {
    const isRun = folder !== 'direct';
    const refusal = isRun ? undefined : row.refusesWithoutSession;
    const { ok, told } = await call(row, row.args({ folder, site, memoryId }));
    expect({ ok, told }).toEqual({ ok: !refusal, told: expect.stringMatching(refusal ?? row.says) });
    for (const [path, left] of Object.entries(row.leaves ?? {})) {
      expect([path, await leftAt(join(bench.gateway.workspace, folder, path))]).toEqual([path, left]);
    }
    const log = await bench.rest.request<PageBody<Record<string, unknown>>>('GET', `/tool-executions?tool=${row.tool}&limit=1`);
    const status = refusal ? 'error' : 'success';
    expect(log.body.data).toEqual([expect.objectContaining({ tool: row.tool, status, durationMs: expect.any(Number) })]);
    expect(typeof log.body.data[0]?.['runId'] === 'string').toBe(isRun);
  });
});
