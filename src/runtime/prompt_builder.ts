/**
 * The system prompt of a run. What stays the same from turn to turn comes first and the time comes last, so that models' prompt caches, and
 * a caller that keeps `buildStablePrompt`, can reuse the long part.
 */
import { getToolNamesByToolsets, TOOLSET_DEFAULTS } from '../tools/catalog';
import type { ToolLocale } from '../tools/common';
import { chooseLines, getToolBehaviorGuidance, getToolUseEnforcement, joinBlocks, promptTexts, renderSection } from './prompt_guidance';
import { type RuntimeContext, renderRuntimeContext } from './runtime_context';

type CrewRole = 'master' | 'member';

interface StablePromptParams {
  /** Names of exactly the tools that go to the model. */
  toolNames: readonly string[];
  locale: ToolLocale;
  /** Text of the agent's profile: who it is and how it talks. */
  persona?: string;
  /** Root of the workspace as the tools accept it. */
  workspacePath?: string;
  /** Saved facts, one text each. No run passes memories, skills or a role yet. */
  memories?: readonly string[];
  /** Enabled skills; their full text is loaded on demand. */
  skills?: readonly { name: string; description: string }[];
  crewRole?: CrewRole;
}

interface CollectToolNamesOptions {
  memoryEnabled: boolean;
  hasSkills: boolean;
  crewRole?: CrewRole;
}

/** Everything but the time. The same parameters give the same text. */
export function buildStablePrompt(params: StablePromptParams): string {
  const { toolNames, locale, persona, crewRole } = params;
  const texts = promptTexts(locale);
  return joinBlocks([
    texts.identity.join('\n'),
    persona?.trim() ? `${texts.personaTitle}\n${persona.trim()}` : '',
    crewRole ? renderSection(texts.crew[crewRole], toolNames) : '',
    getToolUseEnforcement(toolNames, locale),
    getToolBehaviorGuidance(toolNames, locale),
    renderWorkspace(params),
    renderSkills(params),
    renderMemories(params),
  ]);
}

/** The stable part with the time of this turn as its last block. */
export function appendRuntimeContext(stablePrompt: string, context: RuntimeContext): string {
  return joinBlocks([stablePrompt, renderRuntimeContext(context)]);
}

/**
 * Names of the catalog's tools for an agent: the default toolsets, memory and skill when enabled, crew for a master. A crew member gets the
 * base tools alone: it has no person to ask and no plan of its own. No run uses this yet: today the profile of an agent alone decides.
 */
export function collectAvailableToolNames({ memoryEnabled, hasSkills, crewRole }: CollectToolNamesOptions): string[] {
  if (crewRole === 'member') return getToolNamesByToolsets(['base']);
  return getToolNamesByToolsets([
    ...TOOLSET_DEFAULTS,
    ...(memoryEnabled ? ['memory'] : []),
    ...(hasSkills ? ['skill'] : []),
    ...(crewRole === 'master' ? ['crew'] : []),
  ]);
}

function renderWorkspace({ toolNames, locale, workspacePath }: StablePromptParams): string {
  if (!workspacePath || toolNames.length === 0) return '';
  const { title, text } = promptTexts(locale).workspace;
  return `${title}\n${text(workspacePath)}`;
}

function renderSkills({ toolNames, locale, skills = [] }: StablePromptParams): string {
  if (skills.length === 0) return '';
  const { title, intro } = promptTexts(locale).skills;
  return [title, ...chooseLines(intro, toolNames), ...skills.map(skill => `- ${skill.name}: ${onOneLine(skill.description)}`)].join('\n');
}

function renderMemories({ locale, memories = [] }: StablePromptParams): string {
  if (memories.length === 0) return '';
  const { title, intro } = promptTexts(locale).memories;
  return [title, intro, ...memories.map(memory => `- ${onOneLine(memory)}`)].join('\n');
}

/** Stored text must not be able to start a section of its own. */
const onOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');
