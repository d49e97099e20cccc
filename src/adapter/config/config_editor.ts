/** Reads and writes the files of the configuration directory as text. */
import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigEditError, type ConfigEditor, type ConfigFileFacts } from '../../port/config_files';
import { contentHash } from '../../utils/content_hash';
import { replaceOwnFile } from '../local/disk/replace_file';
import { parseYaml } from './yaml_file';

/** Folders whose YAML files the gateway reads. */
const FOLDERS = ['agents', 'tools', 'tool-settings'];
const NEW_MODE = 0o644;
/** Files beyond these are not listed. */
const MAX_LISTED = 1_000;

export function createConfigEditor(directory: string): ConfigEditor {
  return new DirectoryEditor(directory);
}

class DirectoryEditor implements ConfigEditor {
  /** Write in progress. Writes run one after the other: each compares with the text that the write before has left. */
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly directory: string) {}

  async listFiles(): Promise<ConfigFileFacts[]> {
    const names = [
      ...(await this.yamlIn('')),
      ...(await Promise.all(FOLDERS.map(folder => this.yamlIn(`${folder}/`)))).flat(),
      ...(await this.filesBelow('tools', 'manifest.yaml')),
      ...(await this.filesBelow('skills', 'SKILL.md')),
    ];
    const found = await Promise.all(
      names
        .sort()
        .slice(0, MAX_LISTED)
        .map(name => this.factsOf(name)),
    );
    return found.filter(facts => facts !== undefined);
  }

  async readText(name: string) {
    const text = await readFile(join(this.directory, name), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return undefined;
      throw thrown;
    });
    return text === undefined ? undefined : { text, hash: contentHash(text) };
  }

  async isWritable(): Promise<boolean> {
    return access(this.directory, constants.W_OK).then(
      () => true,
      () => false,
    );
  }

  parse = parseYaml;

  writeText(name: string, text: string, baseHash: string | undefined): Promise<void> {
    const write = this.writing.then(() => this.write(name, text, baseHash));
    this.writing = write.catch(() => {});
    return write;
  }

  private async write(name: string, text: string, baseHash: string | undefined): Promise<void> {
    const now = await this.readText(name);
    if (now?.hash !== baseHash) throw new ConfigEditError('changed', `${name} was changed in the meantime.`);
    const path = join(this.directory, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      const old = await stat(path).catch(() => undefined);
      await replaceOwnFile(path, Buffer.from(text));
      await chmod(path, old ? old.mode & 0o777 : NEW_MODE);
    } catch (thrown) {
      throw new ConfigEditError('read_only', `${name} cannot be written (${(thrown as NodeJS.ErrnoException).code}).`, { cause: thrown });
    }
  }

  private async yamlIn(folder: string): Promise<string[]> {
    const entries = await readdir(join(this.directory, folder), { withFileTypes: true }).catch(() => []);
    return entries.filter(entry => /\.ya?ml$/.test(entry.name) && !entry.isDirectory()).map(entry => `${folder}${entry.name}`);
  }

  private async filesBelow(folder: string, file: string): Promise<string[]> {
    const entries = await readdir(join(this.directory, folder), { withFileTypes: true }).catch(() => []);
    return entries.filter(entry => !entry.isFile() && !entry.name.startsWith('.')).map(entry => `${folder}/${entry.name}/${file}`);
  }

  private async factsOf(name: string): Promise<ConfigFileFacts | undefined> {
    const stats = await stat(join(this.directory, name)).catch(() => undefined);
    return stats?.isFile() ? { name, bytes: stats.size, changedAt: Math.round(stats.mtimeMs) } : undefined;
  }
}
