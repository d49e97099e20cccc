/** The parts of the prompt that depend on which tools the model can call. A tool that is not in the list is never named. */
import type { ToolLocale } from '../tools/common';
import { EN_PROMPT } from './prompts/en';
import { GUIDED_TOOLS, type PromptLine, type PromptSection, type PromptTexts } from './prompts/prompt_texts';
import { ZH_CN_PROMPT } from './prompts/zh-CN';

const TEXTS: Readonly<Record<ToolLocale, PromptTexts>> = { en: EN_PROMPT, 'zh-CN': ZH_CN_PROMPT };

export const promptTexts = (locale: ToolLocale): PromptTexts => TEXTS[locale];

/** The rules for acting, then one line per tool saying when to use it, then what to check first. Without tools: only what makes sense without. */
export function getToolUseEnforcement(toolNames: readonly string[], locale: ToolLocale = 'en'): string {
  const texts = promptTexts(locale);
  const rules = toolNames.length > 0 ? texts.rules : texts.rulesWithoutTools;
  return joinBlocks([
    renderSection({ title: texts.rulesTitle, lines: rules }, toolNames),
    renderSection({ title: texts.scenariosTitle, lines: texts.scenarios }, toolNames),
    renderSection(texts.checks, toolNames),
  ]);
}

/** Strategy texts of the tools that have one and are in the list; '' when there are none. */
export function getToolBehaviorGuidance(toolNames: readonly string[], locale: ToolLocale = 'en'): string {
  const { behaviors } = promptTexts(locale);
  return joinBlocks(GUIDED_TOOLS.filter(name => toolNames.includes(name)).map(name => renderSection(behaviors[name], toolNames)));
}

/** The lines that may be said when these tools are there. */
export function chooseLines(lines: readonly PromptLine[], toolNames: readonly string[]): string[] {
  const isThere = (need: string) => need.split('|').some(name => toolNames.includes(name));
  return lines
    .filter(({ needs = [], lacks = [] }) => needs.every(isThere) && !lacks.some(name => toolNames.includes(name)))
    .map(line => line.text);
}

/** The section as a Markdown list under its title; '' when none of its lines applies. */
export function renderSection({ title, lines }: PromptSection, toolNames: readonly string[]): string {
  const chosen = chooseLines(lines, toolNames);
  return chosen.length > 0 ? [title, ...chosen.map(line => `- ${line}`)].join('\n') : '';
}

/** Blocks with an empty line between them; empty blocks are left out. */
export const joinBlocks = (blocks: readonly string[]): string => blocks.filter(block => block !== '').join('\n\n');
