/** What the settings say about the sandbox, for the start and for the checks before it. */
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
