/** The parts of the prompt that depend on which tools the model can call. A tool that is not in the list is never named. */
import type { ToolLocale, ToolSpec } from '../tools/common';
import { clipStart } from '../utils/clip_text';
import { EN_PROMPT } from './prompts/en';
import { type ClarifyMode, GUIDED_TOOLS, type PromptLine, type PromptSection, type PromptTexts } from './prompts/prompt_texts';
import { ZH_CN_PROMPT } from './prompts/zh-CN';

const TEXTS: Readonly<Record<ToolLocale, PromptTexts>> = { en: EN_PROMPT, 'zh-CN': ZH_CN_PROMPT };

export const promptTexts = (locale: ToolLocale): PromptTexts => TEXTS[locale];

/** The fields of a tool that make its prompt line when the prompt texts do not know the tool. */
export type ToolUse = Pick<ToolSpec, 'name' | 'description' | 'whenToUse' | 'translations'>;

const MAX_USE_UNITS = 300;

/**
 * The rules for acting, then one line per tool saying when to use it, then what to check first. Without tools: only what makes sense without.
 * `tools`: definitions; those that the texts do not know get their line from there.
 */
export function getToolUseEnforcement(toolNames: readonly string[], locale: ToolLocale = 'en', tools: readonly ToolUse[] = []): string {
  const texts = promptTexts(locale);
  const rules = toolNames.length > 0 ? texts.rules : texts.rulesWithoutTools;
  const scenarios = [...texts.scenarios, ...ownLines(texts, locale, tools)];
  return joinBlocks([
    renderSection({ title: texts.rulesTitle, lines: rules }, toolNames),
    renderSection({ title: texts.scenariosTitle, lines: scenarios }, toolNames),
    renderSection(texts.checks, toolNames),
  ]);
}

/** Strategy texts of the tools that have one and are in the list; '' when there are none. */
export function getToolBehaviorGuidance(toolNames: readonly string[], locale: ToolLocale = 'en', clarify: ClarifyMode = 'wait'): string {
  const { behaviors } = promptTexts(locale);
  return joinBlocks(GUIDED_TOOLS.filter(name => toolNames.includes(name)).map(name => renderSection(behaviors[name], toolNames, clarify)));
}

/** The lines that may be said when these tools are there. */
export function chooseLines(lines: readonly PromptLine[], toolNames: readonly string[], clarify: ClarifyMode = 'wait'): string[] {
  const isThere = (need: string) => need.split('|').some(name => toolNames.includes(name));
  return lines
    .filter(line => line.clarify === undefined || line.clarify === clarify)
    .filter(({ needs = [], lacks = [] }) => needs.every(isThere) && !lacks.some(name => toolNames.includes(name)))
    .map(line => line.text);
}

/** One line for each tool that no scenario names. */
function ownLines({ scenarios }: PromptTexts, locale: ToolLocale, tools: readonly ToolUse[]): PromptLine[] {
  const known = new Set(scenarios.flatMap(({ needs = [] }) => needs));
  return tools.filter(({ name }) => !known.has(name)).flatMap(tool => ownLine(tool, locale));
}

function ownLine({ name, description, whenToUse, translations }: ToolUse, locale: ToolLocale): PromptLine[] {
  const translation = locale === 'zh-CN' ? translations?.['zh-CN'] : undefined;
  const use = translation?.whenToUse ?? whenToUse;
  if (use === '') return [];
  const end = locale === 'zh-CN' ? '。' : '.';
  const text = use === undefined ? `${name}: ${firstSentence(translation?.description ?? description)}` : `${use} → ${name}${end}`;
  return [{ text: clipStart(onOneLine(text), MAX_USE_UNITS), needs: [name] }];
}

/** A full stop inside brackets, a name or a number does not end a sentence. */
const firstSentence = (text: string): string => /^.*?(?:[.](?=\s)|。|$)/s.exec(text)?.[0] ?? text;

/** Text from elsewhere must not be able to start a section of its own. */
export const onOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** The section as a Markdown list under its title; '' when none of its lines applies. */
export function renderSection({ title, lines }: PromptSection, toolNames: readonly string[], clarify?: ClarifyMode): string {
  const chosen = chooseLines(lines, toolNames, clarify);
  return chosen.length > 0 ? [title, ...chosen.map(line => `- ${line}`)].join('\n') : '';
}

/** Blocks with an empty line between them; empty blocks are left out. */
export const joinBlocks = (blocks: readonly string[]): string => blocks.filter(block => block !== '').join('\n\n');
