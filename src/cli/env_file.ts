/** Reads and changes the file .env of a gateway's directory; comments and the order of its lines stay. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const ENV_FILE = '.env';
/** Characters that need no quotation marks. */
const PLAIN = /^[\w./:@,+-]*$/;

/** Returns the path of the file of a directory. */
export const envFileOf = (directory: string): string => join(directory, ENV_FILE);

/** Resolves with the variables of the file; with none when there is no file. */
export async function readEnvFile(directory: string): Promise<NodeJS.Dict<string>> {
  return parseEnv(await readFile(envFileOf(directory), 'utf8').catch(() => ''));
}

/** Writes the variables into the file, which only its owner can read. */
export async function changeEnvFile(directory: string, values: Readonly<Record<string, string>>): Promise<void> {
  const file = envFileOf(directory);
  await writeFile(file, withVariables(await readFile(file, 'utf8'), values), { mode: 0o600 });
}

/** Returns the text with the variables in it: in the line that sets one, or shows it as a comment, else at the end. */
export function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((changed, [name, value]) => {
    const line = variableLine(name, value);
    const known = new RegExp(`^${name}=.*$`, 'm');
    const shown = new RegExp(`^# ?${name}=.*$`, 'm');
    const place = [known, shown].find(pattern => pattern.test(changed));
    // A function, because a value may hold a dollar sign.
    if (place) return changed.replace(place, () => line);
    return `${changed}${changed === '' || changed.endsWith('\n') ? '' : '\n'}${line}\n`;
  }, text);
}

/** Returns the line that sets a variable, which Node and systemd read alike. */
export function variableLine(name: string, value: string): string {
  if (PLAIN.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
}
