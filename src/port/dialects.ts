/**
 * The dialects of model servers: in which points servers of the OpenAI chat completions API differ, as data. The table in docs/guides/models.md says
 * the same to people; a test compares both. Code asks `dialectOf` and reads fields; no other code knows a server by its address or its name.
 */

export const DIALECT_NAMES = [
  'openai',
  'gemini',
  'deepseek',
  'mistral',
  'kimi',
  'glm',
  'qwen',
  'openrouter',
  'minimax',
  'ollama',
  'vllm',
  'llamacpp',
  'tolerant',
] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** Names of fields; `any`: every field that is not part of the OpenAI format. */
type FieldNames = readonly string[] | 'any';

export interface Dialect {
  name: DialectName;
  /** Matches the host, with its port, in base URLs of such servers. Absent: only `dialect:` or the name of the model chooses this dialect. */
  hosts?: RegExp;
  /** Matches names of models that speak this dialect, on servers whose host says nothing. */
  models?: RegExp;
  /** Fields of a message of the model that the server wants back with the message. */
  messageFields: FieldNames;
  /** Fields of a tool call that the server wants back, beside `id`, `type` and `function`. */
  callFields: FieldNames;
  /** Which THOUGHT_FIELDS of `messageFields` go back: those of turns with tool calls, or all of them. */
  thoughtsSentBack: 'never' | 'turns_with_calls' | 'always';
  /** Fields to send with calls that another server wrote, when this server demands fields that only it can write. */
  substitute?: Substitute;
  /** Matches the ids of tool calls that the server takes. A server always gets back the ids that it wrote itself. */
  callIds: RegExp;
  /** Thoughts that stand as `<think>` in the text go back as they came, in the text. Otherwise they are dropped. */
  wantsThinkTags: boolean;
  /** A comment of the event stream, such as `: keep-alive`, shows that the server still works on the answer. */
  commentsAreLife: boolean;
  /** Fields of a request, beyond those of OpenAI, that the server takes; others are not sent to it. */
  requestFields: readonly string[];
}

interface Substitute {
  /** Fields of a message with calls. */
  message?: Readonly<Record<string, unknown>>;
  /** Fields of the first call of a message with calls. */
  firstCall?: Readonly<Record<string, unknown>>;
  /** Matches names of models that need no substitute. */
  exceptModels?: RegExp;
}

const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_details'];
/** Fields of a message that hold what the model thought. */
export const THOUGHT_FIELDS: readonly string[] = [...THOUGHTS, 'reasoning_text', 'thinking', 'thinking_blocks'];
/** Fields of a message or a call that hold a signature of its thoughts. */
export const SIGNATURES = ['extra_content', 'provider_specific_fields', 'thought_signature'];
const TEMPLATE_FIELDS = ['chat_template_kwargs'];
const SAMPLING_FIELDS = ['top_k', 'min_p', 'repetition_penalty'];
const OPENAI_FIELDS = ['service_tier', 'store', 'metadata', 'prompt_cache_key', 'safety_identifier', 'user', 'verbosity', 'logit_bias'];

/** Matches the ids of tool calls that this gateway writes, keeps and shows. */
export const OWN_CALL_IDS = /^[A-Za-z0-9_-]{1,64}$/;

/** The behaviour of most servers: they take thoughts back with the calls that followed them, and ignore fields that they do not know. */
const USUAL = {
  messageFields: THOUGHTS,
  callFields: [],
  thoughtsSentBack: 'turns_with_calls',
  callIds: OWN_CALL_IDS,
  wantsThinkTags: false,
  commentsAreLife: false,
  requestFields: [],
} satisfies Omit<Dialect, 'name'>;

