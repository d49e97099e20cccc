/** The fields of a tool manifest, in the snake_case of its document. */
import { type Static, Type } from '@sinclair/typebox';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

const closed = { additionalProperties: false };
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** Two underscores separate a manifest from its command, so a name has no two in a row. */
const NAME = '^[A-Za-z](?:_?[A-Za-z0-9-])*$';
/** A semantic version. */
export const VERSION = '^\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?$';
const JsonSchemaText = Type.Record(Type.String(), Type.Unknown());

const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** One setting of a tool. */
export const ConfigField = closedObject({
  type: oneOf(FIELD_TYPES),
  description: Type.Optional(text(2_000)),
  default: Optional.Unknown(),
  required: Optional.Boolean(),
  /** The gateway removes the value from all output of the tool. Default: what the name suggests (key, token, password ...). */
  secret: Optional.Boolean(),
  /** The value lists directories, separated by commas, that the tool may read or write besides the workspace. */
  access: Optional.OneOf(['read', 'write']),
});
export type ConfigField = Static<typeof ConfigField>;

const Translation = closedObject({ display_name: Type.Optional(text(100)), description: Type.Optional(text(8_000)) });
const CommandTranslation = closedObject({
  display_name: Type.Optional(text(100)),
  description: Type.Optional(text(8_000)),
  parameters: Type.Optional(Type.Record(Type.String(), text(2_000))),
});
const translationsOf = <T extends typeof Translation | typeof CommandTranslation>(schema: T) =>
  Type.Optional(closedObject({ 'zh-CN': Type.Optional(schema) }));

const Effect = oneOf(['read', 'idempotent', 'write', 'external']);

export const ManifestCommand = closedObject({
  name: Type.String({ pattern: NAME, maxLength: 40 }),
  display_name: Type.Optional(text(100)),
  description: text(8_000),
  parameters: Optional.Union([JsonSchemaText, Type.Null()]),
  required: Optional.Array(text(200), { maxItems: 200 }),
  example: Type.Optional(text(4_000)),
  /** A built-in tool that does the same job: an agent with that tool gets the command only when `tools` of its profile names it. */
  doubles: Type.Optional(text(64)),
  /** Offered in every run of the agents that may have it. Default: what the manifest says. */
  always: Optional.Boolean(),
  effect: Type.Optional(Effect),
  translations: translationsOf(CommandTranslation),
});
export type ManifestCommand = Static<typeof ManifestCommand>;

export const ManifestText = closedObject({
  manifest_version: Optional.String({ pattern: VERSION }),
  name: Type.String({ pattern: NAME, maxLength: 40 }),
  display_name: text(100),
  description: text(8_000),
  author: Type.Optional(text(200)),
  version: Optional.String({ pattern: VERSION }),
  type: Optional.OneOf(['sync', 'async', 'service']),
  runtime: Optional.OneOf(['python', 'javascript', 'native']),
  entry: text(1_000),
  args: Optional.Array(Type.String({ maxLength: 4_000 }), { maxItems: 100 }),
  timeout: Optional.Integer({ minimum: 1, maximum: 3_600_000 }),
  config_schema: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]*$' }), ConfigField, closed)),
  commands: Type.Array(ManifestCommand, { minItems: 1, maxItems: 100 }),
  tags: Optional.Array(text(50), { maxItems: 50 }),
  dependencies: Optional.Array(text(64), { maxItems: 50 }),
  enabled: Optional.Boolean(),
  /** Holds for commands that say nothing else. */
  always: Optional.Boolean(),
  effect: Type.Optional(Effect),
  network: Optional.Boolean(),
  memory_mb: Optional.Integer({ minimum: 16, maximum: 1_048_576 }),
  translations: translationsOf(Translation),
});
/** A manifest as it is written. */
export type ManifestText = Static<typeof ManifestText>;

type Defaults = 'manifest_version' | 'version' | 'type' | 'runtime' | 'timeout' | 'config_schema' | 'tags' | 'dependencies' | 'enabled';

/** A valid manifest with the defaults of its document. `timeout` is in milliseconds. */
export type ToolManifest = Omit<ManifestText, Defaults | 'commands' | 'args' | 'effect' | 'network'> &
  Required<Pick<ManifestText, Defaults | 'args' | 'network'>> & { commands: CheckedCommand[] };

/** `parameters`: a JSON Schema of an object; the names in `required` of the command are in it. */
export type CheckedCommand = Omit<ManifestCommand, 'parameters' | 'required' | 'effect'> & {
  parameters: Record<string, unknown>;
  effect: 'read' | 'idempotent' | 'write' | 'external';
};
