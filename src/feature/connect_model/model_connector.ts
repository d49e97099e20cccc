/** Connects the gateway to a model server while it runs: finds servers, tries a key, and writes models.yaml and the key. */
import { AppError, invalidField } from '../../errors';
import type { ConfigEditor, ConfigReader } from '../../port/config_files';
import { type ApiChoice, baseUrlOf, type ModelApi, serverAddressOf } from '../../port/model_apis';
import type { ModelClient, ModelClients, ModelDefinition, ModelPrice } from '../../port/model_client';
import type { Principal } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { SecretStore } from '../../port/secret_store';
import type { AuditRecorder } from '../../service/audit/audit_log';
import { assertUnchanged, writeConfigFile } from '../../service/config_file_write';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { ModelStatus, ModelSupervisor } from '../../service/model/model_supervisor';
import { MODELS_FILE, readModelsFile } from '../../service/model/models_file';
import { textOfSettings, type WrittenModel, withModel } from '../../service/model/models_yaml';
import { KeyedLock } from '../../utils/keyed_lock';
import { PROVIDERS, type Provider } from './providers';

export interface ModelConnectorDeps {
  modelClients: ModelClients;
  modelCatalog: ModelCatalog;
  modelSupervisor: ModelSupervisor;
  configFiles: ConfigReader;
  configEditor: ConfigEditor;
  secretStore: SecretStore;
  /** Returns a secret of the environment. */
  readSecret: (name: string) => string | undefined;
  redactor: Pick<Redactor, 'addSecrets'>;
  auditLog: AuditRecorder;
}

/** The services that the routes of this feature use. */
export interface ConnectModelServices {
  modelConnector: ModelConnector;
}

export interface ServerChoice {
  /** Id of a provider. */
  provider: string;
  /** Absent: the address of the provider. */
  baseUrl?: string;
  /** Absent: found by the address. */
  api?: ModelApi;
  apiKey?: string;
}

export interface ModelChoice extends ServerChoice {
  model: string;
  label?: string;
  images?: boolean;
  files?: boolean;
}

/** A model as a caller wants it. An absent field has its default. */
export interface ModelFields {
  model: string;
  label?: string;
  /** Absent: the vendor's own, or OpenAI's. */
  baseUrl?: string;
  /** Absent: found by the address. */
  api?: ModelApi;
  /** Absent: an earlier key stays. */
  apiKey?: string;
  contextWindow?: number;
  images?: boolean;
  files?: boolean;
  price?: ModelPrice;
}

interface NamedKey {
  name: string;
  value: string;
  isNew: boolean;
}

/** The answer of a server. `models` is empty where the server has no list. */
export type ServerCheck = { ok: true; models: readonly string[] } | { ok: false; models: readonly string[]; problem: AppError };

/** Names of the models of a local server that runs now. */
export type FoundProvider = Provider & { models?: readonly string[] };

/** A server on this machine answers at once, or there is none. */
const LOCAL_MS = 1_000;
/** A local server loads its model first. */
const CALL_MS = 120_000;

export class ModelConnector {
  private readonly lock = new KeyedLock();

  constructor(private readonly deps: ModelConnectorDeps) {}

  /** Lists the providers, and asks those on this machine for their models. */
  listProviders(): Promise<FoundProvider[]> {
    return Promise.all(
      PROVIDERS.map(async provider => {
        if (provider.keyName !== undefined) return provider;
        const client = this.open({ provider: provider.id }, '');
        const models = await client.listModels(AbortSignal.timeout(LOCAL_MS)).catch(() => []);
        // Any other web server may listen at the port; it has no list of models.
        return models.length > 0 ? { ...provider, models } : provider;
      }),
    );
  }

  /** Asks the server for its models; with `model`, asks this model for one word. Rejects `invalid_request` for a malformed address. */
  async check(choice: ServerChoice & { model?: string }): Promise<ServerCheck> {
    const { model } = choice;
    const client = this.open(choice, model ?? '');
    try {
      if (model !== undefined) await askForOneWord(client);
      return { ok: true, models: model === undefined ? await client.listModels(AbortSignal.timeout(CALL_MS)) : [model] };
    } catch (thrown) {
      return { ok: false, models: [], problem: toProblem(thrown) };
    } finally {
      client.close();
    }
  }

