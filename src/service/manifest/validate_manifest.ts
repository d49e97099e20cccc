/** Checks tool manifests. Each error names file, line and field. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ConfigFile, ConfigFileError } from '../../port/config_files';
import type { ManifestFile } from '../../port/manifest_files';
import { getAllToolNames } from '../../tools/catalog';
import { schemaProblem } from '../../tools/validation';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';
import { FileValidationError } from './file_validation_error';
import { type CheckedCommand, type ManifestCommand, ManifestText, type ToolManifest } from './manifest_schema';
import { valueProblem } from './setting_values';
import { toSimpleSchema } from './simple_schema';

/** A mistake in a manifest. */
export class ManifestValidationError extends FileValidationError {}

const MAX_TOOL_NAME = 64;
const DEFAULT_TIMEOUT_MS = 30_000;
const ASYNC_TIMEOUT_MS = 600_000;
/** The manifest versions that this gateway reads. */
const KNOWN_VERSION = /^1\./;

const checker = TypeCompiler.Compile(ManifestText);

/** Returns the manifest with the defaults of its document. Throws a ManifestValidationError about the first mistake. */
export function validateManifest(file: ConfigFile | ConfigFileError): ToolManifest {
  try {
    if (file instanceof ConfigFileError) throw file;
    const written = checkConfigFile(file, checker, 'a tool manifest') as ManifestText;
    refuseInvisibleText(file);
    return withDefaults(written, file);
  } catch (thrown) {
    throw thrown instanceof ConfigFileError ? new ManifestValidationError(thrown.place, { cause: thrown }) : thrown;
  }
}

/** Creates an error about one field of a manifest that was read. */
export function mistakeIn(
  { name, content }: Pick<ManifestFile, 'name' | 'content'>,
  field: string,
  reason: string,
): ManifestValidationError {
  const error = content instanceof ConfigFileError ? undefined : content.problem(field, reason);
  const line = error instanceof ConfigFileError ? error.place.line : undefined;
  return new ManifestValidationError({ file: name, line, field, reason });
}

function withDefaults(written: ManifestText, file: ConfigFile): ToolManifest {
  const { effect = 'external', type = 'sync', manifest_version = '1.0.0', config_schema = {}, ...rest } = written;
  if (!KNOWN_VERSION.test(manifest_version)) throw file.problem('/manifest_version', 'must be a version 1.x, which this gateway reads');
  checkConfigSchema(config_schema, file);
  const { runtime = 'python', args = [] } = written;
  if (args.length > 0 && runtime !== 'native') throw file.problem('/args', 'is only for the runtime native');
  return {
    version: '1.0.0',
    timeout: type === 'async' ? ASYNC_TIMEOUT_MS : DEFAULT_TIMEOUT_MS,
    tags: [],
    dependencies: [],
    enabled: true,
    network: false,
    ...rest,
    manifest_version,
    type,
    runtime,
    args,
    config_schema,
    commands: written.commands.map((command, index) =>
      toCommand(command, { file, index, manifest: written.name, all: written.commands, effect }),
    ),
  };
}

function checkConfigSchema(fields: NonNullable<ManifestText['config_schema']>, file: ConfigFile): void {
  for (const [name, field] of Object.entries(fields)) {
    const at = `/config_schema/${name}`;
    if (field.access && field.type !== 'string') throw file.problem(`${at}/access`, 'is only for fields of the type string');
    const problem = field.default === undefined ? undefined : valueProblem(field, field.default);
    if (problem !== undefined) throw file.problem(`${at}/default`, problem);
  }
}

interface CommandPlace {
  file: ConfigFile;
  index: number;
  manifest: string;
  all: readonly ManifestCommand[];
  effect: CheckedCommand['effect'];
}

function toCommand(command: ManifestCommand, { file, index, manifest, all, effect }: CommandPlace): CheckedCommand {
  const at = `/commands/${index}`;
  if (all.findIndex(({ name }) => name === command.name) !== index) {
    throw file.problem(`${at}/name`, `there are two commands named ${command.name}`);
  }
  if (all.length > 1 && `${manifest}__${command.name}`.length > MAX_TOOL_NAME) {
    throw file.problem(`${at}/name`, `makes a tool name ${manifest}__${command.name} of more than ${MAX_TOOL_NAME} characters`);
  }
  const { parameters, required = [], ...rest } = command;
  if (command.doubles !== undefined && !getAllToolNames().includes(command.doubles)) {
    throw file.problem(`${at}/doubles`, `there is no built-in tool ${command.doubles}`);
  }
  const written = toSchema(parameters ?? {}, { required, file, at });
  for (const name of Object.keys(command.translations?.['zh-CN']?.parameters ?? {})) {
    if (Object.hasOwn(written.properties, name)) continue;
    throw file.problem(`${at}/translations/zh-CN/parameters/${name}`, `there is no parameter ${name}`);
  }
  const schema = toSimpleSchema(written) ?? written;
  const problem = schemaProblem({ parameters: schema });
  if (problem !== undefined) throw file.problem(`${at}/parameters`, problem);
  return { effect, ...rest, parameters: schema };
}

/** Makes a closed JSON Schema of an object with the required names of both places. */
function toSchema(
  parameters: Record<string, unknown>,
  { required, file, at }: { required: readonly string[]; file: ConfigFile; at: string },
): Record<string, unknown> & { properties: Record<string, unknown> } {
  const { type = 'object', properties = {}, required: own = [] } = parameters;
  if (type !== 'object') throw file.problem(`${at}/parameters/type`, 'must be object');
  if (!isObject(properties)) throw file.problem(`${at}/parameters/properties`, 'must be an object of JSON Schemas');
  const isBare = Object.keys(parameters).length > 0 && !('properties' in parameters || 'type' in parameters || '$ref' in parameters);
  if (isBare) throw file.problem(`${at}/parameters`, 'must be a JSON Schema with type: object and properties');
  if (!Array.isArray(own)) throw file.problem(`${at}/parameters/required`, 'must be a list of names');
  const missing = required.findIndex(name => !Object.hasOwn(properties, name));
  if (missing !== -1) throw file.problem(`${at}/required/${missing}`, `there is no parameter ${required[missing]}`);
  const isClosable =
    !('additionalProperties' in parameters) && !['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'].some(key => key in parameters);
  return {
    ...parameters,
    type,
    properties,
    required: [...new Set([...own, ...required])],
    // A misspelt parameter is refused, not ignored.
    ...(isClosable && { additionalProperties: false }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
