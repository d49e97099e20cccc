/** Describes the model, the sandbox and the state of the gateway, for /readyz and /info. */
import type { EventLoopMonitor } from '../../port/event_loop_monitor';
import type { Shell } from '../../port/shell';
import type { Store } from '../../port/store/store';
import type { ModelCatalog } from '../model/model_catalog';

export interface ReadinessDeps {
  store: Store;
  models: ModelCatalog;
  shell: Shell;
  eventLoopMonitor: EventLoopMonitor;
  /** Lists what an operator should mend although the gateway works. */
  listWarnings: () => readonly string[];
}

const MAX_WARNINGS = 50;

export class ReadinessService {
  constructor(private readonly deps: ReadinessDeps) {}

  /** Returns facts about this gateway: the default model, the sandbox, and the limits of commands. */
  describe() {
    const { isolation, sandboxProblem: problem, limits, isWatched } = this.deps.shell;
    return {
      model: this.deps.models.info,
      // `isolation` is the older field; without a sandbox its value is `process_group`.
      isolation: isolation === 'none' ? 'process_group' : isolation,
      sandbox: { kind: isolation, network: isolation === 'none', problem },
      commandLimits: { ...limits, watched: isWatched },
    };
  }

  /** Resolves when the gateway can accept runs. Rejects `store_unavailable`. */
  async check() {
    await this.deps.store.check();
    return { store: 'ok', ...this.describe(), eventLoop: this.deps.eventLoopMonitor.read(), warnings: this.listWarnings() };
  }

  /** Lists at most 50 things that an operator should mend. */
  listWarnings(): readonly string[] {
    return this.deps.listWarnings().slice(0, MAX_WARNINGS);
  }
}
