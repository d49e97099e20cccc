import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Where an absolute path leads, symlinks followed as far as it exists. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** Whether `path` is `directory` or below it; both as `realPathOf` gives them. */
export const holds = (directory: string, path: string): boolean =>
  `${path}${sep}`.startsWith(directory.endsWith(sep) ? directory : directory + sep);
