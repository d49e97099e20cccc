/** The settings of manifest tools, kept apart from the manifests because they can hold secrets. */

import type { ConfigFiles, SettingsFile } from '../../port/config_files';
import { ConfigFileError } from '../../port/config_files';
import type { Redactor } from '../../port/redactor';
import { byLine, FileValidationError } from './file_validation_error';
import type { ToolManifest } from './manifest_schema';
import { certainSecrets, type SettingValues, secretsIn, settingsMistakes, withDefaultSettings } from './setting_values';

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
    private readonly files: Pick<ConfigFiles, 'readSettings' | 'readExample'>,
    private readonly redactor?: Redactor,
  ) {}

  /** Resolves with the settings of a tool, read once. Rejects with a SettingsValidationError. */
  async load(tool: SettingsOwner): Promise<LoadedSettings> {
    return this.cache.get(tool.name) ?? this.reload(tool);
  }

  /** Reads the file again. Rejects with a SettingsValidationError, and keeps the values from before. */
  async reload(tool: SettingsOwner): Promise<LoadedSettings> {
    const file = await this.files.readSettings(tool.name);
    const written = validateSettings(file, tool, file ? undefined : await this.files.readExample(tool.name));
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

/** Returns the values as written. Throws a SettingsValidationError about all mistakes; a missing file counts as an empty one. `example`: the file that shows what to write. */
export function validateSettings(
  file: SettingsFile | undefined,
  { name, config_schema }: SettingsOwner,
  example?: SettingsFile | undefined,
): SettingValues {
  const { content } = file ?? {};
  // The parser quotes text that it does not understand, which may be a secret, so its message is not shown.
  if (content instanceof ConfigFileError) throw new SettingsValidationError({ ...content.place, reason: 'cannot be read as YAML' });
  const values = content?.value ?? {};
  const places = settingsMistakes(config_schema, values).map(({ field, reason }) => {
    const place = content?.problem(field, reason);
    const line = place instanceof ConfigFileError ? place.place.line : undefined;
    const hint = example ? `its example is ${example.name}` : 'npm run tools:check -- --write-examples writes an example of it';
    return {
      file: file?.name ?? `tool-settings/${name}.yaml`,
      line,
      field,
      reason: content ? reason : `${reason}; the file is missing, ${hint}`,
    };
  });
  const [first, ...others] = byLine(places);
  if (first) throw new SettingsValidationError(first, { others });
  return values as SettingValues;
}
