/** Checks tool manifests. The error has all mistakes of a manifest, each with file, line and field. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ManifestFile } from '../../port/config_files';
import { type ConfigFile, ConfigFileError } from '../../port/config_files';
import { type FieldMistake, fieldMistakes, invisibleTexts } from '../../service/config_file_check';
import { getAllToolNames } from '../../tools/catalog';
import { parametersIn } from '../../tools/parameter_paths';
import { schemaProblem } from '../../tools/validation';
import { escapeKey } from '../../utils/json_pointer';
import { byLine, type FilePlace, FileValidationError } from './file_validation_error';
import { type CheckedCommand, ConfigField, ManifestCommand, ManifestText, type ToolManifest, VERSION } from './manifest_schema';
import { valueProblem } from './setting_values';
import { toSimpleSchema } from './simple_schema';

/** The mistakes in a manifest. */
export class ManifestValidationError extends FileValidationError {}

const MAX_TOOL_NAME = 64;
const DEFAULT_TIMEOUT_MS = 30_000;
const ASYNC_TIMEOUT_MS = 600_000;
/** The manifest versions that this gateway reads. */
const KNOWN_VERSION = /^1\./;
/** A file of 256 KiB can hold tens of thousands. */
const MAX_MISTAKES = 100;

const checker = TypeCompiler.Compile(ManifestText);
const commandChecker = TypeCompiler.Compile(ManifestCommand);
const fieldChecker = TypeCompiler.Compile(ConfigField);

type Content = ConfigFile | ConfigFileError;
type Report = (field: string, reason: string) => void;

/** Takes a file, or a manifest as plain data. Returns it with the defaults of its document. Throws a ManifestValidationError about all mistakes. */
export function validateManifest(data: unknown): ToolManifest {
  const content = isContent(data) ? data : plainFile(data);
  if (content instanceof ConfigFileError) throw new ManifestValidationError(content.place, { cause: content });
  const { value } = content;
  const found: FieldMistake[] = [...fieldMistakes(value, checker), ...invisibleTexts(value)];
  const report: Report = (field, reason) => void found.push({ field, reason });
  const commands = isObject(value) ? checkParts(value, report) : [];
  if (found.length === 0 && checker.Check(value)) return withDefaults(value, commands);
  const places = found.slice(0, MAX_MISTAKES).map(({ field, reason }) => placeIn(content, field, reason));
  const [first = placeIn(content, '', 'is not a tool manifest'), ...others] = byLine(places);
  const left = found.length - MAX_MISTAKES;
  if (left > 0) others.push({ file: content.name, field: '', reason: `has ${left} more mistakes` });
  throw new ManifestValidationError(first, { others });
}

/** Creates an error about one field of a manifest that was read. */
export function mistakeIn(
  { name, content }: Pick<ManifestFile, 'name' | 'content'>,
  field: string,
  reason: string,
): ManifestValidationError {
  return new ManifestValidationError(content instanceof ConfigFileError ? { file: name, field, reason } : placeIn(content, field, reason));
}

function placeIn({ name, problem }: ConfigFile, field: string, reason: string): FilePlace {
  const error = problem(field, reason);
  return { file: name, line: error instanceof ConfigFileError ? error.place.line : undefined, field, reason };
}

const isContent = (data: unknown): data is Content =>
  data instanceof ConfigFileError || (isObject(data) && typeof data['problem'] === 'function');

const plainFile = (value: unknown): ConfigFile => ({
  name: 'manifest',
  value,
  problem: (field, reason) => new Error(`${field}: ${reason}`),
});

/** Checks rules that the schema cannot express, in each part that matches its own schema. Returns the commands of these parts. */
function checkParts(written: Record<string, unknown>, report: Report): CheckedCommand[] {
  const { manifest_version: version, runtime = 'python', args, config_schema: fields, commands } = written;
  if (typeof version === 'string' && new RegExp(VERSION).test(version) && !KNOWN_VERSION.test(version))
    report('/manifest_version', 'must be a version 1.x, which this gateway reads');
  if (Array.isArray(args) && args.length > 0 && runtime !== 'native') report('/args', 'is only for the runtime native');
  for (const [name, field] of Object.entries(isObject(fields) ? fields : {})) {
    if (fieldChecker.Check(field)) checkConfigField(field, `/config_schema/${escapeKey(name)}`, report);
  }
  return checkCommands(Array.isArray(commands) ? commands : [], written, report);
}

