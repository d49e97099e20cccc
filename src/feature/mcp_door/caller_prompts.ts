/** The enabled skills of the caller's tenant as prompts of MCP. */
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/sdk/types.js';
import { Type } from '@sinclair/typebox';
import { pageOfList } from '../../controller/list_pages';
import { AppError } from '../../errors';
import type { AgentSkills } from '../../service/agent/agent_skills';
import { createDecoder } from '../../wire/decode';
import type { McpCaller } from './mcp_client';

export interface CallerPromptsDeps {
  mcpDoor: { readonly skills: AgentSkills };
}

const PAGE = 100;
const decodeArguments = createDecoder(Type.Object({ task: Type.Optional(Type.String({ maxLength: 100_000 })) }));

export class CallerPrompts {
  constructor(
    private readonly caller: Pick<McpCaller, 'principal' | 'locale'>,
    private readonly deps: CallerPromptsDeps,
  ) {}

  /** Rejects `invalid_request` for a cursor that is none. */
  async listPrompts(cursor: string | undefined): Promise<ListPromptsResult> {
    const skills = await this.deps.mcpDoor.skills.listSkills(this.caller.principal.tenantId);
    const { data, nextCursor } = pageOfList(skills, { limit: PAGE, cursor }, ({ name }) => name);
    const task = this.caller.locale === 'zh-CN' ? '要按此说明完成的任务' : 'the task to do as the instructions say';
    const prompts = data.map(({ name, description }) => ({
      name,
      description,
      arguments: [{ name: 'task', description: task, required: false }],
    }));
    return { prompts, nextCursor };
  }

  /** Reads the instructions of a skill, with the task of the caller below them. Rejects `not_found`. */
  async getPrompt(name: string, args: unknown = {}): Promise<GetPromptResult> {
    const { task } = decodeArguments(args);
    const skill = await this.deps.mcpDoor.skills.readSkill(this.caller.principal.tenantId, name);
    if (!skill) throw new AppError('not_found', { param: '/name', message: 'There is no such skill.', messageZh: '没有这个技能。' });
    const text = task === undefined ? skill.instructions : `${skill.instructions}\n\n${task}`;
    return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  }
}
