/** Operator views and switches for the doors. */
import type { OpsDeps } from './ops_deps';
import { OpsViews } from './ops_views';

export class OpsService {
  readonly views: OpsViews;

  constructor(deps: OpsDeps) {
    this.views = new OpsViews(deps);
  }

  /** Writes the figures of this gateway, because an operator looks at another one. */
  writeFigures(): Promise<void> {
    return this.views.nodes.write();
  }
}
