/** Skill tools that a crash interrupts: a read is repeated, a change is not. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { skillText, writeSkillFiles } from '../support/skill_folders';

let config: AgentConfig;
let bench: AgentBench;

beforeAll(async () => {
  config = await createAgentConfig(['base', 'skill']);
  await writeSkillFiles(join(config.directory, 'skills'), { 'release/SKILL.md': skillText('release') });
  await writeFile(join(config.directory, 'approvals.yaml'), 'rules:\n  - { tool: skill_manage, decision: allow }\n');
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory }, failpoints: true });
  const told = (request: { toolResults: string[] }) => `Told: ${request.toolResults.join(' | ')}`;
  bench.model.onTurn('read the skill', { toolCalls: [{ name: 'read_skill', arguments: { name: 'release' } }] }, told);
  const create = { action: 'create', name: 'brewing', content: skillText('brewing') };
  bench.model.onTurn('make a skill', { toolCalls: [{ name: 'skill_manage', arguments: create }] }, told);
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

/** Crashes the gateway behind the effect of the first call of a run; resolves with the answer after the recovery. */
async function answerAfterCrash(text: string, locale: 'en' | 'zh-CN'): Promise<string> {
  await bench.gateway.arm('tool_effect=crash');
  const client = await bench.connect();
  const { runId } = await client.chat(text, { locale });
  await bench.gateway.exited();
  await bench.gateway.restart();
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  const end = events.at(-1);
  expect(end).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
  return end?.type === 'run_end' ? end.data.text : '';
}

describe('kill -9 behind the effect of a skill tool', () => {
  it('read_skill is repeated, and its skill is active in the session', async () => {
    expect(await answerAfterCrash('read the skill', 'en')).toMatch(/^Told: .*release/);
    const { body } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/sessions?limit=1');
    const rows = await bench.rest.request<{ data: { name: string; active?: boolean }[] }>('GET', `/skills?session=${body.data[0]?.id}`);
    expect(rows.body.data).toContainEqual(expect.objectContaining({ name: 'release', active: true }));
  });

  it('skill_manage is not repeated: the model learns in the language of the run that the outcome is unknown, and the skill is there once', async () => {
    expect(await answerAfterCrash('make a skill', 'zh-CN')).toMatch(/^Told: 这次调用的结果未知/);
    expect(await readdir(join(bench.gateway.dataDir, 'skills/default'))).toEqual(['brewing']);
    const { body } = await bench.rest.request<{ data: { tool: string; status: string }[] }>('GET', '/tool-executions?tool=skill_manage');
    expect(body.data.map(({ status }) => status)).toEqual(['unknown']);
  });
});
