/** Models of model servers: their definitions and the clients that call them. */
import type { DialectName } from './dialects';
import type { LlmPort, ThinkingLevel } from './llm';
import type { ModelApi } from './model_apis';
import type { ModelParameters } from './model_parameters';

/** USD for a million tokens. An absent price is unknown, not 0. */
export interface ModelPrice {
  input: number;
  output: number;
  /** Absent: cached input costs as much as other input. */
  cachedInput?: number;
  /** Input that the server writes into its cache. Absent: it costs as much as other input. */
  cacheWrite?: number;
  /** Factors of these prices by the service tier that answered, such as flex and batch. */
  tiers?: Readonly<Record<string, number>>;
}

/**
 * Request fields for each thinking level. A level without an entry takes the fields of the nearest lower level, or of the lowest level with an entry;
 * `off` without an entry takes none.
 */
export type ReasoningFields = Readonly<Partial<Record<ThinkingLevel, Readonly<Record<string, unknown>>>>>;

/** Time limits of a call in milliseconds. An absent field has the default of the settings. */
export interface ModelTimes {
  /** Name lookup, proxy, TCP and TLS of one connection. */
  connectMs?: number;
  /** From the request to the first byte of the answer. */
  firstByteMs?: number;
  /** Between two pieces of the answer. */
  idleMs?: number;
  /** The whole call with its retries. */
  totalMs?: number;
}

/** One model of one server. */
export interface ModelDefinition extends ModelTimes {
  /** Unique among the models of the gateway. */
  id: string;
  label?: string;
  /** The form of requests. Absent: found by base URL, see `apiOf`. */
  api?: ModelApi;
  /** Base of the API as the vendor's own client takes it, http or https. Absent: the vendor's own. */
  baseUrl?: string;
  /** Name of the environment variable that holds the key. Absent: the server needs none. */
  apiKeyEnv?: string;
  /** The name that the server gives the model. */
  model: string;
  /** Of the chat API. Absent: found by base URL and model, see `dialectOf`. */
  dialect?: DialectName;
  parameters: ModelParameters;
  /** Absent: the adapter of the API knows the fields of each level. */
  reasoning?: ReasoningFields;
  /** Of the chat API: name of the request field that limits the length of an answer. Absent: the field that the server usually takes. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Context window in tokens, the answer included. Absent: the window of the settings. */
  contextWindow?: number;
  price?: ModelPrice;
  /** True: the model can see images. */
  images?: boolean;
  /** True: the model can read PDF files. */
  files?: boolean;
}

export interface ModelClient extends LlmPort {
  /**
   * Asks the server whether it is reachable and accepts the key; costs no tokens. Resolves with one sentence about the problem, or with undefined. A
   * server that does not know the route of the question counts as fine. `onTime` gets the server's time, in milliseconds since 1970, when the answer
   * names it.
   */
  probe(onTime?: (at: number) => void): Promise<string | undefined>;
  /**
   * Asks the server for the names of its models; costs no tokens. Resolves with an empty list for a server without such a list. Rejects with an
   * AppError `model_*` with the server's own words.
   */
  listModels(signal: AbortSignal): Promise<string[]>;
  /** Drops idle connections. Calls in progress go on. */
  close(): void;
}

/**
 * @example
 * import type { LlmPort } from './llm';
 * import type { ModelClients } from './model_client';
 *
 * const silent: LlmPort = {
 *   info: { provider: 'example', model: 'silent', demo: true },
 *   stream: async () => ({ message: { role: 'assistant', content: '' }, reasoning: '', finishReason: 'stop' }),
 * };
 *
 * // Models that need no server, for tests.
 * export const echoModels: ModelClients = {
 *   demo: { ...silent, probe: async () => undefined, listModels: async () => [], close: () => {} },
 *   openClient: definition => ({ ...silent, info: { provider: 'example', model: definition.model, demo: false }, probe: async () => undefined, listModels: async () => [], close: () => {} }),
 * };
 */
export interface ModelClients {
  /** A script that answers when no model is configured. */
  readonly demo: ModelClient;
  /** Opens no connection yet. `apiKey` never appears in errors. Throws when the base URL is not one. */
  openClient(definition: ModelDefinition, apiKey: string | undefined): ModelClient;
}
