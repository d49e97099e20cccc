/**
 * What happened in a span of time, for the charts of operators: the runs of each part of it, cost by tenant, key and model, and what was changed. It
 * reads from the store, so a gateway that has just started has a past. A reading is shared for half a minute, and reads a limited number of runs.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../port/clock';
import type { AuditAction } from '../../../port/store/audit';
import type { Store } from '../../../port/store/store';
import { wordsOf } from '../../../service/audit/audit_actions';
import type { AuditLog } from '../../../service/audit/audit_log';
import { yieldToEventLoop } from '../../../utils/yield_to_event_loop';
import { costByDay, costByPart } from '../figures/history_cost';
import { type HistorySpan, partsOf, spanOf } from '../figures/history_parts';
import type { NodeFiguresStore } from '../figures/node_figures';
import type { OpsHistory } from '../schemas/history_schema';
import type { OpsView } from '../shared/ops_view';
import type { OpsRunRow } from '../store/ops_records';

export interface HistoryDeps {
  store: Pick<Store, 'lists'>;
  clock: Clock;
  auditLog: Pick<AuditLog, 'listRecords'>;
  nodes: Pick<NodeFiguresStore, 'listNodes'>;
}

/** Milliseconds for which callers share a reading. */
const FRESH_MS = 30_000;
/** Runs of one reading at most, the newest first. */
const MAX_RUNS = 20_000;
/** Questions of one reading at most, the newest first. */
const MAX_QUESTIONS = 20_000;
const PAGE = 500;
const MAX_MARKS = 100;
/** Milliseconds before the span: a run that was accepted then may end in the span. */
const LEAD_MS = 3_600_000;
/** Acts on the gateway itself. */
const OPERATED: readonly AuditAction[] = [
  'config.reload',
  'config.refuse',
  'config.write',
  'limit.raise',
  'tool.enable',
  'tool.disable',
  'runs.accept',
  'runs.refuse',
];

export class HistoryReader {
  private readonly readings = new LRUCache<string, Promise<OpsHistory>>({ max: 100, ttl: FRESH_MS });

  constructor(private readonly deps: HistoryDeps) {}

  /** `hours`: length of the span that ends now. Rejects `store_unavailable`. */
  read({ tenantId }: OpsView, hours: number): Promise<OpsHistory> {
    const key = `${tenantId ?? '*'} ${hours}`;
    const known = this.readings.get(key);
    if (known) return known;
    const reading = this.readNow({ tenantId }, hours);
    this.readings.set(key, reading);
    reading.catch(() => this.readings.delete(key));
    return reading;
  }

  private async readNow(view: OpsView, hours: number): Promise<OpsHistory> {
    const now = this.deps.clock.now();
    const span = spanOf(now, hours);
    const [{ runs, isTruncated }, questions, marks] = await Promise.all([
      this.readRuns(view, span),
      this.deps.store.lists.ops.listQuestionPeriods(view, span, MAX_QUESTIONS),
      this.readMarks(view, span),
    ]);
    return {
      from: new Date(span.from).toISOString(),
      to: new Date(span.to).toISOString(),
      partMs: span.partMs,
      isTruncated,
      parts: partsOf(span, { runs, questions }, now),
      cost: span.isByDay ? costByDay(await this.readDays(view, span), span) : costByPart(runs, span),
      marks,
    };
  }

  private async readRuns({ tenantId }: OpsView, { from }: HistorySpan): Promise<{ runs: OpsRunRow[]; isTruncated: boolean }> {
    const runs: OpsRunRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.deps.store.lists.opsRuns.list({ tenantId }, { since: from - LEAD_MS }, { limit: PAGE, cursor });
      runs.push(...page.data);
      cursor = page.nextCursor;
      await yieldToEventLoop();
    } while (cursor !== undefined && runs.length < MAX_RUNS);
    return { runs, isTruncated: cursor !== undefined };
  }

  private readDays({ tenantId }: OpsView, { from, to }: HistorySpan) {
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
    return this.deps.store.lists.usage.listDays({ tenantId, from: dayOf(from), to: dayOf(to) });
  }

  /** Changes of the gateway, and the starts of the gateways that are alive. */
  private async readMarks(view: OpsView, { from, to }: HistorySpan): Promise<OpsHistory['marks']> {
    const { data } = await this.deps.auditLog.listRecords({ tenantId: view.tenantId, from, to, actions: OPERATED }, { limit: MAX_MARKS });
    const changes = data.map(({ at, actor, action, target }) => ({
      at: new Date(at).toISOString(),
      kind: 'change' as const,
      actor,
      target,
      ...wordsOf(action),
    }));
    const nodes = await this.deps.nodes.listNodes(view);
    const starts = nodes
      .filter(({ figures }) => figures.startedAt >= from)
      .map(({ id, figures }) => ({ at: new Date(figures.startedAt).toISOString(), kind: 'start' as const, target: id }));
    return [...changes, ...starts].sort((a, b) => (a.at < b.at ? -1 : 1));
  }
}
