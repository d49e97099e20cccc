/** Finds the living processes of this machine. */
import { readdir, readFile } from 'node:fs/promises';

/** Returns the command lines, with words joined by spaces, of the living processes that have `text` among their words. */
export async function findProcesses(text: string): Promise<string[]> {
  const names = await readdir('/proc');
  const lines = await Promise.all(
    names.filter(name => /^\d+$/.test(name)).map(name => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.map(line => line.split('\0').filter(Boolean)).flatMap(words => (words.includes(text) ? [words.join(' ')] : []));
}
