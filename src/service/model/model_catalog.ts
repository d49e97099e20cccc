/** The models of the gateway: lists them, finds the model that a name means, and the models that stand in for it. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../errors';
import { dialectOf } from '../../port/dialects';
import type { LlmPort } from '../../port/llm';
import { apiOf } from '../../port/model_apis';
import type { ModelClient, ModelClients, ModelDefinition } from '../../port/model_client';
import type { ModelParameters } from '../../port/model_parameters';
import { Circuit } from './circuit';
import type { ModelSet } from './models_file';
import { ToolsAside } from './tools_aside';

/** A model with its client and its state, which survive a reload that does not change the definition. */
export interface Model {
  definition: ModelDefinition;
  client: ModelClient;
  circuit: Circuit;
  toolsAside: ToolsAside;
  /** Set when the key is missing. */
  keyProblem?: string;
  /** The problem that the last probe found, until a call succeeds. */
  probeProblem?: string;
}

/** A model to ask. `name`: the name to ask its server for, when that differs from the model's own. */
export interface Candidate {
  model: Model;
  serverName?: string;
}

export interface ModelCatalogDeps {
  clients: ModelClients;
  /** Returns the value of the environment variable `name`, the key of `model`. Throws for a key that no header can hold. */
  readSecret: (name: string, model: string) => string | undefined;
  /** Apply when no file defines models. Absent: the demo answers. */
  configured?: ModelSet;
  /** Context window of models that name none. */
  contextTokens: number;
}

export class ModelCatalog {
  private models: ReadonlyMap<string, Model>;
  private set: ModelSet;

  /** `file`: the content of models.yaml, if there is one. */
  constructor(
    private readonly deps: ModelCatalogDeps,
    file?: ModelSet,
  ) {
    this.set = file ?? this.withoutFile;
    this.models = this.open(this.set);
  }

  /**
   * Uses other models from now on; undefined: models.yaml is gone. Calls in progress end as they began. Returns false when the models are the
   * same as before.
   */
  replaceModels(file: ModelSet | undefined): boolean {
    const before = this.models;
    const set = file ?? this.withoutFile;
    if (isDeepStrictEqual(set, this.set)) return false;
    this.set = set;
    this.models = this.open(this.set);
    const kept = new Set([...this.models.values()].map(({ client }) => client));
    for (const { client } of before.values()) if (!kept.has(client)) client.close();
    return true;
  }

  /** In the order of the file. */
  listModels(): readonly Model[] {
    return [...this.models.values()];
  }

  /** The file or the settings that define the models. */
  get source(): string {
    return this.set.source;
  }

  /** The model of agents that name none. */
  get defaultModel(): Model {
    const first = this.models.get(this.set.fallback[0] ?? '') ?? this.models.values().next().value;
    if (!first) throw new Error('There is no model.');
    return first;
  }

  /** True when one of the models can read PDF files. */
  get readsFiles(): boolean {
    return this.listModels().some(({ definition }) => definition.files === true);
  }

  /** The description of the default model. */
  get info(): LlmPort['info'] {
    return this.defaultModel.client.info;
  }

  /** True when the person who writes a request can choose this model: by its id, or by the name that its server knows. */
  has(name: string): boolean {
    return this.findModel(name) !== undefined;
  }

  /** Throws `not_found` when no model has this name. */
  assertModelExists(name: string): void {
    if (this.has(name)) return;
    const ids = [...this.models.keys()].join(', ');
    throw new AppError('not_found', {
      param: '/model',
      message: `There is no such model; choose from ${ids}.`,
      messageZh: `没有这个模型；可选：${ids}。`,
    });
  }

  /**
   * Returns the models to ask, in order: the named model, then its stand-ins. A name that no model has goes to the default model's server. A model
   * that is missing in the order of fallbacks has no stand-in.
   */
  candidatesFor(name: string | undefined): Candidate[] {
    const named = name === undefined ? this.defaultModel : this.findModel(name);
    const first: Candidate = named ? { model: named } : { model: this.defaultModel, serverName: name };
    const { id } = first.model.definition;
    const { fallback } = this.set;
    if (!fallback.includes(id)) return [first];
    const others = fallback.filter(other => other !== id).flatMap(other => this.models.get(other) ?? []);
    return [first, ...others.map(model => ({ model }))];
  }

