/** The settings of manifest tools, kept apart from the manifests because they can hold secrets. */
import { ConfigFileError } from '../../port/config_files';
import type { ManifestFiles, SettingsFile } from '../../port/manifest_files';
import type { Redactor } from '../../port/redactor';
import { FileValidationError } from './file_validation_error';
import type { ToolManifest } from './manifest_schema';
import { certainSecrets, type SettingValues, secretsIn, settingsProblem, withDefaultSettings } from './setting_values';

/** A mistake in a settings file. The message holds no value. */
export class SettingsValidationError extends FileValidationError {}

type SettingsOwner = Pick<ToolManifest, 'name' | 'config_schema'>;

/** The values that a call uses. */
export interface LoadedSettings {
  readonly values: SettingValues;
  /** Texts that no output of the tool may hold. */
  readonly secrets: readonly string[];
}

export class ToolSettings {
  private readonly cache = new Map<string, LoadedSettings>();

  constructor(
    private readonly files: Pick<ManifestFiles, 'readSettings'>,
    private readonly redactor?: Redactor,
  ) {}

  /** Resolves with the settings of a tool, read once. Rejects with a SettingsValidationError. */
  async load(tool: SettingsOwner): Promise<LoadedSettings> {
    return this.cache.get(tool.name) ?? this.reload(tool);
  }

  /** Reads the file again. Rejects with a SettingsValidationError, and keeps the values from before. */
  async reload(tool: SettingsOwner): Promise<LoadedSettings> {
    const file = await this.files.readSettings(tool.name);
    const written = validateSettings(file, tool);
    const values = withDefaultSettings(tool.config_schema, written);
    const loaded = { values, secrets: secretsIn(tool.config_schema, values) };
    this.cache.set(tool.name, loaded);
    this.redactor?.addSecrets(certainSecrets(tool.config_schema, values));
    return loaded;
  }

  /** Returns one setting of a tool that was loaded, or `fallback`. */
  get<T>(tool: string, key: string, fallback: T): unknown {
    const values = this.cache.get(tool)?.values ?? {};
    return Object.hasOwn(values, key) ? values[key] : fallback;
  }

  /** Returns the settings that were loaded last. */
  findLoaded(tool: string): LoadedSettings | undefined {
    return this.cache.get(tool);
  }

  forget(tool: string): void {
    this.cache.delete(tool);
  }
}

/** Returns the values as written. Throws a SettingsValidationError; a missing file counts as an empty one. */
export function validateSettings(file: SettingsFile | undefined, { name, config_schema }: SettingsOwner): SettingValues {
  const { content } = file ?? {};
  // The parser quotes the text that it does not understand.
  if (content instanceof ConfigFileError) throw new SettingsValidationError({ ...content.place, reason: 'cannot be read as YAML' });
  const values = content?.value ?? {};
  const problem = settingsProblem(config_schema, values);
  if (!problem) return values as SettingValues;
  const place = content?.problem(problem.field, problem.problem);
  const line = place instanceof ConfigFileError ? place.place.line : undefined;
  const reason = content ? problem.problem : `${problem.problem}; the file is missing, its example is ${name}.yaml.example`;
  throw new SettingsValidationError({ file: file?.name ?? `tool-settings/${name}.yaml`, line, field: problem.field, reason });
}
