/** Reads config/models.yaml: the models, and the order in which they stand in for each other. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile, ConfigReader } from '../../port/config_files';
import { DIALECT_NAMES } from '../../port/dialects';
import { apiOf, MODEL_APIS } from '../../port/model_apis';
import type { ModelDefinition, ReasoningFields } from '../../port/model_client';
import { WrittenParameters } from '../../port/model_parameters';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';
import { findParameterProblem, toModelParameters } from './model_parameters';

export const MODELS_FILE = 'models.yaml';

const id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
const price = Type.Number({ minimum: 0, maximum: 1_000_000 });
/** `price` of a model in models.yaml. */
export const WrittenPrice = closedObject({
  input: price,
  output: price,
  cachedInput: Type.Optional(price),
  cacheWrite: Type.Optional(price),
  tiers: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), Type.Number({ minimum: 0, maximum: 100 }), {
      maxProperties: 20,
      additionalProperties: false,
    }),
  ),
});
const fields = Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 20 }));

const LevelFields = closedObject({ off: fields, minimal: fields, low: fields, medium: fields, high: fields });
const REASONING_STYLES = ['reasoning_effort', 'thinking', 'enable_thinking', 'none'] as const;
/** Words for the request fields of thinking levels. */
export type ReasoningStyle = (typeof REASONING_STYLES)[number];

const time = (setting: string) => Optional.Integer({ minimum: 100, maximum: 86_400_000, description: `milliseconds; absent: ${setting}` });
const TIMES = {
  connectMs: time('NETA_MODEL_CONNECT_MS'),
  firstByteMs: time('NETA_MODEL_FIRST_BYTE_MS'),
  idleMs: time('NETA_MODEL_IDLE_MS'),
  totalMs: time('NETA_MODEL_TOTAL_MS'),
};

const WrittenModel = closedObject({
  id,
  label: Optional.String({ minLength: 1, maxLength: 100 }),
  api: Optional.OneOf(MODEL_APIS, { description: 'absent: found by base URL' }),
  baseUrl: Optional.String({ minLength: 1, maxLength: 2_000, description: "absent: the vendor's own, or OpenAI's" }),
  apiKeyEnv: Optional.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$', description: 'absent: the server needs no key' }),
  model: Type.String({ minLength: 1, maxLength: 200 }),
  dialect: Optional.OneOf(DIALECT_NAMES, { description: 'absent: found by base URL and model' }),
  parameters: Type.Optional(WrittenParameters),
  reasoning: Optional.Union([oneOf(REASONING_STYLES), LevelFields]),
  maxTokensField: Optional.OneOf(['max_tokens', 'max_completion_tokens']),
  ...TIMES,
  contextWindow: Optional.Integer({ minimum: 1_024, maximum: 100_000_000 }),
  images: Optional.Boolean({ description: 'true: the model can see images' }),
  files: Optional.Boolean({ description: 'true: the model can read PDF files' }),
  price: Type.Optional(WrittenPrice),
});
export const MODELS_SCHEMA = closedObject({
  models: Type.Array(WrittenModel, { minItems: 1, maxItems: 100 }),
  fallback: Optional.Array(id, { minItems: 1, maxItems: 100 }),
});

const checker = TypeCompiler.Compile(MODELS_SCHEMA);

/** Models, of which there is at least one. */
export interface ModelSet {
  models: readonly ModelDefinition[];
  /** Ids of models. While one of these models fails, the others stand in for it in this order. */
  fallback: readonly string[];
  /** Name of the place that defines the models, for errors and warnings. */
  source: string;
}

/** The variable with the key of the model that the settings define. */
export const CONFIGURED_KEY = 'OPENAI_API_KEY';

/** Makes the one model of the settings. */
export function toConfiguredModels({ baseUrl, model, images = false }: { baseUrl?: string; model: string; images?: boolean }): ModelSet {
  const reasoning = apiOf({ baseUrl }) === 'chat' ? USUAL_REASONING : undefined;
  const definition = { id: 'default', model, apiKeyEnv: CONFIGURED_KEY, parameters: {}, reasoning, images };
  return { models: [{ ...definition, baseUrl }], fallback: [], source: 'OPENAI_BASE_URL' };
}

