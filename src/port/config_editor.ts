/** The files of the configuration directory as text, for operators who read and change them in the page. */
import type { ConfigFile } from './config_files';

export interface ConfigFileFacts {
  /** Path relative to the configuration directory: `agents/default.yaml`. */
  name: string;
  bytes: number;
  /** Milliseconds since 1970. */
  changedAt: number;
}

export interface ConfigText {
  text: string;
  /** SHA-256 of the file's bytes, in hex. */
  hash: string;
}

/** A refused write. `changed`: the file differs from the version that the caller knows. `read_only`: the gateway may not write the file. */
export class ConfigEditError extends Error {
  constructor(
    readonly code: 'changed' | 'read_only',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConfigEditError';
  }
}

/**
 * @example
 * import type { ConfigEditor } from './config_editor';
 *
 * // An empty directory that nobody can write.
 * export const noFiles: ConfigEditor = {
 *   listFiles: async () => [],
 *   readText: async () => undefined,
 *   isWritable: async () => false,
 *   parse: (name, text) => ({ name, value: text, problem: (_pointer, message) => new Error(message) }),
 *   writeText: async () => {},
 * };
 */
export interface ConfigEditor {
  /** Lists the files that the gateway reads, in name order: YAML files, and the SKILL.md of each skill. */
  listFiles(): Promise<ConfigFileFacts[]>;
  /** Resolves with undefined when there is no such file. */
  readText(name: string): Promise<ConfigText | undefined>;
  /** True when files of the directory can be written. */
  isWritable(): Promise<boolean>;
  /** Throws a ConfigFileError for a text that is not YAML. */
  parse(name: string, text: string): ConfigFile;
  /**
   * Replaces the whole file, or creates it. `baseHash`: hash of the version that the caller knows; undefined: the caller knows no file of this name.
   * Rejects with ConfigEditError.
   */
  writeText(name: string, text: string, baseHash: string | undefined): Promise<void>;
}
