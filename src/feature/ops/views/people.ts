/** Questions and approvals that wait for people, and how many could answer now. */
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { RunService } from '../../../service/run_log/run_service';
import { connectionsOf, type NodeFiguresStore } from '../figures/node_figures';
import type { OpsView } from '../shared/ops_view';
import type { OpsQuestionRow } from '../store/ops_records';

const MAX_ROWS = 500;

export interface WaitingRow {
  requestId: string;
  kind: 'clarification' | 'approval';
  tenantId: string;
  sessionId: string;
  runId: string;
  /** text: the run has ended with the question, and the answer starts the next one. */
  mode: 'wait' | 'text';
  /** The tool that needs approval. */
  tool?: string;
  createdAt: string;
  expiresAt: string;
  /** Connections that follow the session now, on the gateway that answers. */
  connected: number;
}

export interface People {
  at: string;
  waiting: WaitingRow[];
  connections: number;
}

export class PeopleReader {
  constructor(private readonly deps: { store: Store; clock: Clock; runService: RunService; nodes: NodeFiguresStore }) {}

  async read(view: OpsView): Promise<People> {
    const { store, clock, runService } = this.deps;
    const now = clock.now();
    const nodes = await this.deps.nodes.listNodes(view);
    const rows = await store.read.ops.listOpenQuestions(view, now, MAX_ROWS);
    return {
      at: new Date(now).toISOString(),
      waiting: rows.map(row => toRow(row, runService.countReaders(row.sessionId))),
      connections: nodes.reduce((sum, { figures }) => sum + connectionsOf(figures, view), 0),
    };
  }
}

const toRow = ({ id, createdAt, expiresAt, ...row }: OpsQuestionRow, connected: number): WaitingRow => ({
  requestId: id,
  ...row,
  createdAt: new Date(createdAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
  connected,
});