/** Reads models.yaml. Resolves with undefined when there is no file. Rejects with one sentence that names file, field and line. */
export async function readModelsFile(files: ConfigReader): Promise<ModelSet | undefined> {
  const file = await files.readFile(MODELS_FILE);
  if (!file) return undefined;
  const { models, fallback = [] } = checkConfigFile(file, checker, 'a list of models') as Static<typeof MODELS_SCHEMA>;
  refuseInvisibleText(file);
  const ids = new Set<string>();
  const definitions = models.map((written, i) => {
    if (ids.has(written.id)) throw file.problem(`/models/${i}/id`, `another model has the id "${written.id}" too`);
    ids.add(written.id);
    return toDefinition(written, file, `/models/${i}`);
  });
  for (const [i, name] of fallback.entries()) {
    if (!ids.has(name)) throw file.problem(`/fallback/${i}`, `there is no model "${name}"; choose from ${[...ids].join(', ')}`);
    if (fallback.indexOf(name) < i) throw file.problem(`/fallback/${i}`, `names "${name}" a second time`);
  }
  return { models: definitions, fallback, source: MODELS_FILE };
}

function toDefinition(written: Written, file: ConfigFile, pointer: string): ModelDefinition {
  const { parameters = {}, reasoning, ...rest } = written;
  if (written.baseUrl !== undefined && !isHttpUrl(written.baseUrl))
    throw file.problem(`${pointer}/baseUrl`, 'must be an http or https URL');
  const chatFields = chatFieldsOf(written);
  const api = written.api ?? (chatFields.length > 0 && apiOf(written) !== 'chat' ? 'chat' : undefined);
  const isChat = apiOf({ ...written, api }) === 'chat';
  if (!isChat && chatFields[0] !== undefined)
    throw file.problem(`${pointer}/${chatFields[0]}`, `belongs to api: chat; the api of this model is ${written.api}`);
  const problem = findParameterProblem(parameters);
  if (problem) throw file.problem(`${pointer}/parameters${problem.pointer}`, problem.message);
  const fields = toReasoning(reasoning ?? (isChat ? 'reasoning_effort' : undefined));
  return { ...rest, ...(api && { api }), parameters: toModelParameters(parameters), reasoning: fields };
}

type Written = Static<typeof WrittenModel>;

/** Returns the fields that have a meaning in chat completions alone. A model with one of them uses chat completions when it names no API. */
function chatFieldsOf({ dialect, maxTokensField, reasoning }: Written): string[] {
  const isStyle = typeof reasoning === 'string' ? reasoning !== 'none' : Object.values(reasoning ?? {}).some(isChatReasoning);
  const found = { dialect: dialect !== undefined, maxTokensField: maxTokensField !== undefined, reasoning: isStyle };
  return Object.entries(found).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

const isChatReasoning = (fields: Readonly<Record<string, unknown>> = {}): boolean =>
  'reasoning_effort' in fields || 'enable_thinking' in fields || 'chat_template_kwargs' in fields;

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === '';
}

const levels = (fieldsOf: (level: string) => Record<string, unknown>): ReasoningFields =>
  Object.fromEntries(['minimal', 'low', 'medium', 'high'].map(level => [level, fieldsOf(level)]));

const STYLES: Readonly<Record<ReasoningStyle, ReasoningFields>> = {
  reasoning_effort: levels(level => ({ reasoning_effort: level })),
  thinking: { off: { thinking: { type: 'disabled' } }, high: { thinking: { type: 'enabled' } } },
  enable_thinking: { off: { enable_thinking: false }, high: { enable_thinking: true } },
  none: {},
};

/** The reasoning of a model about which nothing is written. */
const USUAL_REASONING = STYLES.reasoning_effort;

/** Returns the request fields of each thinking level that a word or a map of models.yaml names. */
export const toReasoning = (written: ReasoningStyle | ReasoningFields | undefined): ReasoningFields | undefined =>
  typeof written === 'string' ? STYLES[written] : written;
