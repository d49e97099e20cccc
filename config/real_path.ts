import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Resolves the symlinks of an absolute path, as far as the path exists. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** Returns whether `path` is `directory` or below it. Both must come from `realPathOf`. */
export const holds = (directory: string, path: string): boolean =>
  `${path}${sep}`.startsWith(directory.endsWith(sep) ? directory : directory + sep);
