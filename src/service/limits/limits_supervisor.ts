/** Reads limits.yaml and follows its changes. */
import { isDeepStrictEqual } from 'node:util';
import type { ConfigFiles, ConfigReader } from '../../port/config_files';
import type { LogError } from '../../port/logger';
import { baseUrlOf } from '../../port/model_apis';
import type { Observer } from '../../port/observer';
import type { PriceList } from '../../port/price_list';
import type { ConfigReloads } from '../audit/config_reloads';
import type { ModelCatalog } from '../model/model_catalog';
import type { LimitRules } from './limit_rules';
import { type LimitSet, toLimitSet } from './limits_file';

const LIMITS_FILE = 'limits.yaml';
/** A usage that shows whether a model has a price. */
const ONE_TOKEN = { inputTokens: 1, outputTokens: 1 };

/** Reads limits.yaml. Resolves with undefined when there is no file. Rejects with one sentence that names file, field and line. */
export async function readLimits(files: ConfigReader): Promise<LimitSet | undefined> {
  const file = await files.readFile(LIMITS_FILE);
  if (!file) return undefined;
  return toLimitSet(file);
}

export interface LimitsSupervisorDeps {
  rules: LimitRules;
  configFiles: ConfigFiles;
  configReloads: Pick<ConfigReloads, 'follow' | 'recordReload' | 'recordRefusal'>;
  models: Pick<ModelCatalog, 'listModels' | 'info'>;
  priceList: PriceList;
  onError: LogError;
  observer: Observer;
}

export class LimitsSupervisor {
  private fileProblem: string | undefined;
  private lastRead: LimitSet | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly deps: LimitsSupervisorDeps) {}

  /** Begins to watch the file. */
  start(): void {
    this.deps.configReloads.follow(LIMITS_FILE);
    this.deps.configFiles.watchFile(LIMITS_FILE, () => {
      this.reading = this.reading.then(() => this.reload());
    });
  }

  /** Returns a sentence for a file that cannot be used, and one for models whose calls no limit of money counts. */
  warnings(): string[] {
    const unpriced = this.deps.rules.limitsCost ? this.unpricedModels() : [];
    const ofCost =
      unpriced.length === 0
        ? []
        : [
            `${LIMITS_FILE}: maxCostUsd and costPerDayUsd do not limit ${unpriced.join(', ')}: no price is known. Set price in models.yaml.`,
          ];
    return this.fileProblem === undefined ? ofCost : [withoutNames(this.fileProblem), ...ofCost];
  }

  private unpricedModels(): string[] {
    const { models, priceList } = this.deps;
    // The demo is a script and costs nothing.
    if (models.info.demo) return [];
    return models.listModels().flatMap(({ definition }) => {
      const { id, model, price } = definition;
      const named = { model, baseUrl: baseUrlOf(definition) };
      return price || priceList.findCost(named, ONE_TOKEN) !== undefined ? [] : [id];
    });
  }

  /** Reads the file again. Never rejects: an invalid file is named by `warnings`, and the limits stay as they are. */
  private async reload(): Promise<void> {
    const { rules, configFiles, onError, observer } = this.deps;
    try {
      const limits = await readLimits(configFiles);
      rules.replaceLimits(limits);
      this.fileProblem = undefined;
      await this.deps.configReloads.recordReload(LIMITS_FILE);
      // A change of another configuration file is reported too.
      if (!isDeepStrictEqual(limits, this.lastRead)) observer.note({ type: 'config_reload', file: LIMITS_FILE, ok: true });
      this.lastRead = limits;
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (message !== this.fileProblem) {
        onError('limits.yaml was changed and cannot be used; the earlier limits stay', message);
        observer.note({ type: 'config_reload', file: LIMITS_FILE, ok: false });
        void this.deps.configReloads.recordRefusal(LIMITS_FILE, thrown);
      }
      this.fileProblem = message;
    }
  }
}

/** Every caller may read warnings, so they show the line of a mistake and no name of a tenant or key. */
const withoutNames = (problem: string): string =>
  problem.replace(/(?<=: \/(?:tenants|keys)\/)[^/:]+/, '*').replace(/(?<=\/\*: there is no field )[^(]*(?= \(line|\.$)/, '*');
