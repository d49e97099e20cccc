/** Describes agents and tools of the catalog as tools of an MCP server. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Type } from '@sinclair/typebox';
import { inLanguage } from '../../controller/openapi';

import { RunRequest, RunResult } from '../../controller/schemas/run_schemas';
import type { Locale } from '../../port/store/sessions';
import type { AgentDescription } from '../../service/agent/agent_directory';
import type { ToolRow } from '../../service/tool/tool_listing';
import type { Bilingual } from '../../utils/bilingual';
import { says } from '../../utils/bilingual';
import { closedObject } from '../../utils/schema_types';

/** Arguments of the tool of an agent. */
export const AgentArguments = closedObject({
  input: RunRequest.properties.input,
  sessionId: RunRequest.properties.sessionId,
  model: RunRequest.properties.model,
});

const AgentAnswer = Type.Object({
  ...RunResult.properties,
  toolCalls: Type.Array(
    RunResult.properties.toolCalls.items,
    says('the newest 100; long texts are truncated', '最新的 100 次；过长的文字会截断'),
  ),
});

/** Tells the model of a client what this server is for. */
export const INSTRUCTIONS: Bilingual = {
  en: 'Each ask_ tool hands a task to an agent of neta-gateway, which works with its own tools and answers when it is done. An answer names its session: pass its sessionId to continue the conversation, or to answer a question of the agent.',
  'zh-CN':
    '每个 ask_ 工具把任务交给 neta-gateway 的一个智能体，它用自己的工具工作，完成后作答。回答中给出会话：传入其 sessionId 可以继续对话，或回答智能体的提问。',
};

const PREFIX = 'ask_';

/** Returns the agent that a tool name means; undefined for a name of another form. */
export const agentOfTool = (tool: string): string | undefined => (tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : undefined);

export function toAgentTool({ name, label = name, description = '' }: AgentDescription, locale: Locale): Tool {
  const texts: Bilingual = {
    en: `Hands a task to the agent ${label}. ${description}\nIt works by itself and answers when it is done, which can take minutes. Say everything it needs to know in input. Pass sessionId to continue a conversation or to answer its question; leave it out for a new task.`,
    'zh-CN': `把任务交给智能体“${label}”。${description}\n它会独立工作，完成后作答，可能需要几分钟。请在 input 中说清它需要知道的一切。继续对话或回答它的提问时传入 sessionId；新任务则省略。`,
  };
  return {
    name: PREFIX + name,
    title: label,
    description: texts[locale],
    inputSchema: schemaIn(AgentArguments, locale),
    outputSchema: schemaIn(AgentAnswer, locale),
    // The tools of the agent may change files and reach the network.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

export function toCatalogTool({ name, label, description, parameters, annotations }: ToolRow): Tool {
  return {
    name,
    title: label,
    description,
    // Adds `type: object`: a client would refuse the whole list for one schema without it.
    inputSchema: { ...(parameters as Record<string, unknown>), type: 'object' },
    annotations,
  };
}

const schemaIn = (schema: object, locale: Locale): Tool['inputSchema'] => inLanguage(schema, locale) as Tool['inputSchema'];
