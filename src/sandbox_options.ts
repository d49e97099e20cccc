/** What the settings say about the sandbox, for the start and for the checks before it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realPathOf } from '../config/real_path';
import type { Settings } from '../config/settings';

/** Returns the directories that commands and tools must not see. */
export const hiddenPlaces = ({ dataDir, configDir, workspaceStore: { directory } }: Settings): string[] => [
  dataDir,
  configDir,
  ...(directory === undefined ? [] : [directory]),
];

/** Returns the options of the sandbox. `root`: real path of the workspace. */
export const sandboxOptions = (settings: Settings, root: string) => ({
  root,
  hidden: hiddenPlaces(settings),
  scratchBytes: settings.shell.memoryBytes / 2,
  path: settings.toolEnvironment['PATH'],
});

/** Returns the directories of the gateway that tools of manifests may read. */
export function programFolders(programDir: string): { packages: string[]; helpers: string } {
  const at = (path: string) => realPathOf(join(programDir, path));
  return { packages: [at('dist/node_modules'), at('node_modules')].filter(path => existsSync(path)), helpers: at('tool-helpers') };
}
