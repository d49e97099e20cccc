/**
 * Projects the log of a run to the stream of a response. Pure: the same events give the same numbered stream, however they are cut into
 * batches, so a reader can resume after any number.
 */
import type { CallerCall } from '../../../port/caller';
import type { RunEvent, RunEventData } from '../../../port/run_event';
import { outputText } from '../items/output_text';
import { functionCallItem, messageItem, reasoningItem } from './response_items';
import type { ItemStatus, OutputItem, ResponseObject } from './response_object';
import { endOfResponse } from './response_outcome';
import type { ResponseEventBody, ResponseStreamEvent } from './response_stream_event';

export interface ProjectionOptions {
  runId: string;
  /** The response before its first event, without output. */
  response: ResponseObject;
  /** True when the reader gets the reasoning as summaries. */
  showsReasoning: boolean;
  /** The number of the last event that the reader has. Absent: it has none. */
  after?: number;
}

/** An item that has begun. */
interface OpenItem {
  id: string;
  outputIndex: number;
  text: string;
}

export class ResponseProjection {
  /** Items by output index; an item that has not ended, or says nothing, leaves a hole. */
  private readonly output: OutputItem[] = [];
  private readonly counts = { items: 0, answers: 0, reasonings: 0, calls: 0 };
  private readonly after: number;
  private nextNumber = 0;
  private pending: ResponseStreamEvent[] = [];
  private message: OpenItem | undefined;
  private reasoning: OpenItem | undefined;
  /** A message without deltas: a question that the end of the run may hand back as a call. */
  private unshown: { text: string; status: ItemStatus; index: number } | undefined;
  private current: ResponseObject;

  constructor(private readonly options: ProjectionOptions) {
    this.current = options.response;
    this.after = options.after ?? -1;
    this.emit(() => ({ type: 'response.created', response: this.snapshot() }));
    if (options.response.background) this.emit(() => ({ type: 'response.queued', response: this.snapshot() }));
  }

  /** The number that the next event gets. */
  get nextSequenceNumber(): number {
    return this.nextNumber;
  }

  /** True once the end of the run was projected. */
  get hasEnded(): boolean {
    return this.current.status !== 'queued' && this.current.status !== 'in_progress';
  }

  /** The response with the items that are complete. */
  snapshot(): ResponseObject {
    return { ...this.current, output: this.output.filter(() => true) };
  }

  /** Takes the next events of the run, in order. Returns the events of the response that the reader does not have. */
  project(events: readonly RunEvent[]): ResponseStreamEvent[] {
    for (const event of events) this.take(event);
    const made = this.pending;
    this.pending = [];
    return made;
  }

  private take(event: RunEvent): void {
    if (event.type === 'text_delta') this.takeText(event.data.text);
    else if (event.type === 'reasoning_delta') this.takeReasoning(event.data.text);
    else if (event.type === 'message_end') this.takeMessage(event.data);
    else if (event.type === 'run_start') this.begin();
    else if (event.type === 'run_end') this.end(event.data, event.ts);
  }

  /** Builds only the events that the reader does not have: a resume counts the others. */
  private emit(build: () => ResponseEventBody): void {
    const number = this.nextNumber++;
    if (number > this.after) this.pending.push({ ...build(), sequence_number: number });
  }

  private begin(): void {
    this.current = { ...this.current, status: 'in_progress' };
    this.emit(() => ({ type: 'response.in_progress', response: this.snapshot() }));
  }

  private takeText(text: string): void {
    if (text === '') return;
    this.showUnshown();
    this.closeReasoning();
    this.message ??= this.openMessage(this.counts.answers);
    this.addText(this.message, text);
  }

  private openMessage(index: number): OpenItem {
    const item = messageItem(this.options.runId, index, 'in_progress');
    const open = this.addItem(item);
    this.emit(() => ({ type: 'response.content_part.added', ...place(open), content_index: 0, part: outputText('') }));
    return open;
  }

  private addText(open: OpenItem, delta: string): void {
    open.text += delta;
    this.emit(() => ({ type: 'response.output_text.delta', ...place(open), content_index: 0, delta, logprobs: [] }));
  }

