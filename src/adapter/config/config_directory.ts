/** Reads the operator's YAML files from a directory. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigFile, ConfigFiles } from '../../port/config_files';
import { parseYaml } from './yaml_file';

/** Creates the reader of the configuration directory, which is absolute and may be missing. */
export function createConfigDirectory(directory: string): ConfigFiles {
  const read = async (name: string): Promise<ConfigFile | undefined> => {
    const text = await readFile(join(directory, name), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return undefined;
      throw new Error(`${name}: ${thrown.message}.`);
    });
    return text === undefined ? undefined : parseYaml(name, text);
  };
  return {
    readFile: read,
    async readFolder(name, onBroken) {
      const entries = await readdir(join(directory, name)).catch(() => [] as string[]);
      const files: ConfigFile[] = [];
      for (const entry of entries.filter(file => /\.ya?ml$/.test(file)).sort()) {
        const file = await read(`${name}/${entry}`).catch((thrown: unknown) => {
          if (!onBroken) throw thrown;
          onBroken(`${name}/${entry}`, thrown);
          return undefined;
        });
        if (file) files.push(file);
      }
      return files;
    },
  };
}
