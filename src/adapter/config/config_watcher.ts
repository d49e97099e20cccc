/** Watches files of the configuration directory. A change of any file there is reported, so readers compare what they read with what they had. */
import { dirname, join } from 'node:path';
import type { ConfigWatch } from '../../port/config_watch';
import { DirectoryWatch } from '../local/directory_watch';

export function createConfigWatcher(directory: string): ConfigWatch {
  const watches: DirectoryWatch[] = [];
  return {
    watchFile(name, onChange) {
      const folder = dirname(join(directory, name));
      // Some editors and mounts replace the directory itself.
      const watch: DirectoryWatch = new DirectoryWatch({
        listDirectories: async () => [folder],
        onChange: () => {
          void watch.update();
          onChange();
        },
      });
      watches.push(watch);
      void watch.update();
    },
    close: () => {
      for (const watch of watches) watch.close();
    },
  };
}
