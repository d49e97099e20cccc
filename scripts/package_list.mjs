/** Says which packages are in a bundle. */
import { root } from './build_if_needed.mjs';

const DIRECTORY = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Returns the directories of the packages that the modules are from, relative to the root and sorted. `modules`: ids of a bundler. */
export function packagesOf(modules) {
  const directories = modules.flatMap(id => (id.startsWith(root) ? (DIRECTORY.exec(id.slice(root.length + 1))?.[0] ?? []) : []));
  return [...new Set(directories)].sort();
}
