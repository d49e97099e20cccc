/** Operator views and switches for the doors. Loads ops_views.ts on first use, so that a gateway without operators loads little. */
import type { OpsDeps } from './ops_deps';
import type { OpsViews } from './ops_views';

export class OpsService {
  private loaded: OpsViews | undefined;

  constructor(private readonly deps: OpsDeps) {}

  /** Loads with the first operator. */
  get views(): OpsViews {
    if (this.loaded) return this.loaded;
    const { OpsViews }: typeof import('./ops_views') = require('./ops_views');
    this.loaded = new OpsViews(this.deps);
    return this.loaded;
  }

  /** Writes the figures of this gateway, because an operator looks at another one. */
  writeFigures(): Promise<void> {
    return this.views.nodes.write();
  }
}
