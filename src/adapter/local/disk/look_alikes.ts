/** Finds existing paths that look like a path that does not exist. */
import type { Workspace } from '../../../port/workspace';
import { foldName } from '../../../utils/look_alike_names';
import { someNames } from './list_entries';

/** A larger directory is not compared. */
const MAX_NAMES = 20_000;
const MAX_PATHS = 5;

/** Looks paths up. `inDirectory` gives `work` a path to the entries of a directory of the workspace. */
interface Lookup extends Pick<Workspace, 'stat'> {
  inDirectory(path: string, work: (directory: string) => Promise<string[]>): Promise<string[]>;
}

/**
 * Resolves with at most 5 existing paths that differ from `path` only in characters that look the same. A component that exists as written is kept.
 * `path`: relative to the root.
 */
export async function findLookAlikes(path: string, lookup: Lookup): Promise<string[]> {
  let found = ['.'];
  for (const name of path.split('/')) {
    const next = await Promise.all(found.map(directory => alikeIn(directory, name, lookup)));
    found = next.flat().slice(0, MAX_PATHS);
  }
  return found.filter(other => other !== path);
}

async function alikeIn(directory: string, name: string, { stat, inDirectory }: Lookup): Promise<string[]> {
  const join = (entry: string): string => (directory === '.' ? entry : `${directory}/${entry}`);
  const isThere = await stat(join(name)).then(
    () => true,
    () => false,
  );
  if (isThere) return [join(name)];
  const names = await inDirectory(directory, held => someNames(held, MAX_NAMES + 1)).catch(() => []);
  if (names.length > MAX_NAMES) return [];
  const folded = foldName(name);
  return names
    .filter(other => foldName(other) === folded)
    .sort()
    .map(join);
}
