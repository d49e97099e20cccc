/** The operator's configuration directory: a port that reads and watches its files, and one that edits them as text. */

/** A mistake in a file. The message is one sentence with file, field and, where it is known, line. */
export class ConfigFileError extends Error {
  constructor(
    message: string,
    /** `field`: a JSON pointer; empty: the whole file. `line` counts from 1. `reason`: a clause without file, field and line. `hash`: SHA-256 of the file. */
    readonly place: {
      readonly file: string;
      readonly field: string;
      readonly line?: number;
      readonly reason: string;
      readonly hash?: string;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConfigFileError';
  }
}

/** A file that was read and parsed. Services check `value` against their schema. */
export interface ConfigFile {
  /** Path relative to the configuration directory, as errors show it: `agents/default.yaml`. */
  readonly name: string;
  /** Content as plain data, not checked yet. */
  readonly value: unknown;
  /** SHA-256 of the file's bytes, in hex; absent for values that stand in no file. */
  readonly hash?: string;
  /**
   * Creates an error about one field; its message is one sentence with file, field and, where it is known, line.
   * `pointer` is a JSON pointer such as `/tools/0`; empty: the whole file.
   */
  problem(pointer: string, message: string): Error;
}

/** A file that was read, and parsed where it is YAML. */
export interface ManifestFile {
  /** Path relative to the configuration directory, as errors show it: `tools/weather.yaml`. */
  readonly name: string;
  /** Absolute path of its folder; `entry` is relative to it. */
  readonly folder: string;
  /** A text that changes with the text of the file. */
  readonly version: string;
  readonly content: ConfigFile | ConfigFileError;
}

/** The settings of one tool. */
export interface SettingsFile {
  readonly name: string;
  readonly version: string;
  readonly content: ConfigFile | ConfigFileError;
}

export interface ConfigReader {
  /** Resolves with the parsed file, or undefined when there is none. Rejects with one sentence when it cannot be read or parsed. */
  readFile(name: string): Promise<ConfigFile | undefined>;
  /**
   * Resolves with every YAML file of the folder, in name order; empty without the folder. Rejects as readFile does, unless `onBroken` takes the
   * name of the file and the error.
   */
  readFolder(name: string, onBroken?: (file: string, thrown: unknown) => void): Promise<ConfigFile[]>;
}

/**
 * @example
 * import type { ConfigFile, ConfigFiles } from './config_files';
 *
 * // Configuration from memory that never changes, for tests.
 * export function memoryConfig(values: Record<string, unknown>): ConfigFiles {
 *   const toFile = (name: string): ConfigFile => ({
 *     name,
 *     value: values[name],
 *     problem: (pointer, message) => new Error(`${name}: ${pointer}: ${message}.`),
 *   });
 *   return {
 *     readFile: async name => (name in values ? toFile(name) : undefined),
 *     readFolder: async folder => Object.keys(values).filter(name => name.startsWith(`${folder}/`)).sort().map(toFile),
 *     readManifests: async () => [],
 *     readSettings: async () => undefined,
 *     readExample: async () => undefined,
 *     watchFile: () => {},
 *     watchManifests: () => {},
 *     close: () => {},
 *   };
 * }
 */
export interface ConfigFiles extends ConfigReader {
  /** Resolves with `tools/<any>.yaml` and `tools/<folder>/manifest.yaml`, in name order. A file that cannot be read has an error as its content. */
  readManifests(): Promise<ManifestFile[]>;
  /** Reads `tool-settings/<tool>.yaml`; resolves undefined when there is none. */
  readSettings(tool: string): Promise<SettingsFile | undefined>;
  /** Reads `tool-settings/<tool>.yaml.example`; resolves undefined when there is none. */
  readExample(tool: string): Promise<SettingsFile | undefined>;
  /**
   * Calls back within half a second after the file may have changed, appeared or gone, until `close`. `name` is relative to the configuration
   * directory. The callback must not throw.
   */
  watchFile(name: string, onChange: () => void): void;
  /** Calls `onChange` likewise after a manifest, its folder or settings may have changed. */
  watchManifests(onChange: () => void): void;
  /** Ends all watching. */
  close(): void;
}

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
 * Files of the directory as text, for operators who read and change them in the page.
 *
 * @example
 * import type { ConfigEditor } from './config_files';
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
