/**
 * Builds the system prompt of a run. The part that is the same in all sessions comes first and the time comes last, so that model servers and the
 * caller can cache the long part.
 */

import { type PromptPart, type SystemMessage, systemMessageOf } from '../port/llm';
import type { SandboxKind } from '../port/shell';
import { CREW_TOOLSET, getToolNamesByToolsets, TOOLSET_DEFAULTS } from '../tools/catalog';
import type { ToolLocale } from '../tools/common';
import type { ClarifyMode } from '../tools/tool_prompt';
import {
  type ConditionWords,
  chooseLines,
  conditionWords,
  getToolBehaviorGuidance,
  getToolUseEnforcement,
  joinBlocks,
  onOneLine,
  type PromptTool,
  promptTexts,
  promptTools,
  renderSection,
} from './prompt_guidance';
import { WORKSPACE_TOOLS } from './prompts/prompt_texts';
import { type RuntimeContext, renderRuntimeContext } from './runtime_context';

/** master: can delegate tasks to members; member: works on a task of its master. */
export type CrewRole = 'master' | 'member';

interface StablePromptParams {
  /** Names of exactly the tools that go to the model. */
  toolNames: readonly string[];
  locale: ToolLocale;
  /** Definitions of the tools; a name without one is looked up in the catalog. */
  tools?: readonly PromptTool[];
  /** Either the run waits for the answer to a question, or the question ends the turn. Default: the run waits. */
  clarify?: ClarifyMode;
  /** The sandbox of commands. Absent: the prompt does not mention it. */
  isolation?: SandboxKind;
  /** Highest number of tool-call rounds in a turn. Absent: the prompt does not mention it. */
  maxRounds?: number;
  /** Text of the agent's profile: who it is and how it talks. */
  persona?: string;
  /** Root of the workspace as the tools accept it. */
  workspacePath?: string;
  /** Enabled skills; their full text is loaded on demand. */
  skills?: readonly { name: string; description: string }[];
  /** Names of further enabled skills, for which the prompt has no room. */
  moreSkills?: readonly string[];
  crewRole?: CrewRole;
  /** The members of a master, the first one first. */
  members?: readonly CrewMember[];
}

interface CrewMember {
  name: string;
  description?: string;
}

/** A memory, as the prompt shows it. */
export interface SavedFact {
  readonly text: string;
}

/**
 * The memories in the prompt of a session. The same object as long as the texts of the memories are the same, so that callers can cache by the
 * object.
 */
export interface MemoryBlock {
  readonly memories: readonly SavedFact[];
}

interface CollectToolNamesOptions {
  memoryEnabled: boolean;
  hasSkills: boolean;
  crewRole?: CrewRole;
  /** The toolsets that the profile lists. Default: base, planning and interaction. */
  toolsets?: readonly string[];
}

/** Builds the part of the prompt that is the same in all sessions. The same parameters give the same text. */
export function buildStablePrompt(params: StablePromptParams): string {
  const { toolNames, locale, persona, tools = [], clarify = 'wait' } = params;
  const texts = promptTexts(locale);
  const words = conditionWords(toolNames, promptTools(toolNames, tools));
  return joinBlocks([
    chooseLines(texts.identity, words).join('\n'),
    persona?.trim() ? `${texts.personaTitle}\n${persona.trim()}` : '',
    renderCrew(params, words),
    getToolUseEnforcement(toolNames, locale, tools),
    getToolBehaviorGuidance(toolNames, locale, { clarify, tools }),
    renderWorkspace(params, words),
    renderLimits(params, words),
    renderSkills(params, words),
  ]);
}

/** The stable part of each agent, shared by its sessions. */
const stableParts = new WeakMap<{ readonly stablePrompt: string }, PromptPart>();

/** Returns the prompt of a session: the stable part of its agent, its saved facts, and, as the last block, the time at which the session began. */
export function sessionPrompt(
  agent: { readonly stablePrompt: string },
  memories: readonly SavedFact[],
  context: RuntimeContext,
): SystemMessage {
  const stable = stableParts.get(agent) ?? { text: agent.stablePrompt };
  stableParts.set(agent, stable);
  return systemMessageOf([stable, ...memoryParts(memories, context.locale), { text: `\n\n${renderRuntimeContext(context)}` }]);
}

