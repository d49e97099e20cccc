/** Reads the YAML files of the configuration directory, those of manifests and tool settings too, and reports their changes. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ConfigFile, ConfigFileError, type ConfigFiles, type ManifestFile, type SettingsFile } from '../../port/config_files';
import { contentHash } from '../../utils/content_hash';
import { mapLimited } from '../../utils/map_limited';
import { DirectoryWatch } from '../local/disk/directory_watch';
import { parseYaml } from './yaml_file';

export const TOOLS_FOLDER = 'tools';
const SETTINGS_FOLDER = 'tool-settings';
const MANIFEST = 'manifest.yaml';
/** Manifests beyond these are not read. */
const MAX_MANIFESTS = 200;
const PARALLEL_FILES = 8;

/** `configDir`: absolute; it and its folders may be missing. */
export function createConfigDirectory(configDir: string): ConfigFiles {
  return new ConfigDirectory(configDir);
}

class ConfigDirectory implements ConfigFiles {
  private readonly watches: DirectoryWatch[] = [];
  private manifestChanges: DirectoryWatch | undefined;

  constructor(private readonly configDir: string) {}

  async readFile(name: string): Promise<ConfigFile | undefined> {
    const text = await readFile(join(this.configDir, name), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return undefined;
      throw new Error(`${name}: ${thrown.message}.`);
    });
    return text === undefined ? undefined : parseYaml(name, text);
  }

  async readFolder(name: string, onBroken?: (file: string, thrown: unknown) => void): Promise<ConfigFile[]> {
    const entries = await readdir(join(this.configDir, name)).catch(() => [] as string[]);
    const files: ConfigFile[] = [];
    for (const entry of entries.filter(file => /\.ya?ml$/.test(file)).sort()) {
      const file = await this.readFile(`${name}/${entry}`).catch((thrown: unknown) => {
        if (!onBroken) throw thrown;
        onBroken(`${name}/${entry}`, thrown);
        return undefined;
      });
      if (file) files.push(file);
    }
    return files;
  }

  async readManifests(): Promise<ManifestFile[]> {
    // Watch first, so that a change during the reading is reported.
    await this.manifestChanges?.update();
    const all = await this.manifestNames();
    const names = all.slice(0, MAX_MANIFESTS);
    const files = await mapLimited(names, PARALLEL_FILES, async name => {
      const file = await this.readVersion(name);
      const folder = dirname(join(this.configDir, name));
      return file && { ...file, folder: await realpath(folder).catch(() => folder) };
    });
    return [...files.filter(file => file !== undefined), ...(all.length > names.length ? [this.tooMany()] : [])];
  }

  readSettings(tool: string): Promise<SettingsFile | undefined> {
    return this.readVersion(`${SETTINGS_FOLDER}/${tool}.yaml`);
  }

  readExample(tool: string): Promise<SettingsFile | undefined> {
    return this.readVersion(`${SETTINGS_FOLDER}/${tool}.yaml.example`);
  }

  /** A change of any file beside it is reported too, so readers compare what they read with what they had. */
  watchFile(name: string, onChange: () => void): void {
    const folder = dirname(join(this.configDir, name));
    // Some editors and mounts replace the directory itself.
    const watch: DirectoryWatch = this.addWatch(
      async () => [folder],
      () => {
        void watch.update();
        onChange();
      },
    );
    void watch.update();
  }

  watchManifests(onChange: () => void): void {
    this.manifestChanges ??= this.addWatch(() => this.watchedDirectories(), onChange);
  }

  close(): void {
    for (const watch of this.watches) watch.close();
  }

  private addWatch(listDirectories: () => Promise<string[]>, onChange: () => void): DirectoryWatch {
    const watch = new DirectoryWatch({ listDirectories, onChange });
    this.watches.push(watch);
    return watch;
  }

  private async manifestNames(): Promise<string[]> {
    const entries = await this.toolEntries();
    const names = entries.flatMap(entry => {
      if (/\.ya?ml$/.test(entry.name)) return [entry.name];
      return entry.isFile() ? [] : [`${entry.name}/${MANIFEST}`];
    });
    return names.map(name => `${TOOLS_FOLDER}/${name}`).sort();
  }

  private tooMany(): ManifestFile {
    const reason = `has more than ${MAX_MANIFESTS} manifests; the rest is not read`;
    const content = new ConfigFileError(`${TOOLS_FOLDER}: ${reason}.`, { file: TOOLS_FOLDER, field: '', reason });
    return { name: TOOLS_FOLDER, folder: join(this.configDir, TOOLS_FOLDER), version: reason, content };
  }

  private async toolEntries() {
    const entries = await readdir(join(this.configDir, TOOLS_FOLDER), { withFileTypes: true }).catch(() => []);
    return entries.filter(({ name }) => !name.startsWith('.'));
  }

  /** Reads and parses a file. Resolves undefined for a file that does not exist. */
  private async readVersion(name: string): Promise<SettingsFile | undefined> {
    let text: string;
    try {
      text = await readFile(join(this.configDir, name), 'utf8');
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      const reason = `cannot be read (${code ?? 'unknown error'})`;
      return { name, version: reason, content: new ConfigFileError(`${name}: ${reason}.`, { file: name, field: '', reason }) };
    }
    return { name, version: contentHash(text), content: parsed(name, text) };
  }

  /** The directories whose entries matter. While a folder is missing, the configuration directory reports that it appears. */
  private async watchedDirectories(): Promise<string[]> {
    const folders = [TOOLS_FOLDER, SETTINGS_FOLDER].map(name => join(this.configDir, name));
    const entries = await this.toolEntries();
    const inner = entries.filter(entry => !entry.isFile()).map(({ name }) => join(this.configDir, TOOLS_FOLDER, name));
    const found = await Promise.all(folders.map(folder => stat(folder).catch(() => undefined)));
    return [...(found.every(Boolean) ? [] : [this.configDir]), ...folders, ...inner];
  }
}

function parsed(name: string, text: string): ConfigFile | ConfigFileError {
  try {
    return parseYaml(name, text);
  } catch (thrown) {
    if (thrown instanceof ConfigFileError) return thrown;
    throw thrown;
  }
}
