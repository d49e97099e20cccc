/** `npm run tools:check`: finds every mistake in manifests, settings and their examples, without a running gateway. */
import type { ConfigFiles, ManifestFile } from '../../port/config_files';
import type { ToolProcesses } from '../../port/tool_processes';
import { getAllToolNames, getToolsets } from '../../tools/catalog';
import { FileValidationError } from './file_validation_error';
import { findProgramOf } from './gateway_entry';
import type { ConfigField, ToolManifest } from './manifest_schema';
import { validateSettings } from './tool_settings';
import { ManifestValidationError, mistakeIn, validateManifest } from './validate_manifest';
import { ToolCallValidationError, validateToolCall } from './validate_tool_call';

export interface ToolsReport {
  manifests: readonly ToolManifest[];
  errors: readonly FileValidationError[];
  /** Sentences about things that only a running gateway or another machine can tell. */
  notes: readonly string[];
}

interface Checked {
  file: ManifestFile;
  manifest: ToolManifest;
}

export async function checkTools(
  files: Pick<ConfigFiles, 'readManifests' | 'readSettings' | 'readExample'>,
  processes: Pick<ToolProcesses, 'findProgram'>,
): Promise<ToolsReport> {
  const errors: FileValidationError[] = [];
  const notes: string[] = [];
  const checked: Checked[] = [];
  for (const file of await files.readManifests()) {
    const manifest = collect(errors, () => validateManifest(file.content));
    if (!manifest) continue;
    const owner = checked.find(other => other.manifest.name === manifest.name);
    if (owner) errors.push(mistakeIn(file, '/name', `${owner.file.name} has the name ${manifest.name} already`));
    else checked.push({ file, manifest });
  }
  for (const one of checked) {
    errors.push(...exampleCallErrors(one), ...nameErrors(one), ...(await settingsErrors(one, files)));
    notes.push(...dependencyNotes(one, checked));
    if (!one.manifest.enabled) continue;
    const program = await findProgramOf(one.manifest, one.file.folder, processes);
    if (!('problem' in program)) continue;
    if (program.field === '/runtime') notes.push(`${one.file.name}: ${program.problem}.`);
    else errors.push(mistakeIn(one.file, program.field, program.problem));
  }
  return { manifests: checked.map(({ manifest }) => manifest), errors, notes };
}

/** The text of an example file: every setting with its description and default. */
export function exampleSettings({ name, display_name, config_schema }: ToolManifest): string {
  const lines = Object.entries(config_schema).map(([key, field]) => {
    const required = field.required ? ' (required)' : '';
    const described = (field.description ?? key).trim().split('\n');
    return [
      ...described.map((line, index) => `# ${line}${index === described.length - 1 ? required : ''}`),
      `${key}: ${exampleValue(field)}`,
    ].join('\n');
  });
  return `# Settings of ${display_name}. Copy this file to ${name}.yaml and fill it in.\n${lines.join('\n')}\n`;
}

function exampleValue({ type, default: value }: ConfigField): string {
  if (value !== undefined) return JSON.stringify(value);
  return { string: '""', integer: '0', number: '0', boolean: 'false', array: '[]', object: '{}' }[type];
}

function collect<T>(errors: FileValidationError[], work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof FileValidationError)) throw thrown;
    errors.push(...thrown.problems.map(place => new FileValidationError(place)));
    return undefined;
  }
}

/** An example that is written as JSON must be a valid call. */
function exampleCallErrors({ file, manifest }: Checked): ManifestValidationError[] {
  return manifest.commands.flatMap((command, index) => {
    const example = toJsonObject(command.example);
    if (!example) return [];
    const call = 'parameters' in example ? example : { parameters: example };
    try {
      validateToolCall({ toolName: manifest.name, command: command.name, ...call }, () => manifest);
      return [];
    } catch (thrown) {
      if (!(thrown instanceof ToolCallValidationError)) throw thrown;
      return [mistakeIn(file, `/commands/${index}/example`, `is not a valid call: ${thrown.field}: ${thrown.reason}`)];
    }
  });
}

const nameErrors = ({ file, manifest }: Checked): ManifestValidationError[] =>
  getToolsets().includes(manifest.name) ? [mistakeIn(file, '/name', `${manifest.name} is a toolset of the gateway`)] : [];

async function settingsErrors(
  { manifest }: Checked,
  files: Pick<ConfigFiles, 'readSettings' | 'readExample'>,
): Promise<FileValidationError[]> {
  const errors: FileValidationError[] = [];
  const settings = await files.readSettings(manifest.name);
  if (settings) collect(errors, () => validateSettings(settings, manifest));
  if (Object.keys(manifest.config_schema).length === 0) return errors;
  const example = await files.readExample(manifest.name);
  const optional = Object.fromEntries(Object.entries(manifest.config_schema).map(([key, field]) => [key, { ...field, required: false }]));
  if (example) collect(errors, () => validateSettings(example, { ...manifest, config_schema: optional }));
  else {
    const reason = 'is missing; npm run tools:check -- --write-examples writes it';
    errors.push(new FileValidationError({ file: `tool-settings/${manifest.name}.yaml.example`, field: '', reason }));
  }
  return errors;
}

function dependencyNotes({ file, manifest }: Checked, all: readonly Checked[]): string[] {
  const known = new Set([...getAllToolNames(), ...getToolsets(), ...all.flatMap(other => namesOf(other.manifest))]);
  return manifest.dependencies
    .filter(name => !known.has(name))
    .map(
      name => `${file.name}: it depends on ${name}, which is no tool and no manifest here; it works only with an MCP server of that name.`,
    );
}

const namesOf = ({ name, commands }: ToolManifest): string[] => [name, ...commands.map(command => `${name}__${command.name}`)];

function toJsonObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
