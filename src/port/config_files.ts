/** The operator's configuration files, read once at start. */

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

/**
 * @example
 * import type { ConfigFile, ConfigFiles } from './config_files';
 *
 * // Configuration from memory, for tests.
 * export function memoryConfig(values: Record<string, unknown>): ConfigFiles {
 *   const toFile = (name: string): ConfigFile => ({
 *     name,
 *     value: values[name],
 *     problem: (pointer, message) => new Error(`${name}: ${pointer}: ${message}.`),
 *   });
 *   return {
 *     readFile: async name => (name in values ? toFile(name) : undefined),
 *     readFolder: async folder => Object.keys(values).filter(name => name.startsWith(`${folder}/`)).sort().map(toFile),
 *   };
 * }
 */
export interface ConfigFiles {
  /** Resolves with the parsed file, or undefined when there is none. Rejects with one sentence when it cannot be read or parsed. */
  readFile(name: string): Promise<ConfigFile | undefined>;
  /**
   * Resolves with every YAML file of the folder, in name order; empty without the folder. Rejects as readFile does, unless `onBroken` takes the
   * name of the file and the error.
   */
  readFolder(name: string, onBroken?: (file: string, thrown: unknown) => void): Promise<ConfigFile[]>;
}