/** A blank as the text of the thoughts: any text will do, and some servers treat an empty text as missing. */
const NO_THOUGHTS = { message: { reasoning_content: ' ' } };

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  openai: {
    ...USUAL,
    name: 'openai',
    hosts: /(^|\.)openai\.(com|azure\.com)(:\d+)?$/,
    // Mistral refuses messages with fields that it does not know.
    messageFields: [],
    thoughtsSentBack: 'never',
    callIds: /^[A-Za-z0-9_-]{1,40}$/,
    requestFields: OPENAI_FIELDS,
  },
  gemini: {
    ...USUAL,
    name: 'gemini',
    hosts: /(^|[.-])(generativelanguage|aiplatform)\.googleapis\.com(:\d+)?$/,
    models: /(^|\/)gemini/i,
    // Gateways in front of Gemini write the signature under other names.
    messageFields: SIGNATURES,
    callFields: SIGNATURES,
    thoughtsSentBack: 'never',
    // Gemini 3 refuses a step whose first call has no signature; this text takes the place of a signature (ai.google.dev, thought signatures).
    substitute: {
      firstCall: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
      exceptModels: /gemini-(1|2)/i,
    },
    requestFields: ['extra_body'],
  },
  deepseek: {
    ...USUAL,
    name: 'deepseek',
    hosts: /(^|\.)deepseek\.com(:\d+)?$/,
    models: /(^|\/)deepseek/i,
    substitute: NO_THOUGHTS,
    commentsAreLife: true,
    requestFields: ['thinking'],
  },
  mistral: {
    ...USUAL,
    name: 'mistral',
    hosts: /(^|\.)mistral\.ai(:\d+)?$/,
    models: /(^|\/)(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/i,
    messageFields: [],
    thoughtsSentBack: 'never',
    callIds: /^[A-Za-z0-9]{9}$/,
    requestFields: ['safe_prompt', 'random_seed'],
  },
  kimi: {
    ...USUAL,
    name: 'kimi',
    hosts: /(^|\.)(moonshot\.(ai|cn)|kimi\.com)(:\d+)?$/,
    models: /(^|\/)(kimi|moonshot)/i,
    substitute: NO_THOUGHTS,
    requestFields: ['thinking'],
  },
  glm: {
    ...USUAL,
    name: 'glm',
    hosts: /(^|\.)(bigmodel\.cn|z\.ai)(:\d+)?$/,
    models: /(^|\/)(chat)?glm-?\d/i,
    requestFields: ['thinking', 'do_sample'],
  },
  qwen: {
    ...USUAL,
    name: 'qwen',
    hosts: /(^|\.)dashscope(-[a-z]+)?\.aliyuncs\.com(:\d+)?$/,
    models: /(^|\/)(qwen|qwq|qvq)/i,
    requestFields: ['enable_thinking', 'thinking_budget', 'enable_search', 'top_k', 'chat_template_kwargs'],
  },
  openrouter: {
    ...USUAL,
    name: 'openrouter',
    hosts: /(^|\.)openrouter\.ai(:\d+)?$/,
    thoughtsSentBack: 'always',
    commentsAreLife: true,
    requestFields: [...SAMPLING_FIELDS, 'reasoning', 'include_reasoning', 'user'],
  },
  minimax: {
    ...USUAL,
    name: 'minimax',
    hosts: /(^|\.)(minimax\.io|minimaxi\.com|minimax\.chat)(:\d+)?$/,
    models: /(^|\/)(minimax|abab)/i,
    thoughtsSentBack: 'always',
    wantsThinkTags: true,
    requestFields: ['reasoning_split'],
  },
  ollama: {
    ...USUAL,
    name: 'ollama',
    hosts: /(^|[.-])ollama([.:-]|$)|:11434$/,
    requestFields: ['num_ctx', 'think', 'format'],
  },
  vllm: {
    ...USUAL,
    name: 'vllm',
    hosts: /(^|[.-])vllm([.:-]|$)/,
    requestFields: [...TEMPLATE_FIELDS, ...SAMPLING_FIELDS, 'guided_json', 'structured_outputs', 'priority', 'include_reasoning'],
  },
  llamacpp: {
    ...USUAL,
    name: 'llamacpp',
    hosts: /(^|[.-])(llama-?cpp|llama-server)([.:-]|$)/,
    requestFields: [...TEMPLATE_FIELDS, ...SAMPLING_FIELDS, 'cache_prompt', 'grammar', 'json_schema', 'id_slot'],
  },
  // Names of models say nothing about these servers, and some refuse fields that they do not know. An unknown server gets back the fields that came
  // from it, because it would not have sent fields that it refuses.
  tolerant: {
    ...USUAL,
    name: 'tolerant',
    hosts: /(^|\.)(groq\.com|cerebras\.ai|together\.(ai|xyz)|fireworks\.ai|nvidia\.com|githubcopilot\.com)(:\d+)?$/,
    messageFields: 'any',
    callFields: 'any',
    requestFields: TEMPLATE_FIELDS,
  },
};

/** The parts of a ModelDefinition that choose its dialect. */
export interface DialectChoice {
  dialect?: DialectName | undefined;
  /** Absent: OpenAI's own. */
  baseUrl?: string | undefined;
  /** The name that the server gives the model. */
  model: string;
}

/** Returns the named dialect; otherwise the dialect of the host, then of the model, then `tolerant`. */
export function dialectOf({ dialect, baseUrl, model }: DialectChoice): Dialect {
  if (dialect) return DIALECTS[dialect];
  if (!baseUrl) return DIALECTS.openai;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const all = Object.values(DIALECTS);
  return all.find(({ hosts }) => hosts?.test(host)) ?? all.find(({ models }) => models?.test(model)) ?? DIALECTS.tolerant;
}