  private takeReasoning(delta: string): void {
    if (!this.options.showsReasoning || delta === '') return;
    this.showUnshown();
    this.reasoning ??= this.openReasoning();
    const open = this.reasoning;
    open.text += delta;
    this.emit(() => ({ type: 'response.reasoning_summary_text.delta', ...place(open), summary_index: 0, delta }));
  }

  private openReasoning(): OpenItem {
    const open = this.addItem(reasoningItem(this.options.runId, this.counts.reasonings++, 'in_progress'));
    const part = { type: 'summary_text' as const, text: '' };
    this.emit(() => ({ type: 'response.reasoning_summary_part.added', ...place(open), summary_index: 0, part }));
    return open;
  }

  private addItem(item: OutputItem): OpenItem {
    const open = { id: item.id, outputIndex: this.counts.items++, text: '' };
    this.emit(() => ({ type: 'response.output_item.added', output_index: open.outputIndex, item }));
    return open;
  }

  /** The whole of a message wins over its deltas: a model call that a crash interrupted has left deltas of its own. */
  private takeMessage({ role, content, truncated }: RunEventData<'message_end'>): void {
    if (role !== 'assistant') return;
    this.closeReasoning();
    const status = truncated ? 'incomplete' : 'completed';
    const index = this.counts.answers++;
    const open = this.message;
    if (!open) {
      this.showUnshown();
      if (content !== '') this.unshown = { text: content, status, index };
      return;
    }
    if (content.length > open.text.length && content.startsWith(open.text)) this.addText(open, content.slice(open.text.length));
    this.closeMessage(open, { text: content, status, index });
  }

  private showUnshown(): void {
    const message = this.unshown;
    if (!message) return;
    this.unshown = undefined;
    const open = this.openMessage(message.index);
    this.addText(open, message.text);
    this.closeMessage(open, message);
  }

  private closeMessage(open: OpenItem, { text, status, index }: { text: string; status: ItemStatus; index: number }): void {
    this.message = undefined;
    this.emit(() => ({ type: 'response.output_text.done', ...place(open), content_index: 0, text, logprobs: [] }));
    this.emit(() => ({ type: 'response.content_part.done', ...place(open), content_index: 0, part: outputText(text) }));
    const item = messageItem(this.options.runId, index, status, text);
    this.closeItem(open, item, text !== '');
  }

  private closeReasoning(): void {
    const open = this.reasoning;
    if (!open) return;
    this.reasoning = undefined;
    const { text } = open;
    const index = this.counts.reasonings - 1;
    this.emit(() => ({ type: 'response.reasoning_summary_text.done', ...place(open), summary_index: 0, text }));
    const part = { type: 'summary_text' as const, text };
    this.emit(() => ({ type: 'response.reasoning_summary_part.done', ...place(open), summary_index: 0, part }));
    this.closeItem(open, reasoningItem(this.options.runId, index, 'completed', text), true);
  }

  private addCall(call: CallerCall): void {
    const { runId } = this.options;
    const index = this.counts.calls++;
    const open = this.addItem(functionCallItem(runId, index, 'in_progress', { ...call, arguments: '' }));
    const { name, arguments: text } = call;
    this.emit(() => ({ type: 'response.function_call_arguments.delta', ...place(open), delta: text }));
    this.emit(() => ({ type: 'response.function_call_arguments.done', ...place(open), name, arguments: text }));
    this.closeItem(open, functionCallItem(runId, index, 'completed', call), true);
  }

  private closeItem({ outputIndex }: OpenItem, item: OutputItem, isKept: boolean): void {
    this.emit(() => ({ type: 'response.output_item.done', output_index: outputIndex, item }));
    if (isKept) this.output[outputIndex] = item;
  }

  private end(data: RunEventData<'run_end'>, ts: string): void {
    this.closeReasoning();
    if (this.message) this.closeMessage(this.message, { text: this.message.text, status: 'incomplete', index: this.counts.answers });
    if (data.clarification && data.callerCalls) this.unshown = undefined;
    this.showUnshown();
    for (const call of data.callerCalls ?? []) this.addCall(call);
    const { event, ...end } = endOfResponse(data, Date.parse(ts));
    this.current = { ...this.current, ...end };
    this.emit(() => ({ type: event, response: this.snapshot() }));
  }
}

const place = ({ id, outputIndex }: OpenItem) => ({ item_id: id, output_index: outputIndex });
