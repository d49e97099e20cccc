/** Makes the waterfall of a run from its numbered events: one row for each wait in the queue, model call, tool call, wait for a person and child run. */
import type { RunEvent } from '../../../port/run_event';
import { definedFields } from '../../../utils/defined_fields';
import type { WaterfallRow } from '../schemas/run_schemas';

/** Add every event of the run in order, then take the rows. */
export class Waterfall {
  readonly rows: WaterfallRow[] = [];
  private readonly open = new Map<string, WaterfallRow>();
  private model: WaterfallRow | undefined;
  private lastAnswer: WaterfallRow | undefined;
  private modelName = '';
  private runningTools = 0;
  /** Tool calls of the newest answer that have not ended; some begin only after others have ended, or were approved. */
  private readonly pending = new Set<string>();
  private readonly ended = new Set<string>();
  private lastToolEnd: { seq: number; at: number } | undefined;

  /** `acceptedAt`: milliseconds since 1970. */
  constructor(private readonly acceptedAt: number) {}

  add(event: RunEvent): void {
    const { seq } = event;
    const at = Date.parse(event.ts) - this.acceptedAt;
    switch (event.type) {
      case 'run_start':
        this.modelName = event.data.model;
        if (at > 0) this.rows.push({ kind: 'queue', name: 'queue', fromSeq: seq, toSeq: seq, startMs: 0, durationMs: at });
        this.beginCall(seq, at);
        return;
      case 'text_delta':
      case 'reasoning_delta':
        if (this.model && this.model.firstTokenMs === undefined) this.model.firstTokenMs = at - this.model.startMs;
        return;
      case 'message_end':
        if (event.data.role === 'assistant') this.endCall(seq, at, event.data.toolCalls);
        return;
      case 'usage':
        this.noteUsage(event.data);
        return;
      case 'model_fallback':
        this.modelName = event.data.to;
        if (this.model) this.model.name = event.data.to;
        return;
      case 'tool_call_start':
        this.runningTools += 1;
        this.begin({ kind: 'tool', name: event.data.name, id: event.data.toolCallId, fromSeq: seq, startMs: at });
        return;
      case 'tool_call_end':
        this.endTool(event, at);
        return;
      case 'delegate_start':
        this.begin({ kind: 'child', name: event.data.member, id: event.data.childRunId, fromSeq: seq, startMs: at });
        return;
      case 'delegate_end':
        this.end(event.data.childRunId, seq, at, { ok: event.data.status === 'completed', outcome: event.data.status });
        return;
      case 'clarify_request':
        this.begin({ kind: 'human', name: 'question', id: event.data.requestId, fromSeq: seq, startMs: at });
        return;
      case 'approval_request':
        this.begin({ kind: 'human', name: event.data.tool, id: event.data.requestId, fromSeq: seq, startMs: at });
        return;
      case 'clarify_end':
        this.end(event.data.requestId, seq, at, { outcome: event.data.status });
        return;
      case 'approval_end':
        this.end(event.data.requestId, seq, at, { outcome: event.data.decision });
        return;
      case 'context_compacted':
        this.rows.push({ kind: 'compaction', name: 'compaction', fromSeq: seq, toSeq: seq, startMs: at, durationMs: 0 });
        return;
      case 'run_end':
        this.finish(seq, at);
        return;
    }
  }

  private beginCall(seq: number, at: number): void {
    this.model = { kind: 'model', name: this.modelName, fromSeq: seq, startMs: at };
    this.rows.push(this.model);
  }

  private endCall(seq: number, at: number, toolCalls: readonly { toolCallId: string }[] = []): void {
    // A call that was denied may have no end of its own, so the next model call was not seen to begin.
    if (!this.model && this.lastToolEnd) this.beginCall(this.lastToolEnd.seq, this.lastToolEnd.at);
    this.pending.clear();
    for (const { toolCallId } of toolCalls) if (!this.ended.has(toolCallId)) this.pending.add(toolCallId);
    const row = this.model;
    if (!row) return;
    Object.assign(row, { toSeq: seq, durationMs: at - row.startMs, ok: true });
    this.lastAnswer = row;
    this.model = undefined;
  }

  private endTool({ seq, data }: Extract<RunEvent, { type: 'tool_call_end' }>, at: number): void {
    const { ok, status, cached, duplicate } = data;
    const outcome = status ?? (ok ? 'ok' : 'error');
    this.end(data.toolCallId, seq, at, { ok, outcome, isCached: cached || undefined, isDuplicate: duplicate || undefined });
    this.runningTools = Math.max(0, this.runningTools - 1);
    this.ended.add(data.toolCallId);
    this.pending.delete(data.toolCallId);
    this.lastToolEnd = { seq, at };
    // The model is called again once all calls of its answer have ended.
    if (this.runningTools === 0 && this.pending.size === 0 && !this.model) this.beginCall(seq, at);
  }

  private noteUsage({ inputTokens, outputTokens, cachedTokens, costUsd, model }: Extract<RunEvent, { type: 'usage' }>['data']): void {
    const row = this.lastAnswer;
    if (!row) return;
    if (model !== undefined) row.name = model;
    Object.assign(row, definedFields({ inputTokens, outputTokens, cachedTokens, costUsd }));
  }

  private begin(row: WaterfallRow & { id: string }): void {
    this.rows.push(row);
    this.open.set(row.id, row);
  }

  private end(id: string, seq: number, at: number, fields: Partial<WaterfallRow>): void {
    const row = this.open.get(id);
    if (!row) return;
    Object.assign(row, { toSeq: seq, durationMs: at - row.startMs, ...fields });
    this.open.delete(id);
  }

  /** A model call that never answered has no row of its own when the run ended at its very beginning. */
  private finish(seq: number, at: number): void {
    if (this.model) Object.assign(this.model, { toSeq: seq, durationMs: at - this.model.startMs, ok: false });
    if (this.model && this.lastAnswer && at - this.model.startMs <= 1) this.rows.splice(this.rows.indexOf(this.model), 1);
    this.model = undefined;
    for (const row of this.open.values()) Object.assign(row, { toSeq: seq, durationMs: at - row.startMs, ok: false });
    this.open.clear();
  }
}
