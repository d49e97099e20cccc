/**
 * The data (schema and texts) of all tools that the gateway brings, for code that must not load the tools. `src/builtin_tools.ts` fills the catalog
 * when it is loaded, before anything reads it, and has the functions of the tools.
 */
import { deepFreeze } from '../utils/deep_freeze';
import type { ToolSpec } from './common';
import { assertToolName, toSpec } from './tool_spec';

/** The toolset of a master: an agent whose profile names members. */
export const CREW_TOOLSET = 'crew';

/** The toolsets of an agent whose profile does not list any. */
export const TOOLSET_DEFAULTS = ['base', 'planning', 'interaction'] as const;

const catalog = new Map<string, ToolSpec>();

/**
 * Puts the spec of a tool into the catalog, without its other fields. Replaces a tool of the same name and keeps its place. Freezes the spec and
 * everything in it, so also the schema that the tool itself uses. Throws when model servers would not accept the name.
 */
export function registerSchema(spec: ToolSpec): void {
  assertToolName(spec.name);
  catalog.set(spec.name, deepFreeze(toSpec(spec)));
}

/** Returns the spec of one tool. */
export function getSchema(name: string): ToolSpec | undefined {
  return catalog.get(name);
}

/** Returns the specs of one toolset, in catalog order. */
export function getSchemasByToolset(toolset: string): ToolSpec[] {
  return [...catalog.values()].filter(spec => spec.toolset === toolset);
}

/** Returns the names of the tools in these toolsets, in catalog order. Ignores unknown toolsets. */
export function getToolNamesByToolsets(toolsets: readonly string[]): string[] {
  return [...catalog.values()].filter(spec => toolsets.includes(spec.toolset)).map(spec => spec.name);
}

/** Returns the names of all tools, or of those in `toolsets`. */
export function getAllToolNames(toolsets?: readonly string[]): string[] {
  return toolsets ? getToolNamesByToolsets(toolsets) : [...catalog.keys()];
}

/** Returns every toolset that has a tool, in catalog order. */
export function getToolsets(): string[] {
  return [...new Set([...catalog.values()].map(spec => spec.toolset))];
}
