/** The events of a run as an answer of the Messages API, streamed or whole (https://docs.anthropic.com/en/api/messages-streaming). */
import { type AnswerEvents, type AnswerProjection, failureOf, type RunEnd } from '../../controller/model_door/run_answer';
import { AppError } from '../../errors';
import type { Usage } from '../../port/llm';
import type { Locale } from '../../port/store/sessions';
import { toAnthropicError } from './anthropic_error';
import { MessageBlocks, toSse } from './message_blocks';

export interface MessageFacts {
  runId: string;
  /** The name in the request. */
  model: string;
  /** The answer has blocks of the type thinking. */
  showsThinking: boolean;
  requestId: string;
  /** Language of errors. */
  locale: Locale;
}

type StopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';
type Delta = Extract<AnswerEvents[number], { type: 'text_delta' | 'reasoning_delta' }>;

/** Keeps the stream alive; clients skip it. */
export const PING = toSse('ping', {});

/** Returns the id of the message that a run makes. */
const messageIdOf = (runId: string): string => `msg_${runId.replace(/^run_/, '')}`;

export class MessageEvents implements AnswerProjection {
  private readonly blocks = new MessageBlocks();
  private ending: RunEnd | undefined;

  constructor(private readonly facts: MessageFacts) {}

  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  get failure(): AppError | undefined {
    return this.ending && failureOf(this.ending, this.blocks.hasText);
  }

  begin(): string {
    return toSse('message_start', { message: { ...this.head(), ...NOT_STOPPED, content: [], usage: toUsage(NO_TOKENS) } }) + PING;
  }

  /** Pieces of the same text that arrive together leave as one delta. */
  add(events: AnswerEvents): string {
    let sent = '';
    let pending: Delta | undefined;
    const flush = () => {
      if (pending) sent += this.addDelta(pending);
      pending = undefined;
    };
    for (const event of events) {
      if (event.type === 'text_delta' || event.type === 'reasoning_delta') {
        if (pending?.type === event.type) pending = { ...event, data: { text: pending.data.text + event.data.text } };
        else {
          flush();
          pending = event;
        }
        continue;
      }
      flush();
      sent += this.addEvent(event);
    }
    flush();
    return sent;
  }

  end(ending: RunEnd): string {
    if (this.ending) return '';
    this.ending = ending;
    const { text, callerCalls = [] } = ending;
    const said = !this.blocks.hasText && callerCalls.length === 0 ? this.blocks.addText(text) : '';
    return said + this.blocks.close() + callerCalls.map(call => this.blocks.addCall(call)).join('');
  }

  finish(): string {
    const { stop, usage } = this;
    return toSse('message_delta', { delta: { ...stop, container: null }, usage: toUsage(usage) }) + toSse('message_stop', {});
  }

  fail(error: AppError): string {
    const { locale, requestId } = this.facts;
    return `event: error\ndata: ${JSON.stringify(toAnthropicError(error, locale, requestId))}\n\n`;
  }

  /** The whole answer of a run that has ended. */
  toMessage() {
    return { ...this.head(), content: this.blocks.content, ...this.stop, usage: toUsage(this.usage) };
  }

  private head() {
    const { runId, model } = this.facts;
    return { id: messageIdOf(runId), type: 'message', role: 'assistant', model, container: null };
  }

  private get stop() {
    const stopReason = this.stopReason;
    const isRefusal = stopReason === 'refusal';
    return {
      stop_reason: stopReason,
      stop_sequence: null,
      stop_details: isRefusal ? { type: 'refusal', category: null, explanation: null } : null,
    };
  }

  private get stopReason(): StopReason {
    const { status, reason, callerCalls } = this.ending ?? {};
    if (callerCalls?.length) return 'tool_use';
    if (reason === 'content_filter') return 'refusal';
    return status === 'incomplete' ? 'max_tokens' : 'end_turn';
  }

  private get usage(): Usage {
    return this.ending?.usage ?? NO_TOKENS;
  }

  private addDelta({ type, data }: Delta): string {
    if (type === 'text_delta') return this.blocks.addText(data.text);
    return this.facts.showsThinking ? this.blocks.addThinking(data.text) : '';
  }

  private addEvent(event: AnswerEvents[number]): string {
    switch (event.type) {
      case 'message_end':
        return this.blocks.close();
      case 'run_end':
        return this.end(event.data);
      case 'replay_reset':
        // Nothing that was said can be taken back.
        if (this.blocks.content.length > 0) throw new AppError('interrupted');
        return this.add(event.data.snapshot.events);
      default:
        return '';
    }
  }
}

const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0 };
const NOT_STOPPED = { stop_reason: null, stop_sequence: null, stop_details: null };

/** Anthropic counts cached input apart from other input. */
function toUsage({ inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage) {
  return {
    input_tokens: inputTokens - cachedTokens,
    output_tokens: outputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: null,
  };
}
