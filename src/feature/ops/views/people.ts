/** Questions and approvals that wait for people, and how many could answer now. */
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { RunService } from '../../../service/run_log/run_service';
import { connectionsOf, type NodeFiguresStore } from '../figures/node_figures';
import type { OpsPeople } from '../schemas/view_schemas';
import type { OpsView } from '../shared/ops_view';
import type { OpsQuestionRow } from '../store/ops_records';

const MAX_ROWS = 500;

export class PeopleReader {
  constructor(private readonly deps: { store: Store; clock: Clock; runService: RunService; nodes: NodeFiguresStore }) {}

  async read(view: OpsView): Promise<OpsPeople> {
    const { store, clock, runService } = this.deps;
    const now = clock.now();
    const nodes = await this.deps.nodes.listNodes(view);
    const rows = await store.lists.ops.listOpenQuestions(view, now, MAX_ROWS);
    return {
      at: new Date(now).toISOString(),
      waiting: rows.map(row => toRow(row, runService.countReaders(row.sessionId))),
      connections: nodes.reduce((sum, { figures }) => sum + connectionsOf(figures, view), 0),
    };
  }
}

const toRow = ({ id, createdAt, expiresAt, ...row }: OpsQuestionRow, connected: number): OpsPeople['waiting'][number] => ({
  requestId: id,
  ...row,
  createdAt: new Date(createdAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
  connected,
});
