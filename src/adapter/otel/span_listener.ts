/** Makes spans of the work that the observer tells about. It is called at the boundaries of work, never per token. */
import { randomUUID } from 'node:crypto';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { ObservedRun } from '../../port/observed_run';
import type { EndedWork, Fact, ObserverListener, Work, WorkMark } from '../../port/observer';
import type { TraceContext } from '../../port/trace_context';
import { definedFields } from '../../utils/defined_fields';
import { otelApi } from './otel_api';
import { contentsWhenBegun, contentsWhenEnded } from './span_contents';
import { factsWhenBegun, factsWhenEnded } from './span_facts';
import { isInSample, runSpanId, toolSpanId, traceIdFrom, traceIdOf } from './trace_ids';

/** Sets the id of the next span, and its trace when it has no parent. */
export interface NextIds {
  traceId: string;
  spanId: string | undefined;
}

export interface SpanListenerOptions {
  tracer: Tracer;
  nextIds: NextIds;
  /** Share of traces without a caller that are kept, 0 to 1. */
  ratio: number;
  /** Removes secrets from message contents. Absent: spans have no message contents. */
  redact?: (text: string) => string;
}

/** The trace and the parent of a span. */
interface Place {
  traceId: string;
  /** Absent: the span is the first of its trace. */
  parentId?: string;
  /** Absent: a random id. */
  spanId?: string;
  state?: string | undefined;
}

interface OpenSpan {
  span: Span;
  state: string | undefined;
}

export class SpanListener implements ObserverListener {
  /** Key: the id of the work. */
  private readonly open = new Map<number, OpenSpan>();
  /** Span of each open tool call, by span id: work that is done for the call belongs below that span. */
  private readonly tools = new Map<string, Place>();
  /** Spans of open compactions, by run. */
  private readonly compactions = new Map<string, string>();
  private readonly runs = new Map<string, Span>();

  constructor(private readonly options: SpanListenerOptions) {}

  workBegun(work: Work): void {
    const place = this.placeOf(work);
    if (!place) return;
    const { tracer, nextIds, redact } = this.options;
    nextIds.traceId = place.traceId;
    nextIds.spanId = place.spanId;
    const { name, kind, attributes } = factsWhenBegun(work);
    const startTime = work.kind === 'run' ? work.begun.startedAt : work.startedAt;
    const contents = redact ? contentsWhenBegun(work, redact) : {};
    const span = tracer.startSpan(name, { kind, startTime, attributes: definedFields({ ...attributes, ...contents }) }, contextOf(place));
    this.open.set(work.id, { span, state: place.state });
    if (work.kind === 'run') this.runs.set(work.begun.run.runId, span);
    const { traceId, state, spanId } = place;
    if (work.kind === 'tool_call' && spanId) this.tools.set(spanId, { traceId, state, parentId: spanId });
    if (work.kind === 'compaction' && work.begun.run) this.compactions.set(work.begun.run.runId, span.spanContext().spanId);
  }

  workMarked({ id, startedAt }: Work, mark: WorkMark, sinceMs: number): void {
    const name = mark.type === 'retry' ? 'neta.retry' : 'neta.first_chunk';
    this.open.get(id)?.span.addEvent(name, mark.type === 'retry' ? { 'error.type': mark.error } : {}, startedAt + sinceMs);
  }

  workEnded(work: EndedWork, durationMs: number): void {
    const found = this.open.get(work.id);
    if (!found) return;
    this.forget(work);
    // Not sent: another process ends this span, or the run was never stored.
    if (work.kind === 'run' && (work.ended.status === 'abandoned' || work.ended.status === 'discarded')) return;
    const { span } = found;
    const { redact } = this.options;
    const { attributes, error } = factsWhenEnded(work);
    span.setAttributes(definedFields({ ...attributes, ...(redact && contentsWhenEnded(work, redact)) }));
    if (error !== undefined) span.setStatus({ code: otelApi().SpanStatusCode.ERROR, message: error });
    span.end(work.startedAt + durationMs);
  }

  factNoted(fact: Fact): void {
    if (fact.type !== 'model_fallback' || !fact.run) return;
    const { from, to, error } = fact;
    const attributes = { 'neta.model.from': from, 'neta.model.to': to, 'error.type': error };
    this.runs.get(fact.run.runId)?.addEvent('neta.model_fallback', definedFields(attributes));
  }

  /** Returns the trace and the span of a run that is executed here. */
  spanOfRun(runId: string): { traceId: string; spanId: string } | undefined {
    return this.runs.get(runId)?.spanContext();
  }

  traceOf({ id }: Work): TraceContext | undefined {
    const found = this.open.get(id);
    if (!found) return undefined;
    const { traceId, spanId } = found.span.spanContext();
    return { traceId, spanId, isSampled: true, state: found.state };
  }

  private forget(work: EndedWork): void {
    this.open.delete(work.id);
    if (work.kind === 'run') this.runs.delete(work.begun.run.runId);
    if (work.kind === 'tool_call') this.tools.delete(toolSpanId(work.begun.run?.runId, work.begun.toolCallId));
    if (work.kind === 'compaction' && work.begun.run) this.compactions.delete(work.begun.run.runId);
  }

  /** Returns undefined for work that gets no span. */
  private placeOf(work: Work): Place | undefined {
    if (work.kind === 'mcp_request') return this.tools.get(toolSpanId(work.begun.runId, work.begun.toolCallId ?? ''));
    if (work.kind === 'embedding') return this.placeWithoutRun();
    if (work.kind === 'tool_call' && !work.begun.run) return this.placeOfDirectCall(work.begun);
    const { run } = work.begun;
    if (!run || !this.isSampled(run.trace, traceIdOf(run))) return undefined;
    const base = { traceId: traceIdOf(run), state: run.trace?.state };
    const inRun = { ...base, parentId: runSpanId(run.runId) };
    switch (work.kind) {
      case 'run':
        return { ...base, spanId: runSpanId(run.runId), ...parentOf(run) };
      case 'tool_call':
        return { ...inRun, spanId: toolSpanId(run.runId, work.begun.toolCallId) };
      case 'wait':
        return this.tools.get(toolSpanId(run.runId, work.begun.toolCallId ?? '')) ?? inRun;
      case 'model_call':
        return { ...inRun, parentId: (work.begun.isSummary && this.compactions.get(run.runId)) || inRun.parentId };
      default:
        return inRun;
    }
  }

  /** Work for many runs begins a trace of its own. */
  private placeWithoutRun(): Place | undefined {
    const traceId = randomUUID().replaceAll('-', '');
    return this.isSampled(undefined, traceId) ? { traceId } : undefined;
  }

  private placeOfDirectCall({ trace: given, toolCallId }: { trace?: TraceContext; toolCallId: string }): Place | undefined {
    const traceId = given?.traceId ?? traceIdFrom(toolCallId);
    if (!this.isSampled(given, traceId)) return undefined;
    return { traceId, spanId: toolSpanId(undefined, toolCallId), state: given?.state, parentId: given?.spanId };
  }

  /** The decision of a caller holds. */
  private isSampled(given: TraceContext | undefined, traceId: string): boolean {
    return given ? given.isSampled : isInSample(traceId, this.options.ratio);
  }
}

function parentOf({ trace: given, parent }: ObservedRun): Pick<Place, 'parentId'> {
  if (parent) return { parentId: toolSpanId(parent.runId, parent.toolCallId) };
  return given ? { parentId: given.spanId } : {};
}

function contextOf({ traceId, parentId }: Place): Context {
  const { ROOT_CONTEXT, TraceFlags, trace } = otelApi();
  if (parentId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}
