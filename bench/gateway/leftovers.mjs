/** Ends the programs of a bench and removes its temporary directories when the bench ends, also by an error or a signal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set();
const directories = new Set();

export function killAtExit(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** The caller may remove the directory earlier. */
export function makeTemporaryDirectory(prefix) {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  directories.add(directory);
  return directory;
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  // A program that is just ending may still write: try again.
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
