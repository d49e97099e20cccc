/**
 * All tools that the gateway brings: those of the core and those of the features. They are joined here only. To load this file fills the catalog
 * (`src/tools/catalog.ts`).
 */
import { FEATURES } from './features';
import { registerSchema } from './tools/catalog';
import type { AgentTool } from './tools/common';
import { CORE_TOOLS } from './tools/core_tools';

/**
 * The order of tools in the model's list, in prompts, documents and `GET /tools`: by toolset. A tool that is named here has its own place, apart
 * from its toolset. Toolsets that are not named follow; inside a toolset the core comes first, then the features in the order of their list.
 */
const ORDER: readonly string[] = [
  'base',
  'planning',
  'interaction',
  'memory',
  'skill',
  'crew',
  'session_search',
  'web',
  'data',
  'utility',
  'files',
  'terminal',
  'jobs',
];

function placeOf({ name, toolset }: AgentTool): number {
  const place = ORDER.indexOf(ORDER.includes(name) ? name : toolset);
  return place < 0 ? ORDER.length : place;
}

const joined = [...CORE_TOOLS, ...FEATURES.flatMap(({ tools = [] }) => tools)];
const BUILTIN_TOOLS: readonly AgentTool[] = Object.freeze(joined.toSorted((a, b) => placeOf(a) - placeOf(b)));
for (const tool of BUILTIN_TOOLS) registerSchema(tool);

/** Returns the tools of the core and of the features, in the order in which agents get them. */
export const builtinTools = (): readonly AgentTool[] => BUILTIN_TOOLS;
