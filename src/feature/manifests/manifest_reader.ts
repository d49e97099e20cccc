/** Reads one manifest file with its settings and its program, and decides which version of it is in use. */
import type { ManifestFile } from '../../port/config_files';
import type { ToolRegistry } from '../../tools/registry';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { describePlace, type FilePlace, type FileValidationError } from './file_validation_error';
import { findProgramOf, unreadyProblem } from './gateway_entry';
import { directoriesOf, type LoadedTool, type ToolCallDeps } from './loaded_tool';
import type { ToolManifest } from './manifest_schema';
import type { SettingValues } from './setting_values';
import { SettingsValidationError } from './tool_settings';
import { ManifestValidationError, mistakeIn, validateManifest } from './validate_manifest';

/** One manifest file as it was read last. */
export interface Reading {
  file: string;
  /** Name of the manifest, or of its file when no version of it was valid so far. */
  name: string;
  /** The manifest in use, which can be older than the file. */
  manifest?: ToolManifest;
  /** Absent: the tools cannot be used, and `problems` says why. */
  program?: LoadedTool['program'];
  /** Clauses without a full stop. */
  problems: readonly Bilingual[];
  /** Sentences for the operator. */
  warnings: readonly string[];
}

type ReaderDeps = Pick<ToolCallDeps, 'processes' | 'settings'> & { registry: Pick<ToolRegistry, 'ownToolsets'>; hasSearch: boolean };

const STAYS = 'The version from before stays in use.';

export class ManifestReader {
  constructor(private readonly deps: ReaderDeps) {}

  /** A file whose content is not valid, or whose program is missing, changes nothing when a version from before can go on. */
  async readManifest(file: ManifestFile, before: Reading | undefined): Promise<Reading> {
    const reading = await this.readNow(file);
    const isWorking = reading.program !== undefined || reading.manifest?.enabled === false;
    if (isWorking || !before?.manifest || !before.program) return reading;
    const kept = await this.evaluate(before.manifest, file);
    return kept.program ? { ...kept, warnings: [...reading.warnings.map(text => `${text} ${STAYS}`)] } : reading;
  }

  private async readNow(file: ManifestFile): Promise<Reading> {
    try {
      return await this.evaluate(validateManifest(file.content), file);
    } catch (thrown) {
      if (!(thrown instanceof ManifestValidationError)) throw thrown;
      return broken({ file: file.name, name: fallbackName(file) }, thrown);
    }
  }

  /** Checks the settings and the program that the manifest needs. */
  private async evaluate(manifest: ToolManifest, file: ManifestFile): Promise<Reading> {
    const { processes, registry, settings } = this.deps;
    const { name } = manifest;
    const base = { file: file.name, name, manifest };
    if (!manifest.enabled) return { ...base, problems: [inBoth(`${file.name} turns it off`, `${file.name} 将其停用`)], warnings: [] };
    const warnings: string[] = [];
    const mistakes: FileValidationError[] = [];
    if (registry.ownToolsets().includes(name)) mistakes.push(mistakeIn(file, '/name', `${name} is a toolset of the gateway`));
    try {
      await this.checkDirectories(manifest, (await settings.reload(manifest)).values);
    } catch (thrown) {
      if (!(thrown instanceof SettingsValidationError)) throw thrown;
      if (settings.findLoaded(name)) warnings.push(...sentencesOf(thrown).map(text => `${text} The settings from before stay in use.`));
      else mistakes.push(thrown);
    }
    const program = await findProgramOf(manifest, file.folder, processes);
    if ('problem' in program) mistakes.push(mistakeIn(file, program.field, program.problem));
    if ('problem' in program || mistakes.length > 0) return broken(base, ...mistakes);
    const unready = unreadyProblem(manifest, settings.findLoaded(name)?.values ?? {}, this.deps);
    // A fresh gateway has no search service: the row of the tool says so, without a warning.
    if (unready !== undefined) return { ...base, problems: [unready], warnings };
    return { ...base, program, problems: [], warnings };
  }

  private async checkDirectories({ name, config_schema }: ToolManifest, values: SettingValues): Promise<void> {
    const found: FilePlace[] = [];
    for (const [field, { access }] of Object.entries(config_schema)) {
      if (access === undefined) continue;
      for (const [index, path] of directoriesOf(values[field]).entries()) {
        const problem = await this.deps.processes.findDirectoryProblem(path);
        if (problem === undefined) continue;
        const reason = `directory ${index + 1} of the list ${problem}`;
        found.push({ file: `tool-settings/${name}.yaml`, field: `/${field}`, reason });
      }
    }
    const [first, ...others] = found;
    if (first) throw new SettingsValidationError(first, { others });
  }
}

function broken(base: Pick<Reading, 'file' | 'name' | 'manifest'>, ...errors: FileValidationError[]): Reading {
  return {
    ...base,
    problems: errors.flatMap(({ problems }) => problems.map(place => inFile(describePlace(place)))),
    warnings: errors.flatMap(sentencesOf),
  };
}

/** Mistakes in files are told in English, so a Chinese sentence quotes them. */
export const inFile = (mistake: string): Bilingual => inBoth(mistake, `配置有误：“${mistake}”`);

const sentencesOf = ({ problems }: FileValidationError): string[] => problems.map(place => `${describePlace(place)}.`);

/** tools/weather.yaml and tools/weather/manifest.yaml: weather. */
function fallbackName({ name }: ManifestFile): string {
  const [, first = name] = name.split('/');
  return first.replace(/\.ya?ml$/, '').replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
