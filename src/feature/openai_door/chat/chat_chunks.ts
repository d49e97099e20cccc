/** Projects the events of a run to a chat completion: chunks while it runs, and the whole answer at its end. */
import { failureOf, type RunEnd } from '../../../controller/model_door/run_answer';
import { AppError } from '../../../errors';
import type { CallerCall } from '../../../port/caller';
import type { Usage } from '../../../port/llm';
import type { RunEvent } from '../../../port/run_event';
import type { ReplayReset } from '../../../service/run_log/event_sink';

export interface ChatAnswer {
  /** Id of the completion. */
  id: string;
  /** Seconds since 1970. */
  created: number;
  /** The name in the request. */
  model: string;
  /** The request has `functions`, so a call comes back as function_call. */
  isOldForm?: boolean;
}

export interface ChatStreamOptions {
  /** A last chunk has the usage. */
  includeUsage: boolean;
  /** Chunks with the field `neta` carry reasoning, tool progress and the plan. */
  includeEvents: boolean;
}

type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';

/** Returns the id of the chat completion that a run makes. */
export const completionId = (runId: string): string => `chatcmpl-${runId}`;

/** Collects what the answer says and how it ended. */
export class ChatProjection {
  private content = '';
  private isMessageOver = false;
  private ending: RunEnd | undefined;

  /** Returns the text that the event adds to the content. */
  add(event: RunEvent | ReplayReset): string {
    if (event.type === 'text_delta') return this.addText(event.data.text);
    if (event.type === 'message_end') this.isMessageOver = true;
    if (event.type === 'replay_reset') return this.restart(event);
    if (event.type !== 'run_end') return '';
    return this.end(event.data);
  }

  /** Takes the end of the run, from its log or, when that has expired, from its record. Returns as `add` does. */
  end(ending: RunEnd): string {
    this.ending = ending;
    return this.content === '' && !ending.callerCalls ? this.addText(ending.text) : '';
  }

  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  get text(): string {
    return this.content;
  }

  /** The error of a run that has no answer. */
  get failure(): AppError | undefined {
    return this.ending && failureOf(this.ending, this.content !== '');
  }

  get finishReason(): FinishReason {
    const { status, reason, callerCalls } = this.ending ?? {};
    if (callerCalls?.length) return 'tool_calls';
    if (reason === 'content_filter') return 'content_filter';
    return status === 'incomplete' ? 'length' : 'stop';
  }

  get toolCalls() {
    return this.ending?.callerCalls?.map(toToolCall);
  }

  get usage() {
    return toUsage(this.ending?.usage ?? { inputTokens: 0, outputTokens: 0 });
  }

  /** Begins again after lost events. When text was shown already, it cannot be taken back: throws `interrupted` then. */
  private restart({ data }: ReplayReset): string {
    if (this.content !== '') throw new AppError('interrupted');
    return data.snapshot.events.map(event => this.add(event)).join('');
  }

  /** Texts of several messages are separated by an empty line. */
  private addText(text: string): string {
    if (text === '') return '';
    const added = this.isMessageOver && this.content !== '' ? `\n\n${text}` : text;
    this.isMessageOver = false;
    this.content += added;
    return added;
  }
}

/** Returns the answer to a request without a stream. */
export function toCompletion({ id, created, model, isOldForm = false }: ChatAnswer, projection: ChatProjection) {
  const { text, toolCalls, usage } = projection;
  const content = text === '' && toolCalls ? null : text;
  const message = { role: 'assistant', content, refusal: null, ...callFields(toolCalls, isOldForm) };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(projection, isOldForm) }],
    usage,
  };
}

/** Writes chunks. Everything but the text is made once, because a text is added for each piece of the answer. */
export class ChatChunks {
  private readonly head: string;
  private readonly tail: string;
  private readonly isOldForm: boolean;

  constructor(
    answer: ChatAnswer,
    private readonly options: ChatStreamOptions,
  ) {
    const { id, created, model, isOldForm = false } = answer;
    this.isOldForm = isOldForm;
    this.head = `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)},"choices":[`;
    this.tail = options.includeUsage ? '],"usage":null}\n\n' : ']}\n\n';
  }

  role(): string {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  text(text: string): string {
    return text === ''
      ? ''
      : `${this.head}{"index":0,"delta":{"content":${JSON.stringify(text)}},"logprobs":null,"finish_reason":null}${this.tail}`;
  }

  /** Reasoning, tool progress and the plan stand beside an empty delta, so that no client takes them for content. */
  event({ type, data, ...event }: RunEvent | ReplayReset): string {
    const isContent = type === 'text_delta' || type === 'message_end' || type === 'run_end';
    if (!this.options.includeEvents || isContent) return '';
    const neta = JSON.stringify({ type, seq: 'seq' in event ? event.seq : undefined, data });
    return `${this.head}{"index":0,"delta":{},"logprobs":null,"finish_reason":null}],"neta":${neta}${this.tail.slice(1)}`;
  }

  end(projection: ChatProjection): string {
    const { toolCalls = [], usage } = projection;
    const calls = this.isOldForm
      ? toolCalls.slice(0, 1).map(call => this.chunk({ function_call: call.function }))
      : toolCalls.map((call, index) => this.chunk({ tool_calls: [{ index, ...call }] }));
    const last = this.chunk({}, finishReasonOf(projection, this.isOldForm));
    const sum = this.options.includeUsage ? `${this.head}],"usage":${JSON.stringify(usage)}}\n\n` : '';
    return `${calls.join('')}${last}${sum}data: [DONE]\n\n`;
  }

  private chunk(delta: object, finishReason: FinishReason | null = null): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    return `${this.head}${JSON.stringify(choice)}${this.tail}`;
  }
}

/** Returns the fields of calls; the old form has room for one call. */
function callFields(calls: ChatProjection['toolCalls'], isOldForm: boolean) {
  if (!calls) return {};
  return isOldForm ? { function_call: calls[0]?.function } : { tool_calls: calls };
}

const finishReasonOf = ({ finishReason }: ChatProjection, isOldForm: boolean): FinishReason =>
  isOldForm && finishReason === 'tool_calls' ? 'function_call' : finishReason;

const toToolCall = ({ toolCallId, name, arguments: text }: CallerCall) => ({
  id: toolCallId,
  type: 'function' as const,
  function: { name, arguments: text },
});

function toUsage({ inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
