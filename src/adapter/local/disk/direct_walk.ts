/** Walks a path on the calling thread. For a root on a local disk: the walk follows no symlink, so it stays on that disk. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { descriptorPath } from './descriptor_paths';

/** Refers to the file without opening it: has no effect on a FIFO or a device. Missing in Node's constants. */
export const O_PATH = 0o10000000;
/** The most steps of a walk; a longer walk is quicker in the thread pool. */
const MAX_STEPS = 3;

/**
 * Returns a descriptor of the file or directory at the path; undefined when a symlink is on the way, when the path is long, and when the walk fails.
 * `root` and `absolute`: normalised, the second inside the first. `flags`: more flags for the last step.
 */
export function walkDirectly(root: string, absolute: string, flags: number): number | undefined {
  const names = relative(root, absolute).split(sep);
  if (names.length > MAX_STEPS) return undefined;
  const open: number[] = [];
  try {
    for (const [i, name] of names.entries()) {
      const parent = open.at(-1);
      const path = join(parent === undefined ? root : descriptorPath(parent), name);
      // Neither flag lets the step follow a symlink; it fails, or the descriptor is one of the symlink.
      open.push(openSync(path, O_PATH | constants.O_NOFOLLOW | (i === names.length - 1 ? flags : constants.O_DIRECTORY)));
    }
    const last = open.at(-1);
    if (last === undefined || fstatSync(last).isSymbolicLink()) return undefined;
    open.pop();
    return last;
  } catch {
    return undefined;
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
