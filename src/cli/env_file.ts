/** Reads and changes the file .env of a gateway's directory; comments and the order of its lines stay. */
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
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

/** Writes the variables into the file, which only its owner can read. The file is replaced as a whole, and keeps its owner. */
export async function changeEnvFile(directory: string, values: Readonly<Record<string, string>>): Promise<void> {
  const file = await realpath(envFileOf(directory));
  await replaceFile(file, withVariables(await readFile(file, 'utf8'), values));
}

/** A crash leaves the old file or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const { uid, gid } = await stat(file);
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    if (process.getuid?.() !== uid) await handle.chown(uid, gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
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
