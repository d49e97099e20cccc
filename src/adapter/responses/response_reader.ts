/** Reads the events of one streamed answer of the Responses API. */
import type { OpenAI } from 'openai';
import type { Usage } from '../../port/llm';
import { definedFields } from '../../utils/defined_fields';
import type { NativeAnswer } from '../native/native_answer';
import { endedBy } from '../openai/model_errors';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;
type OutputItem = OpenAI.Responses.ResponseOutputItem;
type OutputMessage = OpenAI.Responses.ResponseOutputMessage;
type ReasoningItem = OpenAI.Responses.ResponseReasoningItem;

/** The server ended the answer with an error. */
class FailedResponse extends Error {
  constructor(readonly error: OpenAI.Responses.ResponseError) {
    super(error.message);
  }
}

interface OpenItem {
  /** The fields that the server wants back with the item; the reader fills them in when the item is whole. */
  kept: Record<string, unknown>;
  /** Pieces of the item have come. */
  isStreamed: boolean;
}

export class ResponseReader {
  /** Items of the answer by their index. Their ids are not the same in all events of some servers. */
  private readonly items = new Map<number, OpenItem>();
  private hasRefusal = false;

  constructor(private readonly answer: NativeAnswer) {}

  read(event: Event): void {
    const { answer } = this;
    answer.noteLife();
    switch (event.type) {
      case 'response.output_item.added':
        this.begin(event.output_index, event.item);
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.noteStreamed(event.output_index);
        this.hasRefusal ||= event.type === 'response.refusal.delta';
        answer.addText(event.delta);
        break;
      case 'response.reasoning_summary_part.added':
        answer.beginThought();
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (this.noteStreamed(event.output_index)) answer.beginThought();
        answer.addThought(event.delta);
        break;
      case 'response.function_call_arguments.delta':
        answer.addArguments(event.output_index, event.delta);
        break;
      case 'response.output_item.done':
        this.complete(event.output_index, event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
        this.end(event.response);
        break;
      case 'response.failed':
        throw event.response.error ? new FailedResponse(event.response.error) : endedBy('failed');
    }
  }

  private begin(index: number, item: OutputItem): OpenItem {
    const { answer } = this;
    const open: OpenItem = { kept: {}, isStreamed: false };
    this.items.set(index, open);
    if (item.type === 'message') answer.beginText(open.kept);
    else if (item.type === 'reasoning') answer.keep(open.kept);
    else if (item.type === 'function_call') answer.beginCall(index, { id: item.call_id, name: item.name, fields: open.kept });
    return open;
  }

  /** Some servers send an item only when it is whole. */
  private complete(index: number, item: OutputItem): void {
    const open = this.items.get(index) ?? this.begin(index, item);
    if (item.type === 'message') this.completeMessage(open, item);
    else if (item.type === 'reasoning') this.completeReasoning(open, item);
    else if (item.type === 'function_call') {
      Object.assign(open.kept, definedFields({ id: item.id }));
      if (item.arguments) this.answer.setArguments(index, item.arguments);
    }
  }

  private completeMessage({ kept, isStreamed }: OpenItem, { id, phase, content }: OutputMessage): void {
    Object.assign(kept, definedFields({ id, phase: phase ?? undefined }));
    for (const part of content) {
      this.hasRefusal ||= part.type === 'refusal';
      if (!isStreamed) this.answer.addText(part.type === 'refusal' ? part.refusal : part.text);
    }
  }

  private completeReasoning({ kept, isStreamed }: OpenItem, item: ReasoningItem): void {
    const { type, id, summary, content, encrypted_content: sealed } = item;
    Object.assign(kept, definedFields({ type, id, summary, content, encrypted_content: sealed ?? undefined }));
    if (isStreamed) return;
    for (const { text } of [...summary, ...(content ?? [])]) {
      this.answer.beginThought();
      this.answer.addThought(text);
    }
  }

  /** Returns true for the first piece of an item. */
  private noteStreamed(index: number): boolean {
    const open = this.items.get(index);
    const isFirst = open?.isStreamed === false;
    if (open) open.isStreamed = true;
    return isFirst;
  }

  private end({ usage, status, incomplete_details: details, service_tier: tier }: Response): void {
    if (usage) this.answer.noteUsage({ ...toUsage(usage), serviceTier: tier ?? undefined });
    const reason = status === 'incomplete' ? (details?.reason ?? status) : undefined;
    if (reason === 'content_filter' || (reason === undefined && this.hasRefusal)) this.answer.end('content_filter');
    else if (reason === undefined) this.answer.end('stop');
    else if (reason === 'max_output_tokens') this.answer.end('length');
    else throw endedBy(reason);
  }
}

/** Servers of other vendors leave the details out. */
type SentUsage = Partial<OpenAI.Responses.ResponseUsage>;

function toUsage({ input_tokens: input = 0, output_tokens: output = 0, ...details }: SentUsage): Usage {
  return {
    inputTokens: input,
    outputTokens: output,
    reasoningTokens: details.output_tokens_details?.reasoning_tokens,
    cachedTokens: details.input_tokens_details?.cached_tokens,
    cacheWriteTokens: details.input_tokens_details?.cache_write_tokens,
  };
}