  /** Returns the name under which a run shows its model: the id for a model of models.yaml, the server's name for the model of the settings. */
  shownName(name: string | undefined): string {
    const model = name === undefined ? this.defaultModel : this.findModel(name);
    if (!model) return name ?? '';
    return this.set === this.withoutFile ? model.client.info.model : model.definition.id;
  }

  /** Parameters that the operator gave the model. */
  parametersOf(name: string | undefined): ModelParameters {
    const model = name === undefined ? this.defaultModel : (this.findModel(name) ?? this.defaultModel);
    return model.definition.parameters;
  }

  /** Returns the context window of the model in tokens, answer included; of the default model for an unknown name. */
  contextTokensOf(name: string | undefined): number {
    const model = name === undefined ? this.defaultModel : (this.findModel(name) ?? this.defaultModel);
    return model.definition.contextWindow ?? this.deps.contextTokens;
  }

  /** Names of request fields beyond those of OpenAI that the servers of the model and of its stand-ins take. */
  foreignFieldsOf(name: string | undefined): readonly string[] {
    const [first, ...others] = this.candidatesFor(name).map(({ model: { definition }, serverName = definition.model }) =>
      apiOf(definition) === 'chat' ? dialectOf({ ...definition, model: serverName }).requestFields : [],
    );
    return first?.filter(field => others.every(fields => fields.includes(field))) ?? [];
  }

  /** The largest context window of all models. */
  get mostContextTokens(): number {
    return Math.max(...this.listModels().map(({ definition }) => definition.contextWindow ?? this.deps.contextTokens));
  }

  /** Lists the models whose server refuses the tool, with the words of the refusal. */
  listAsideFor(tool: string): { model: string; reason: string }[] {
    return this.listModels().flatMap(({ definition, toolsAside }) =>
      toolsAside.list().flatMap(aside => (aside.tool === tool ? [{ model: definition.id, reason: aside.reason }] : [])),
    );
  }

  private findModel(name: string): Model | undefined {
    return this.models.get(name) ?? this.listModels().find(({ definition }) => definition.model === name);
  }

  private open(set: ModelSet): ReadonlyMap<string, Model> {
    return new Map(set.models.map(definition => [definition.id, this.known(definition) ?? this.openModel(definition)]));
  }

  private known(definition: ModelDefinition): Model | undefined {
    const known = this.models?.get(definition.id);
    if (!known) return undefined;
    if (isDeepStrictEqual(known.definition, definition)) return known;
    // A new label or price needs no new connection and does not heal a server.
    const isSameServer = isDeepStrictEqual(connectionOf(known.definition), connectionOf(definition));
    return isSameServer ? Object.assign(known, { definition }) : undefined;
  }

  private openModel(definition: ModelDefinition): Model {
    const { clients, readSecret } = this.deps;
    const { apiKeyEnv } = definition;
    const apiKey = apiKeyEnv === undefined ? undefined : readSecret(apiKeyEnv, definition.id);
    const client = definition === DEMO ? clients.demo : clients.openClient(definition, apiKey);
    const isKeyMissing = apiKeyEnv !== undefined && !apiKey;
    return {
      definition,
      client,
      circuit: new Circuit(),
      toolsAside: new ToolsAside(),
      keyProblem: isKeyMissing ? `The environment variable ${apiKeyEnv}, which should hold its key, is not set.` : undefined,
    };
  }

  private get withoutFile(): ModelSet {
    return this.deps.configured ?? DEMO_SET;
  }
}

const DEMO: ModelDefinition = { id: 'demo', model: 'demo', parameters: {}, reasoning: {} };
const DEMO_SET: ModelSet = { models: [DEMO], fallback: [], source: 'the demo' };

/** Returns the fields of a definition from which the client of the model is created. */
const connectionOf = ({
  label: _label,
  price: _price,
  contextWindow: _window,
  parameters: _parameters,
  images: _images,
  files: _files,
  ...rest
}: ModelDefinition) => rest;
