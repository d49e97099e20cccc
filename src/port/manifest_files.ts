/** The manifests of tools and the settings of these tools, as the operator wrote them. */
import type { ConfigFile, ConfigFileError } from './config_files';

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

/**
 * @example
 * import type { ManifestFiles } from './manifest_files';
 *
 * // No manifests, for tests of other parts.
 * export const noManifests: ManifestFiles = {
 *   readManifests: async () => [],
 *   readSettings: async () => undefined,
 *   readExample: async () => undefined,
 *   watch: () => {},
 *   close: () => {},
 * };
 */
export interface ManifestFiles {
  /** Resolves with `tools/<any>.yaml` and `tools/<folder>/manifest.yaml`, in name order. A file that cannot be read has an error as its content. */
  readManifests(): Promise<ManifestFile[]>;
  /** Reads `tool-settings/<tool>.yaml`; resolves undefined when there is none. */
  readSettings(tool: string): Promise<SettingsFile | undefined>;
  /** Reads `tool-settings/<tool>.yaml.example`; resolves undefined when there is none. */
  readExample(tool: string): Promise<SettingsFile | undefined>;
  /** Calls `onChange` within half a second after a manifest, its folder or settings may have changed, until `close`. */
  watch(onChange: () => void): void;
  close(): void;
}
