/** Replaces `${NAME}` in configuration by variables of the environment, so that secrets need not stand in a file. */
import type { ConfigFile } from '../../port/config_files';

/** Returns the value of a variable; undefined when it is not set. */
export type Variables = (name: string) => string | undefined;

export interface Expansion {
  variables: Variables;
  /** Values that were put in, for hiding them; without directories, because results of tools name those. */
  secrets: string[];
}

/** Directories of the gateway, which are no secrets. */
const PLACES = new Set(['NETA_WORKSPACE', 'NETA_CONFIG_DIR']);

const REFERENCE = /\$\{([^}]*)\}/g;
const SECRET_WORD = /key|token|secret|passw|auth|credential|cookie/i;

/** Puts the values of variables into a text. Throws an error about the field when a variable is not set. */
export function expand(file: ConfigFile, pointer: string, text: string, { variables, secrets }: Expansion): string {
  return text.replace(REFERENCE, (_whole, name: string) => {
    const value = variables(name);
    if (value === undefined || value === '')
      throw file.problem(pointer, `the variable ${JSON.stringify(name)} cannot be used here or is not set`);
    if (!PLACES.has(name)) secrets.push(value);
    return value;
  });
}

export function expandAll(
  file: ConfigFile,
  pointer: string,
  texts: Readonly<Record<string, string>>,
  expansion: Expansion,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(file, `${pointer}/${key}`, text, expansion)]));
}

/** Command and arguments show in process lists, so they may name two directories and no other variable. */
export const placesOf =
  (variables: Variables): Variables =>
  name =>
    PLACES.has(name) ? variables(name) : undefined;

/** Returns true when values under this name are usually secrets. */
export const looksSecret = (name: string): boolean => SECRET_WORD.test(name);
