/** Makes the tools of a manifest: one for each command. */
import type { AgentTool, ManifestFacts, ToolContext, ToolResult } from '../../tools/common';
import type { CheckedCommand, ToolManifest } from './manifest_schema';

type Translation = NonNullable<AgentTool['translations']>['zh-CN'];

export interface ManifestToolOptions {
  /** Names of tools that are no manifest's. */
  isTaken: (name: string) => boolean;
  /** Changes with the manifest, its entry and its settings. */
  version: string;
  call: (command: CheckedCommand, args: Record<string, unknown>, ctx: ToolContext) => Promise<ToolResult>;
}

export function createManifestTools(manifest: ToolManifest, { isTaken, version, call }: ManifestToolOptions): AgentTool[] {
  return manifest.commands.map(command => ({
    name: toolNameOf(manifest, command, isTaken),
    toolset: manifest.name,
    origin: 'manifest' as const,
    command: command.name,
    manifest: factsOf(manifest),
    label: labelOf(manifest, command),
    description: withExample(command.description, command.example, 'Example'),
    ...translationsOf(manifest, command),
    keywords: { en: keywordsOf(manifest, command), 'zh-CN': keywordsOf(manifest, command) },
    effect: command.effect,
    always: (command.always ?? manifest.always) || undefined,
    doubles: command.doubles,
    parameters: command.parameters,
    // The process sees the workspace. With the network it can also bring texts of strangers and send out what it is given.
    reads: manifest.network ? 'both' : 'private',
    reaches: manifest.network ? 'outside' : undefined,
    timeoutMs: manifest.timeout,
    version,
    isVolatile: true,
    // The runner has validated the arguments against an object schema.
    execute: (args, ctx) => call(command, args as Record<string, unknown>, ctx),
  }));
}

/** The manifest's name alone for its only command, unless another tool has that name. */
export function toolNameOf({ name, commands }: ToolManifest, command: CheckedCommand, isTaken: (name: string) => boolean): string {
  return commands.length === 1 && !isTaken(name) ? name : `${name}__${command.name}`;
}

function factsOf({ version, author, type, runtime, network, tags, dependencies }: ToolManifest): ManifestFacts {
  return { version, author, type, runtime, network, tags, dependencies };
}

function labelOf(manifest: ToolManifest, command: CheckedCommand): string {
  if (manifest.commands.length === 1) return command.display_name ?? manifest.display_name;
  return `${manifest.display_name}: ${command.display_name ?? command.name}`;
}

function translationsOf(manifest: ToolManifest, command: CheckedCommand): { translations?: { 'zh-CN': Translation } } {
  const whole = manifest.translations?.['zh-CN'];
  const own = command.translations?.['zh-CN'];
  if (!whole && !own) return {};
  const title = whole?.display_name ?? manifest.display_name;
  const name = own?.display_name ?? command.display_name;
  const label = manifest.commands.length === 1 ? (name ?? title) : `${title}：${name ?? command.name}`;
  const description = withExample(own?.description ?? command.description, command.example, '示例');
  return { translations: { 'zh-CN': { label, description, parameters: own?.parameters } } };
}

const withExample = (description: string, example: string | undefined, word: string): string =>
  example === undefined ? description.trim() : `${description.trim()}\n${word}: ${example.trim()}`;

function keywordsOf({ tags, description, display_name, translations }: ToolManifest, { example }: CheckedCommand): string[] {
  const translated = translations?.['zh-CN'];
  const texts = [...tags, display_name, description, translated?.display_name, translated?.description, example];
  return [...new Set(texts.filter(text => text !== undefined))];
}
