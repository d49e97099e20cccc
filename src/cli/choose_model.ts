/** Finds, tries and connects the model of a gateway that is being set up. */
import type { NetaClient } from '../../clients/typescript/src/client';
import type { AnswerOf, RequestInput } from '../../clients/typescript/src/types';
import { UsageError } from './command';
import { ONBOARD_TEXTS as TEXTS } from './onboard_texts';
import type { Output } from './output';
import type { Prompts } from './prompts';
import type { Language } from './texts';

/** The model as the options name it. */
export interface ModelWish {
  baseUrl?: string;
  /** The form of requests. */
  api?: string;
  /** Name of the variable of this environment that has the key. */
  keyEnv?: string;
  model?: string;
}

export interface ModelStepDeps {
  client: NetaClient;
  prompts: Prompts;
  output: Output;
  language: Language;
  env: NodeJS.ProcessEnv;
}

type Provider = AnswerOf<'/api/v1/model-providers', 'get'>['data'][number];
type Api = NonNullable<NonNullable<RequestInput<'/api/v1/models/check', 'post'>['body']>['api']>;

interface ServerChoice {
  provider: string;
  baseUrl?: string;
  api?: Api;
  apiKey?: string;
  models: readonly string[];
}

/** A server or a model that does not answer; the message has the server's own words. */
class ModelProblem extends Error {}

/**
 * Connects the model of the options, else the one that the person chooses, else a model of a server on this machine. Resolves with its name; with
 * undefined when the demo shall answer. Rejects with a sentence when the wanted model does not answer and no person is there to choose another.
 */
export async function connectModel(deps: ModelStepDeps, wish: ModelWish): Promise<string | undefined> {
  const providers = (await deps.client.request('get', '/api/v1/model-providers')).data;
  const isWished = Object.values(wish).some(value => value !== undefined);
  if (isWished) return connect(deps, await checkWish(deps, providers, wish), wish.model);
  for (;;) {
    const provider = await chooseProvider(deps, providers);
    if (provider === undefined) return undefined;
    try {
      return await connect(deps, await askForServer(deps, provider), undefined);
    } catch (thrown) {
      if (!deps.prompts.isAsking || !(thrown instanceof ModelProblem)) throw thrown;
      deps.output.note(thrown.message, 'red');
    }
  }
}

async function checkWish(deps: ModelStepDeps, providers: readonly Provider[], wish: ModelWish): Promise<ServerChoice> {
  const { baseUrl, keyEnv, api } = wish;
  const apiKey = keyEnv === undefined ? undefined : deps.env[keyEnv];
  if (keyEnv !== undefined && !apiKey) throw new UsageError(`--key-env ${keyEnv}: ${TEXTS.noVariable[deps.language]}`);
  const known = providers.find(({ id, baseUrl: address }) => (baseUrl === undefined ? keyEnv === keyNameOf(id) : address === baseUrl));
  const provider = known?.id ?? (baseUrl === undefined ? (VENDORS[api ?? ''] ?? 'openai') : 'other');
  // A cast: the gateway refuses a form that it does not know.
  return checkServer(deps, { provider, baseUrl, apiKey, api: api as Api | undefined });
}

/** The provider whose own form an API is. */
const VENDORS: Readonly<Record<string, string>> = { anthropic: 'anthropic', google: 'gemini' };

/** Resolves with undefined for the demo. Without a person it is a server on this machine, or the demo. */
async function chooseProvider({ prompts, language, env }: ModelStepDeps, providers: readonly Provider[]): Promise<Provider | undefined> {
  const local = providers.filter(({ models }) => models !== undefined);
  const keyed = providers.filter(({ id, needsKey }) => needsKey && env[keyNameOf(id)]);
  const rest = providers.filter(provider => provider.models === undefined && (provider.needsKey || provider.id === 'other'));
  const offered = [...local, ...keyed, ...rest.filter(provider => !keyed.includes(provider))];
  if (!prompts.isAsking) return local[0];
  const rows = offered.map(({ id, label, baseUrl = '', models }) => {
    if (models !== undefined) return `${label} (${TEXTS.runsHere[language]}, ${baseUrl}): ${models.slice(0, 3).join(', ')}`;
    return env[keyNameOf(id)] ? `${label} (${keyNameOf(id)})` : label;
  });
  return offered[await prompts.choose(TEXTS.whichModel[language], [...rows, TEXTS.demo[language]])];
}

async function askForServer(deps: ModelStepDeps, { id, baseUrl, models }: Provider): Promise<ServerChoice> {
  if (models !== undefined) return { provider: id, baseUrl, models };
  const { prompts, language, env } = deps;
  const address = baseUrl ?? (await prompts.ask(TEXTS.address[language], 'http://127.0.0.1:8000/v1'));
  const apiKey = env[keyNameOf(id)] ?? (await prompts.askSecret(TEXTS.key[language]));
  return checkServer(deps, { provider: id, baseUrl: address, apiKey: apiKey || undefined });
}

/** Asks the server for its models, which shows whether it takes the key. */
async function checkServer({ client }: ModelStepDeps, server: Omit<ServerChoice, 'models'>): Promise<ServerChoice> {
  const body = { baseUrl: server.baseUrl, api: server.api, key: server.apiKey };
  const { ok, models, message } = await client.request('post', '/api/v1/models/check', { body });
  if (!ok) throw new ModelProblem(message);
  return { ...server, models };
}

/** Asks the model for one word, then makes it the default model. */
async function connect(deps: ModelStepDeps, server: ServerChoice, wished: string | undefined): Promise<string> {
  const { client, output, language } = deps;
  const model = wished ?? (await chooseName(deps, server));
  const { provider, baseUrl, api, apiKey } = server;
  const body = { provider, baseUrl, api, apiKey, model };
  if (!output.isJson) output.note(`${TEXTS.trying[language]} ${model} ...`, 'dim');
  const { ok, problem } = await client.request('post', '/api/v1/model-providers/check', { body });
  if (!ok) throw new ModelProblem(`${model}: ${problem?.message ?? ''}`);
  await client.request('post', '/api/v1/model-providers/connect', { body });
  return model;
}

async function chooseName({ prompts, language }: ModelStepDeps, { models, provider }: ServerChoice): Promise<string> {
  if (prompts.isAsking) return models.length > 0 ? askForName(prompts, models, language) : prompts.ask(TEXTS.modelName[language], '');
  // A server of many models does not say which of them the person pays for.
  const isLocal = provider !== 'other' && models.length > 0 && models.length <= MAX_LOCAL;
  const [first] = models;
  if (first !== undefined && (models.length === 1 || isLocal)) return first;
  throw new UsageError(`--model: ${TEXTS.chooseFrom[language]} ${models.slice(0, MAX_NAMES).join(', ')}`);
}

async function askForName(prompts: Prompts, models: readonly string[], language: Language): Promise<string> {
  if (models.length > MAX_NAMES) return prompts.ask(TEXTS.modelName[language], models[0] ?? '');
  return models[await prompts.choose(TEXTS.modelName[language], models)] ?? '';
}

/** Names of models that fit on a screen. */
const MAX_NAMES = 20;
/** A server on this machine has only models that somebody put there. */
const MAX_LOCAL = 50;

/** Returns the variable that the documents of a provider use for its key. */
const keyNameOf = (id: string): string => `${id.toUpperCase()}_API_KEY`;