function checkCommands(all: readonly unknown[], written: Record<string, unknown>, report: Report): CheckedCommand[] {
  const { name: manifest, effect = 'external' } = written;
  const names = all.map(command => (isObject(command) ? command['name'] : undefined));
  return all.flatMap((command, index) => {
    const at = `/commands/${index}`;
    if (!commandChecker.Check(command)) return [];
    const { name } = command;
    if (names.indexOf(name) !== index) report(`${at}/name`, `there are two commands named ${name}`);
    const tool = `${manifest}__${name}`;
    if (all.length > 1 && tool.length > MAX_TOOL_NAME)
      report(`${at}/name`, `makes a tool name ${tool} of more than ${MAX_TOOL_NAME} characters`);
    checkNames(command, at, report);
    if (!isSchemaOfObject(command.parameters ?? {}, `${at}/parameters`, report)) return [];
    // When the effect of the whole manifest is unknown, the manifest is refused.
    const checked = toCommand(command, effect as CheckedCommand['effect']);
    const problem = schemaProblem(checked);
    if (problem !== undefined) report(`${at}/parameters`, problem.en);
    return [checked];
  });
}

function checkConfigField(field: ConfigField, at: string, report: Report): void {
  if (field.access && field.type !== 'string') report(`${at}/access`, 'is only for fields of the type string');
  const problem = field.default === undefined ? undefined : valueProblem(field, field.default);
  if (problem !== undefined) report(`${at}/default`, problem);
}

/** Checks the names of tools and parameters. */
function checkNames(command: ManifestCommand, at: string, report: Report): void {
  if (command.doubles !== undefined && !getAllToolNames().includes(command.doubles))
    report(`${at}/doubles`, `there is no built-in tool ${command.doubles}`);
  const { properties = {} } = command.parameters ?? {};
  const isParameter = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
  const paths = new Set(parametersIn(command.parameters).map(([path]) => path));
  for (const name of Object.keys(command.translations?.['zh-CN']?.parameters ?? {})) {
    if (!isParameter(name) && !paths.has(name))
      report(`${at}/translations/zh-CN/parameters/${escapeKey(name)}`, `there is no parameter ${name}`);
  }
  for (const [index, name] of (command.required ?? []).entries()) {
    if (!isParameter(name)) report(`${at}/required/${index}`, `there is no parameter ${name}`);
  }
}

function isSchemaOfObject(parameters: Record<string, unknown>, at: string, report: Report): boolean {
  const { type = 'object', properties = {}, required = [] } = parameters;
  const problems: [boolean, string, string][] = [
    [type !== 'object', `${at}/type`, 'must be object'],
    [!isObject(properties), `${at}/properties`, 'must be an object of JSON Schemas'],
    [isBareMap(parameters), at, 'must be a JSON Schema with type: object and properties'],
    [!Array.isArray(required), `${at}/required`, 'must be a list of names'],
  ];
  const found = problems.filter(([isWrong]) => isWrong);
  for (const [, field, reason] of found) report(field, reason);
  return found.length === 0;
}

/** Names of parameters stand where `properties` should. */
const isBareMap = (parameters: Record<string, unknown>): boolean =>
  Object.keys(parameters).length > 0 && !['properties', 'type', '$ref'].some(key => key in parameters);

function withDefaults(written: ManifestText, commands: CheckedCommand[]): ToolManifest {
  const {
    effect: _effect,
    type = 'sync',
    manifest_version = '1.0.0',
    config_schema = {},
    runtime = 'python',
    args = [],
    ...rest
  } = written;
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
    commands,
  };
}

function toCommand({ parameters, required = [], ...rest }: ManifestCommand, effect: CheckedCommand['effect']): CheckedCommand {
  const schema = toSchema(parameters ?? {}, required);
  return { effect, ...rest, parameters: toSimpleSchema(schema) ?? schema };
}

/** Makes a closed JSON Schema of an object with the required names of both places. */
function toSchema(parameters: Record<string, unknown>, required: readonly string[]): Record<string, unknown> {
  const { type = 'object', properties = {}, required: own = [] } = parameters;
  const isClosable =
    !('additionalProperties' in parameters) && !['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'].some(key => key in parameters);
  return {
    ...parameters,
    type,
    properties,
    required: [...new Set([...(own as string[]), ...required])],
    // A misspelt parameter is refused, not ignored.
    ...(isClosable && { additionalProperties: false }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
