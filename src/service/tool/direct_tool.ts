/** Finds the tool that a direct call means: a tool of the catalog by its name, or a command of a manifest by both names. */
import { AppError } from '../../errors';
import type { Locale } from '../../port/store/sessions';
import { getSchema } from '../../tools/catalog';
import type { AgentTool } from '../../tools/common';
import { isForTenant, type ToolEntry } from '../../tools/foreign_tools';
import type { ToolRegistry } from '../../tools/registry';
import { unavailableText } from './tool_listing';

export interface ToolReference {
  tenantId: string;
  toolName: string;
  /** Present: `toolName` is a manifest, even where a tool has the same name. */
  command?: string;
}

/** Throws `not_found` for a tool that is unknown or cannot run here, and `invalid_request` for a manifest without a command. */
export function findDirectTool(registry: ToolRegistry, reference: ToolReference): AgentTool {
  const { tenantId, toolName, command } = reference;
  const isHidden = (entry: ToolEntry) => !isForTenant(entry, tenantId) && [toolName, `${toolName}__${command}`].includes(entry.name);
  if (registry.listForeign().some(isHidden)) throw unknownTool();
  const commands = registry.list().filter(tool => tool.command !== undefined && tool.toolset === toolName);
  if (command === undefined) {
    const tool = registry.get(toolName);
    if (tool) return tool;
    if (commands.length === 0) throw noTool(registry, reference);
    const [en, zhCN] = commandsText(toolName, commands);
    const texts = { message: `/command: is required. ${en}`, messageZh: `/command：必填。${zhCN}` };
    throw new AppError('invalid_request', { param: '/command', ...texts });
  }
  const tool = commands.find(candidate => candidate.command === command) ?? registry.get(toolName);
  if (tool?.command === command) return tool;
  throw noCommand(registry, { ...reference, command }, commands);
}

function noCommand(registry: ToolRegistry, reference: Required<ToolReference>, commands: readonly AgentTool[]): AppError {
  const { toolName, command } = reference;
  const problem = registry.problemOf(`${toolName}__${command}`);
  if (problem !== undefined) return noTool(registry, { ...reference, toolName: `${toolName}__${command}` });
  if (commands.length > 0) {
    const [en, zhCN] = commandsText(toolName, commands);
    const message = `/command: there is no command ${command}. ${en}`;
    return new AppError('not_found', { param: '/command', message, messageZh: `/command：没有命令 ${command}。${zhCN}` });
  }
  if (!registry.has(toolName)) return noTool(registry, reference);
  return new AppError('not_found', {
    param: '/command',
    message: `/command: ${toolName} is a tool and no manifest, so it has no commands; leave command out.`,
    messageZh: `/command：${toolName} 是工具而不是清单，没有命令；请去掉 command。`,
  });
}

const unknownTool = (): AppError =>
  new AppError('not_found', { param: '/toolName', message: 'There is no such tool.', messageZh: '没有这个工具。' });

/** Returns one sentence in English and in Chinese. */
function commandsText(manifest: string, tools: readonly AgentTool[]): [en: string, zhCN: string] {
  const commands = tools.map(({ command }) => command);
  return [`The commands of ${manifest} are ${commands.join(', ')}.`, `${manifest} 的命令有：${commands.join('、')}。`];
}

function noTool(registry: ToolRegistry, { toolName }: ToolReference): AppError {
  const spec = getSchema(toolName);
  const problem = registry.problemOf(toolName);
  const isKnown = spec !== undefined || problem !== undefined;
  if (!isKnown) return unknownTool();
  const textIn = (locale: Locale) => unavailableText(spec?.toolset ?? '', locale, problem);
  return new AppError('not_found', {
    param: '/toolName',
    message: `${toolName}: ${textIn('en')}`,
    messageZh: `${toolName}：${textIn('zh-CN')}`,
  });
}
