/** Reads manifests and tool settings from the configuration directory, and reports their changes. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ConfigFile, ConfigFileError } from '../../port/config_files';
import type { ManifestFile, ManifestFiles, SettingsFile } from '../../port/manifest_files';
import { contentHash } from '../../utils/content_hash';
import { mapLimited } from '../../utils/map_limited';
import { DirectoryWatch } from '../local/directory_watch';
import { parseYaml } from './yaml_file';

export const TOOLS_FOLDER = 'tools';
const SETTINGS_FOLDER = 'tool-settings';
const MANIFEST = 'manifest.yaml';
/** Manifests beyond these are not read. */
const MAX_MANIFESTS = 200;
const PARALLEL_FILES = 8;

/** `configDir`: absolute; its folders may be missing. */
export function createManifestDirectory(configDir: string): ManifestFiles {
  return new ManifestDirectory(configDir);
}

class ManifestDirectory implements ManifestFiles {
  private changes: DirectoryWatch | undefined;

  constructor(private readonly configDir: string) {}

  async readManifests(): Promise<ManifestFile[]> {
    // Watch first, so that a change during the reading is reported.
    await this.changes?.update();
    const all = await this.manifestNames();
    const names = all.slice(0, MAX_MANIFESTS);
    const files = await mapLimited(names, PARALLEL_FILES, async name => {
      const file = await this.read(name);
      const folder = dirname(join(this.configDir, name));
      return file && { ...file, folder: await realpath(folder).catch(() => folder) };
    });
    return [...files.filter(file => file !== undefined), ...(all.length > names.length ? [this.tooMany()] : [])];
  }

  readSettings(tool: string): Promise<SettingsFile | undefined> {
    return this.read(`${SETTINGS_FOLDER}/${tool}.yaml`);
  }

  readExample(tool: string): Promise<SettingsFile | undefined> {
    return this.read(`${SETTINGS_FOLDER}/${tool}.yaml.example`);
  }

  watch(onChange: () => void): void {
    this.changes ??= new DirectoryWatch({ listDirectories: () => this.watchedDirectories(), onChange });
  }

  close(): void {
    this.changes?.close();
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
  private async read(name: string): Promise<SettingsFile | undefined> {
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
