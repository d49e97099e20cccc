/**
 * Commands that the gateway serves itself: the entry of such a manifest is `gateway:<name>`. A program in the sandbox has no network, and one with
 * the network would need address checks of its own; these commands use the guarded web access of the gateway.
 */
import type { ProgramProblem, ToolProcesses, ToolProgram } from '../../port/tool_processes';
import type { ToolResult } from '../../tools/common';
import { NO_SEARCH_SERVICE } from '../../tools/search_service';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import type { GatewayCall, GatewayCommand } from './gateway_command';
import type { ToolManifest } from './manifest_schema';
import type { SettingValues } from './setting_values';
import { WEB_SEARCH_COMMANDS } from './web_search_commands';

const PREFIX = 'gateway:';

const ENTRIES = new Map<string, Readonly<Record<string, GatewayCommand>>>([['web_search', WEB_SEARCH_COMMANDS]]);

export const isGatewayEntry = ({ entry }: Pick<ToolManifest, 'entry'>): boolean => entry.startsWith(PREFIX);

/** The setup of the gateway for its own commands. */
export interface GatewayServices {
  hasSearch: boolean;
}

/** Says as a clause what must be set up before the commands of a manifest can work; undefined when they can. */
export function unreadyProblem(
  { entry }: Pick<ToolManifest, 'entry'>,
  settings: SettingValues,
  services: GatewayServices,
): Bilingual | undefined {
  if (entry !== `${PREFIX}web_search` || services.hasSearch || settings['api_key']) return undefined;
  const { en, 'zh-CN': zhCN } = NO_SEARCH_SERVICE;
  return inBoth(`${en}, or api_key in tool-settings/web_search.yaml`, `${zhCN}，或在 tool-settings/web_search.yaml 中设置 api_key`);
}

/** Resolves with the program of a manifest, or why it cannot run. `folder`: absolute path of the manifest's folder. */
export async function findProgramOf(
  manifest: ToolManifest,
  folder: string,
  processes: Pick<ToolProcesses, 'findProgram'>,
): Promise<ToolProgram | ProgramProblem> {
  if (isGatewayEntry(manifest)) return gatewayProgramOf(manifest);
  const { runtime, entry, args } = manifest;
  return processes.findProgram({ runtime, entry, args, folder });
}

/** Returns a program without a process. */
function gatewayProgramOf({ entry, commands, type, args }: ToolManifest): ToolProgram | ProgramProblem {
  const served = ENTRIES.get(entry.slice(PREFIX.length));
  const bad = (problem: string): ProgramProblem => ({ field: '/entry', problem });
  if (!served) return bad(`the gateway serves no ${entry}`);
  if (type === 'service' || args.length > 0) return bad(`${entry} has no process, so it is neither a service nor has it arguments`);
  const unknown = commands.find(({ name }) => !Object.hasOwn(served, name));
  if (unknown) return bad(`${entry} has no command ${unknown.name}; it has ${Object.keys(served).join(', ')}`);
  return { command: '', args: [], readable: [], version: entry };
}

/** Runs a command of a manifest that `findProgramOf` accepted. */
export function callGatewayCommand({ entry }: Pick<ToolManifest, 'entry'>, command: string, call: GatewayCall): Promise<ToolResult> {
  const run = ENTRIES.get(entry.slice(PREFIX.length))?.[command];
  return run ? run(call) : Promise.reject(new Error(`the gateway serves no ${entry} ${command}`));
}
