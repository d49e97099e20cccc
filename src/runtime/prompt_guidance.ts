/** The sections of the prompt about tools. They are read from the tools themselves, so the prompt never names a tool that the model cannot call. */
import { getSchema } from '../tools/catalog';
import type { ToolLocale, ToolSpec } from '../tools/common';
import type { ClarifyMode, LineCondition, ToolPromptFields, ToolPromptLine } from '../tools/tool_prompt';
import { firstSentence, toolTexts } from '../tools/tool_spec';
import { clipStart } from '../utils/clip_text';
import { EN_PROMPT } from './prompts/en';
import type { PromptLine, PromptSection, PromptTexts } from './prompts/prompt_texts';
import { ZH_CN_PROMPT } from './prompts/zh-CN';

const TEXTS: Readonly<Record<ToolLocale, PromptTexts>> = { en: EN_PROMPT, 'zh-CN': ZH_CN_PROMPT };

/** Returns the texts of the prompt in a language. */
export const promptTexts = (locale: ToolLocale): PromptTexts => TEXTS[locale];

/** The fields of a tool that the prompt reads. */
export type PromptTool = ToolPromptFields & Pick<ToolSpec, 'name' | 'label' | 'description' | 'workspace' | 'translations'>;

/** The words that conditions of prompt lines are about: names of tools, and `workspace:` with a trait. */
export type ConditionWords = ReadonlySet<string>;

const MAX_USE_UNITS = 300;
const DEFAULT_ORDER = 100;

/**
 * Returns the rules for acting, one line per tool that says when to use it, and what to check first. Without tools it returns the rules for an agent
 * without tools. `tools`: definitions of tools that are not in the catalog, or that replace the catalog's.
 */
export function getToolUseEnforcement(toolNames: readonly string[], locale: ToolLocale = 'en', tools: readonly PromptTool[] = []): string {
  const texts = promptTexts(locale);
  const specs = promptTools(toolNames, tools);
  const words = conditionWords(toolNames, specs);
  const sorted = sortByOrder(specs, tool => tool.promptOrder);
  const uses = sorted.flatMap(tool => whenToUseLines(tool, locale));
  const checks = sorted.flatMap(tool => toPromptLines(tool.beforeUse ?? [], locale));
  const rules = toolNames.length > 0 ? texts.rules : texts.rulesWithoutTools;
  return joinBlocks([
    renderSection({ title: texts.rulesTitle, lines: rules }, words),
    renderSection({ title: texts.scenariosTitle, lines: uses }, words),
    renderSection({ title: texts.checksTitle, lines: checks }, words),
  ]);
}

export interface GuidanceOptions {
  /** Whether the run waits for answers. Default: `wait`. */
  clarify?: ClarifyMode;
  /** Definitions of tools, as in `getToolUseEnforcement`. */
  tools?: readonly PromptTool[];
}

/** Returns the section of each tool that says how to use it well; '' when no tool has one. */
export function getToolBehaviorGuidance(
  toolNames: readonly string[],
  locale: ToolLocale = 'en',
  { clarify = 'wait', tools = [] }: GuidanceOptions = {},
): string {
  const specs = promptTools(toolNames, tools);
  const words = conditionWords(toolNames, specs);
  const guides = sortByOrder(
    specs.flatMap(({ howToUse }) => howToUse ?? []),
    guide => guide.order,
  );
  return joinBlocks(
    guides.map(({ title, lines }) => renderSection({ title: title[locale], lines: toPromptLines(lines, locale) }, words, clarify)),
  );
}

/** Returns the definitions of the named tools in the order of the names, from `tools` or else from the catalog. Leaves out unknown names. */
export function promptTools(toolNames: readonly string[], tools: readonly PromptTool[] = []): PromptTool[] {
  const given = new Map(tools.map(tool => [tool.name, tool]));
  return toolNames.flatMap(name => given.get(name) ?? getSchema(name) ?? []);
}

export function conditionWords(toolNames: readonly string[], tools: readonly PromptTool[]): ConditionWords {
  return new Set([...toolNames, ...tools.flatMap(({ workspace }) => (workspace ? [`workspace:${workspace}`] : []))]);
}

/** Returns the texts of the lines whose condition holds. */
export function chooseLines(lines: readonly PromptLine[], words: ConditionWords, clarify: ClarifyMode = 'wait'): string[] {
  return lines.filter(line => isIncluded(line, words, clarify)).map(line => line.text);
}

function isIncluded({ needs = [], lacks = [], clarify: mode }: LineCondition, words: ConditionWords, clarify: ClarifyMode): boolean {
  if (mode !== undefined && mode !== clarify) return false;
  return needs.every(need => need.split('|').some(word => words.has(word))) && !lacks.some(word => words.has(word));
}

/** Sorts stably: items with the same number stay in their order. */
function sortByOrder<T>(items: readonly T[], orderOf: (item: T) => number | undefined): T[] {
  return items.toSorted((a, b) => (orderOf(a) ?? DEFAULT_ORDER) - (orderOf(b) ?? DEFAULT_ORDER));
}

/**
 * Returns the lines of one tool that say when to use it, with their conditions.
 * @public scripts/tool_docs.mjs calls it in the build.
 */
export function whenToUseLines(tool: PromptTool, locale: ToolLocale): PromptLine[] {
  const { name, whenToUse } = tool;
  if (Array.isArray(whenToUse)) return toPromptLines(whenToUse as readonly ToolPromptLine[], locale);
  const { whenToUse: clause, description } = toolTexts(tool, locale);
  if (clause === '') return [];
  const text = clause === undefined ? `${name}: ${firstSentence(description)}` : `${clause} → ${name}${locale === 'zh-CN' ? '。' : '.'}`;
  return [{ text: clipStart(onOneLine(text), MAX_USE_UNITS) }];
}

const toPromptLines = (lines: readonly ToolPromptLine[], locale: ToolLocale): PromptLine[] =>
  lines.map(line => ({ ...line, text: onOneLine(line[locale]) }));

/** Puts a text on one line, so that text from elsewhere cannot start a section of the prompt. */
export function onOneLine(text: string): string {
  const trimmed = text.trim();
  // Most texts are one line already, and replacing would copy them.
  return /[^\S ]| {2}/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}

/** Renders a section as a Markdown list under its title; '' when none of its lines applies. */
export function renderSection({ title, lines }: PromptSection, words: ConditionWords, clarify?: ClarifyMode): string {
  const chosen = chooseLines(lines, words, clarify);
  return chosen.length > 0 ? [title, ...chosen.map(line => `- ${line}`)].join('\n') : '';
}

/** Joins blocks with an empty line between them. Leaves out empty blocks. */
export const joinBlocks = (blocks: readonly string[]): string => blocks.filter(block => block !== '').join('\n\n');
