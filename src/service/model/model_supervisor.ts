/** Follows changes of models.yaml, and looks whether the model servers are there. */
import type { Clock } from '../../port/clock';
import type { ConfigFiles } from '../../port/config_files';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { ConfigReloads } from '../audit/config_reloads';
import type { Model, ModelCatalog } from './model_catalog';
import { MODELS_FILE, readModelsFile } from './models_file';

export interface ModelSupervisorDeps {
  catalog: ModelCatalog;
  configFiles: ConfigFiles;
  configReloads: Pick<ConfigReloads, 'follow' | 'recordReload' | 'recordRefusal'>;
  clock: Clock;
  /** True for a tool of the gateway. */
  hasTool: (name: string) => boolean;
  onError: LogError;
  observer: Observer;
}

export type ModelState = 'ok' | 'cooling' | 'failing';

export interface ModelStatus {
  model: Model;
  state: ModelState;
  /** A sentence for people; absent while the model is ok. */
  reason?: string;
  /** End of the cool-down in milliseconds since 1970; absent when the model does not cool down. */
  retryAt?: number;
  isDefault: boolean;
  contextWindow: number;
}

/** A failing model is probed this often. */
const PROBE_AGAIN_MS = 60_000;
/** Milliseconds for which a failure counts as the state of a model, because the model may not be called again for hours. */
const FAILURE_KEPT_MS = 600_000;

export class ModelSupervisor {
  private fileProblem: string | undefined;
  private reading: Promise<void> = Promise.resolve();
  private cancelProbe: (() => void) | undefined;
  /** Number of the newest round of probes. Answers that belong to an older round are ignored. */
  private round = 0;

  constructor(private readonly deps: ModelSupervisorDeps) {}

  /** Begins to watch the file and probes every model in the background. */
  start(): void {
    this.deps.configReloads.follow(MODELS_FILE);
    this.deps.configFiles.watchFile(MODELS_FILE, () => void this.readAgain());
    void this.probeModels();
  }

  /** Reads the file now, without waiting until its change is seen. Never rejects. */
  readAgain(): Promise<void> {
    this.reading = this.reading.then(() => this.reload());
    return this.reading;
  }

  /** Stops probing the models. */
  stop(): void {
    this.round += 1;
    this.cancelProbe?.();
  }

  /** Lists the models with their state, for operators. */
  listModels(): ModelStatus[] {
    const { catalog } = this.deps;
    return catalog.listModels().map(model => ({
      model,
      isDefault: model === catalog.defaultModel,
      contextWindow: catalog.contextTokensOf(model.definition.id),
      ...this.stateOf(model),
    }));
  }

  /** Returns a sentence for each failing model, for each tool that a server refuses, and for a file that cannot be read. */
  warnings(): string[] {
    const { source } = this.deps.catalog;
    const ofModels = this.listModels().flatMap(({ model, reason }) => (reason ? [`${source}: ${model.definition.id}: ${reason}`] : []));
    const all = [...ofModels, ...this.toolWarnings()];
    return this.fileProblem === undefined ? all : [this.fileProblem, ...all];
  }

  /** Tools of callers are their own matter. */
  private toolWarnings(): string[] {
    const { catalog, hasTool } = this.deps;
    return catalog.listModels().flatMap(({ definition: { id }, toolsAside }) =>
      toolsAside
        .list()
        .filter(({ tool }) => hasTool(tool))
        .map(({ tool, reason }) => `${catalog.source}: ${id}: The tool ${tool} is not offered to this model. ${reason}`),
    );
  }

  private stateOf({ circuit, probeProblem }: Model): Pick<ModelStatus, 'state' | 'reason' | 'retryAt'> {
    const now = this.deps.clock.now();
    const { lastFailure, retryAt } = circuit;
    if (lastFailure && retryAt !== undefined && circuit.isCooling(now)) return { state: 'cooling', reason: lastFailure.reason, retryAt };
    if (probeProblem !== undefined) return { state: 'failing', reason: probeProblem };
    if (lastFailure && now < lastFailure.at + FAILURE_KEPT_MS) return { state: 'failing', reason: lastFailure.reason };
    return { state: 'ok' };
  }

  /** Reads the file again. Never rejects: an invalid file is named by `warnings`, and the models stay as they are. */
  private async reload(): Promise<void> {
    const { catalog, configFiles, onError, observer } = this.deps;
    try {
      // A change of another configuration file is reported too, and is no reason to ask every server.
      const isChanged = catalog.replaceModels(await readModelsFile(configFiles));
      this.fileProblem = undefined;
      if (isChanged) {
        observer.note({ type: 'config_reload', file: MODELS_FILE, ok: true });
        void this.probeModels();
      }
      await this.deps.configReloads.recordReload(MODELS_FILE);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (message !== this.fileProblem) {
        onError('models.yaml was changed and cannot be used; the earlier models stay', message);
        observer.note({ type: 'config_reload', file: MODELS_FILE, ok: false });
        void this.deps.configReloads.recordRefusal(MODELS_FILE, thrown);
      }
      this.fileProblem = message;
    }
  }

  /** Checks every model server. Never rejects. */
  private async probeModels(): Promise<void> {
    const { catalog, clock, onError } = this.deps;
    this.cancelProbe?.();
    this.round += 1;
    const { round } = this;
    const found = await Promise.all(catalog.listModels().map(async model => ({ model, problem: await problemOf(model) })));
    if (round !== this.round) return;
    for (const { model, problem } of found) {
      if (problem !== undefined && problem !== model.probeProblem) onError(`the model ${model.definition.id} cannot be used`, problem);
      if (problem === undefined) delete model.probeProblem;
      else model.probeProblem = problem;
    }
    if (found.some(({ problem }) => problem !== undefined)) {
      this.cancelProbe = clock.after(PROBE_AGAIN_MS, () => void this.probeModels());
    }
  }
}

/** A key that is missing cannot appear while the process runs. */
const problemOf = async ({ keyProblem, client }: Model): Promise<string | undefined> => keyProblem ?? client.probe();