  /**
   * Writes the model into models.yaml and its key into the secrets of the gateway, and makes it the default. Agents use it from the next call on.
   * Rejects `invalid_request`, `config_changed` and, for a directory that is read-only, `forbidden`.
   */
  connect(principal: Principal, choice: ModelChoice): Promise<ModelStatus> {
    return this.lock.run(MODELS_FILE, () => this.write(principal, { isDefault: true }, known => this.describe(choice, known)));
  }

  /**
   * Adds a model to models.yaml, or replaces the fields of the model with this id: an absent one goes, and so does the earlier key when another is given.
   * What the file says about the model beside these fields stays. `created`: the id is new. Rejects as `connect`, and with `invalid_request` when the
   * stored key would go to another server.
   */
  async putModel(principal: Principal, id: string, fields: ModelFields): Promise<{ model: ModelStatus; created: boolean }> {
    const { apiKey, baseUrl, api, model, label, contextWindow, images, files, price } = fields;
    const address = baseUrl === undefined ? null : addressOf('other', baseUrl);
    const provider = address === null ? 'other' : providerAt({ api, baseUrl: address });
    const optional = {
      api: api ?? null,
      label: label ?? null,
      contextWindow: contextWindow ?? null,
      images: images ?? null,
      files: files ?? null,
      price: price ?? null,
    };
    return this.lock.run(MODELS_FILE, async () => {
      const known = this.deps.modelCatalog.listModels().find(({ definition }) => definition.id === id)?.definition;
      if (apiKey === undefined && known?.apiKeyEnv !== undefined && originOf(known) !== originOf({ api, baseUrl })) throw keyIsMissing();
      const status = await this.write(principal, { isDefault: false }, () => {
        const key = apiKey === undefined ? undefined : this.nameKey(provider, apiKey);
        return { model: { id, baseUrl: address, apiKeyEnv: key?.name, model, ...optional }, key };
      });
      if (known?.apiKeyEnv !== undefined) await this.removeUnused(known.apiKeyEnv);
      return { model: status, created: known === undefined };
    });
  }

  /**
   * Writes models.yaml when the file with the model in it can be read, then the models are read again. `describe` gets the models of the file, or those
   * of the settings.
   */
  private async write(
    principal: Principal,
    { isDefault }: { isDefault: boolean },
    describe: (known: readonly ModelDefinition[]) => { model: WrittenModel; key?: NamedKey },
  ): Promise<ModelStatus> {
    const { configFiles, configEditor, secretStore, modelSupervisor, modelCatalog } = this.deps;
    const base = await configEditor.readText(MODELS_FILE);
    await assertUnchanged(configEditor, { name: MODELS_FILE, baseHash: base?.hash });
    const file = await readModelsFile(configFiles).catch(thrown => {
      throw refused(thrown);
    });
    const { model, key } = describe(file?.models ?? modelCatalog.listModels().map(({ definition }) => definition));
    const text = withModel(base?.text ?? textOfSettings(modelCatalog), model, { isDefault });
    const changed = configEditor.parse(MODELS_FILE, text);
    await readModelsFile({ readFile: async () => changed, readFolder: async () => [] }).catch(thrown => {
      throw refused(thrown);
    });
    if (key?.isNew) await secretStore.write(key.name, key.value);
    await writeConfigFile(this.deps, principal, { name: MODELS_FILE, text, baseHash: base?.hash });
    await modelSupervisor.readAgain();
    const written = modelSupervisor.listModels().find(({ model: { definition } }) => definition.id === model.id);
    if (!written)
      throw new AppError('internal', { cause: new Error(`${MODELS_FILE} was written, and its model ${model.id} is not used.`) });
    return written;
  }

  /** Removes a secret that no model names any more. */
  private async removeUnused(name: string): Promise<void> {
    const { modelCatalog, secretStore } = this.deps;
    const isUsed = modelCatalog.listModels().some(({ definition }) => definition.apiKeyEnv === name);
    if (!isUsed && secretStore.read(name) !== undefined) await secretStore.remove(name);
  }

