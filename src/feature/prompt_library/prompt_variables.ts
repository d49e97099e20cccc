/** Variables of a prompt: `{{name}}` in its text. Pure. */
import type { PromptVariable } from './store/prompt_records';

const VARIABLE = /\{\{\s*([^{}\s]{1,40})\s*\}\}/g;

/** Returns the names of the variables in the text, each once, in the order of the text. */
export const namesOfVariables = (text: string): string[] => [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];

/** Returns one variable for each name in the text, with the label and default that `described` has for it. */
export const variablesOf = (text: string, described: readonly PromptVariable[]): PromptVariable[] =>
  namesOfVariables(text).map(name => described.find(variable => variable.name === name) ?? { name });
