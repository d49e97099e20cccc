/** Variables of a prompt: `{{name}}` in its text. The server and the page use it. */

export interface PromptVariable {
  /** As in the text, between `{{` and `}}`. */
  name: string;
  /** The question of the form; absent: the name. */
  label?: string;
  /** The value that the form offers. */
  default?: string;
}

const VARIABLE = /\{\{\s*([^{}\s]{1,40})\s*\}\}/g;

/** Returns the names of the variables in the text, each once, in the order of the text. */
export const namesOfVariables = (text: string): string[] => [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];

/** Returns one variable for each name in the text, with the label and default that `described` has for it. */
export const variablesOf = (text: string, described: readonly PromptVariable[]): PromptVariable[] =>
  namesOfVariables(text).map(name => described.find(variable => variable.name === name) ?? { name });

/** Puts the values, by name, in the place of the variables. */
export const fillVariables = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replace(VARIABLE, (whole, name: string) => values[name] ?? whole);
