/** Describes the model, the sandbox and the state of the gateway, for /readyz and /info. */
import type { EventLoopMonitor } from '../../port/event_loop_monitor';
import type { LlmPort } from '../../port/llm';
import type { Shell } from '../../port/shell';
import type { Store } from '../../port/store/store';

export class ReadinessService {
  constructor(private readonly deps: { store: Store; llm: LlmPort; shell: Shell; eventLoopMonitor: EventLoopMonitor }) {}

  describe() {
    const { isolation, limits, isWatched } = this.deps.shell;
    return {
      model: this.deps.llm.info,
      // `isolation` is the older field; its value without a sandbox is `process_group`.
      isolation: isolation === 'none' ? 'process_group' : isolation,
      sandbox: { kind: isolation, network: isolation === 'none' },
      commandLimits: { ...limits, watched: isWatched },
    };
  }

  /** Resolves when the gateway can accept runs. Rejects `store_unavailable`. */
  async check() {
    await this.deps.store.check();
    return { store: 'ok', ...this.describe(), eventLoop: this.deps.eventLoopMonitor.read() };
  }
}