/** Returns the names of the catalog's tools in the toolsets of an agent. */
export function collectAvailableToolNames(options: CollectToolNamesOptions): string[] {
  return getToolNamesByToolsets(collectToolsets(options));
}

/**
 * Returns the toolsets of an agent: those of its profile, memory and skill when enabled, crew for a master. A crew member has no person to ask and
 * no plan of its own: it gets base, and what its profile lists beyond the default toolsets.
 */
export function collectToolsets({ memoryEnabled, hasSkills, crewRole, toolsets = TOOLSET_DEFAULTS }: CollectToolNamesOptions): string[] {
  const isKept = (name: string) => !(TOOLSET_DEFAULTS as readonly string[]).includes(name) && name !== CREW_TOOLSET;
  if (crewRole === 'member') return [...new Set(['base', ...toolsets.filter(isKept)])];
  const wanted = [
    ...toolsets,
    ...(memoryEnabled ? ['memory'] : []),
    ...(hasSkills ? ['skill'] : []),
    ...(crewRole === 'master' ? [CREW_TOOLSET] : []),
  ];
  return [...new Set(wanted)];
}

function renderCrew({ locale, crewRole, members = [] }: StablePromptParams, words: ConditionWords): string {
  if (!crewRole) return '';
  const { [crewRole]: section, membersIntro } = promptTexts(locale).crew;
  const rules = renderSection(section, words);
  if (crewRole === 'member' || members.length === 0) return rules;
  return [
    rules,
    membersIntro,
    ...members.map(({ name, description }) => `- ${[name, onOneLine(description ?? '')].filter(Boolean).join(': ')}`),
  ].join('\n');
}

function renderWorkspace({ locale, workspacePath, isolation }: StablePromptParams, words: ConditionWords): string {
  if (!workspacePath || !WORKSPACE_TOOLS.some(word => words.has(word))) return '';
  const { title, text, lines, commands } = promptTexts(locale).workspace;
  const reach = isolation && words.has('workspace:run') ? [commands[isolation]] : [];
  return [title, [text(workspacePath), ...chooseLines(lines, words), ...reach].join(locale === 'zh-CN' ? '' : ' ')].join('\n');
}

function renderLimits({ toolNames, locale, maxRounds }: StablePromptParams, words: ConditionWords): string {
  if (toolNames.length === 0) return '';
  const { title, rounds, lines } = promptTexts(locale).limits;
  const all = maxRounds === undefined ? lines : [{ text: rounds(maxRounds) }, ...lines];
  return renderSection({ title, lines: all }, words);
}

function renderSkills({ locale, skills = [], moreSkills = [] }: StablePromptParams, words: ConditionWords): string {
  if (skills.length === 0) return '';
  const { title, intro, more } = promptTexts(locale).skills;
  const lines = skills.map(skill => `- ${skill.name}: ${onOneLine(skill.description)}`);
  return [title, ...chooseLines(intro, words), ...lines, ...(moreSkills.length > 0 ? [more(moreSkills)] : [])].join('\n');
}

/** The prompt part of each memory, shared by the prompts that hold it. */
const memoryLines = new WeakMap<SavedFact, PromptPart>();

/** Renders saved facts, one line each, so that no fact can start a section. */
function memoryParts(memories: readonly SavedFact[], locale: ToolLocale): PromptPart[] {
  if (memories.length === 0) return [];
  const { title, intro } = promptTexts(locale).memories;
  return [{ text: `\n\n${title}\n${intro}` }, ...memories.map(lineOf)];
}

function lineOf(memory: SavedFact): PromptPart {
  const known = memoryLines.get(memory);
  if (known) return known;
  const line = { text: `\n- ${onOneLine(memory.text)}` };
  memoryLines.set(memory, line);
  return line;
}