  private open({ provider, baseUrl, api, apiKey }: ServerChoice, model: string): ModelClient {
    const definition = { id: 'new', model, api, baseUrl: addressOf(provider, baseUrl), parameters: {}, reasoning: {} };
    if (apiKey !== undefined) this.deps.redactor.addSecrets([apiKey]);
    return this.deps.modelClients.openClient(definition, apiKey);
  }

  /** Returns the model as models.yaml has it, and its key. A model of the same server keeps its id. */
  private describe(
    { provider, baseUrl, api, apiKey, model, label, images, files }: ModelChoice,
    known: readonly ModelDefinition[],
  ): { model: WrittenModel; key?: NamedKey } {
    const address = addressOf(provider, baseUrl);
    const server = serverAddressOf({ api, baseUrl: address });
    const same = known.find(other => other.model === model && serverAddressOf(other) === server);
    const taken = new Set(known.map(({ id }) => id));
    const id = same?.id ?? firstFree(model.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 56), taken);
    const key = apiKey === undefined ? undefined : this.nameKey(provider, apiKey);
    return { model: { id, label, api, baseUrl: address, apiKeyEnv: key?.name, model, images, files }, key };
  }

  /** Finds a name that means no other key. A key that the gateway has already keeps its name. */
  private nameKey(provider: string, value: string): NamedKey {
    const { secretStore, readSecret, redactor } = this.deps;
    redactor.addSecrets([value]);
    const usual = providerOf(provider).keyName ?? 'MODEL_API_KEY';
    for (let i = 1; ; i++) {
      const name = i === 1 ? usual : `${usual}_${i}`;
      const known = readSecret(name) ?? secretStore.read(name);
      if (known === undefined || known === value) return { name, value, isNew: known === undefined };
    }
  }
}

/** The time limit of the call ends it with an error of the platform. */
function toProblem(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!(thrown instanceof DOMException) || thrown.name !== 'TimeoutError') throw thrown;
  const seconds = CALL_MS / 1000;
  const message = `The model did not answer within ${seconds} s.`;
  return new AppError('model_timeout', { message, messageZh: `模型在 ${seconds} 秒内没有回答。` });
}

/** Shows that address, key and model work together; costs some ten tokens. */
async function askForOneWord(client: ModelClient): Promise<void> {
  const messages = [{ role: 'user' as const, content: 'Answer with the word OK.' }];
  await client.stream(
    { messages, tools: [], thinkingLevel: 'off', hasAlternative: true, signal: AbortSignal.timeout(CALL_MS) },
    { onText: () => {}, onReasoning: () => {} },
  );
}

function providerOf(id: string): Provider {
  const provider = PROVIDERS.find(other => other.id === id);
  if (provider) return provider;
  const known = PROVIDERS.map(other => other.id).join(', ');
  throw invalidField('/provider', `must be one of ${known}.`, `必须是 ${known} 之一。`);
}

function addressOf(id: string, baseUrl = providerOf(id).baseUrl): string {
  const url = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === '')
    return (baseUrl as string).replace(/\/+$/, '');
  throw invalidField('/baseUrl', 'must be an http or https URL without a password.', '必须是不含密码的 http 或 https 地址。');
}

/** Returns the id of the provider behind an address. */
function providerAt(choice: ApiChoice): string {
  const server = serverAddressOf(choice);
  return PROVIDERS.find(({ baseUrl }) => baseUrl !== undefined && serverAddressOf({ baseUrl }) === server)?.id ?? 'other';
}

const originOf = (choice: ApiChoice): string => new URL(baseUrlOf(choice)).origin;

const keyIsMissing = () => invalidField('/key', 'must be sent again, because the address is another one.', '地址已变更，必须重新提供。');

function firstFree(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const id = i === 1 ? name : `${name}-${i}`;
    if (!taken.has(id)) return id;
  }
}

const refused = (thrown: unknown): unknown =>
  thrown instanceof Error && !(thrown instanceof AppError) ? invalidField('/model', thrown.message, thrown.message) : thrown;
