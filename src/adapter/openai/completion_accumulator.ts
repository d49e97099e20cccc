import type { Dialect } from '../../port/dialects';
import type { LlmAnswer, LlmSink, ServerData, Usage, WireToolCall } from '../../port/llm';
import { WellFormedPieces } from '../../utils/well_formed';
import { AnswerEndTracker, type EndHabit } from './answer_end';
import { reportedError } from './error_shapes';
import { isRecord } from './json_value';
import { type KeptFields, keepFields, toServerData } from './kept_fields';
import { findLoneEnd } from './lone_thought_end';
import { badResponse, cutOff, endedBy, type Text, tooLarge } from './model_errors';
import type { ModelLimits } from './model_limits';
import { type ThoughtHabit, ThoughtSplitter } from './thought_splitter';
import { ToolCallAssembler } from './tool_call_assembler';

export interface CompletionAccumulatorOptions {
  sink: LlmSink;
  limits: ModelLimits;
  /** Name of the server, and what it wants back with a message. */
  server: string;
  dialect: Dialect;
  /** State of the server's habits. Reading an answer changes both. */
  thoughtHabit: ThoughtHabit;
  endHabit: EndHabit;
  /** Creates an id for a call that came without a usable one. */
  createCallId: () => string;
  /** Converts what the server says about an error, in any form, into the error to throw. */
  toError: (error: unknown) => Error;
}

/** Assembles one answer from the chunks of its stream. Its methods throw AppErrors `model_*`. */
export class CompletionAccumulator {
  private text = '';
  private textBytes = 0;
  private reasoning = '';
  private reasoningBytes = 0;
  private usage: Usage | undefined;
  private readonly textPieces = new WellFormedPieces();
  private readonly reasoningPieces = new WellFormedPieces();
  /** Added since the last flush; one of the two is empty. */
  private unsentText = '';
  private unsentReasoning = '';
  /** Counts the chunks that added to the answer; keep-alive events do not. */
  private additions = 0;
  /** Fields of the message that the server wants back. */
  private kept: KeptFields | undefined;
  private hasDelta = false;
  private readonly calls: ToolCallAssembler;
  private readonly splitter: ThoughtSplitter;
  private readonly end: AnswerEndTracker;

  constructor(private readonly options: CompletionAccumulatorOptions) {
    this.calls = new ToolCallAssembler(options.limits, options.dialect.callFields);
    const sink = { onText: (text: string) => this.appendText(text), onThought: (text: string) => this.appendReasoning(text) };
    this.splitter = new ThoughtSplitter(sink, options.thoughtHabit);
    this.end = new AnswerEndTracker(options.endHabit);
  }

  /** Part of the answer has reached the sink, or will with the next flush. */
  get isVisible(): boolean {
    return this.text !== '' || this.reasoning !== '';
  }

  /** A number that changes whenever the answer grows. */
  get progress(): number {
    return this.additions;
  }

  /** The server said that the answer has ended. It is whole when the body ends, too. */
  get hasEnded(): boolean {
    return this.end.hasEnded;
  }

  /** The answer has ended although the body goes on. */
  get hasSurelyEnded(): boolean {
    const isSomething = this.text !== '' || !this.calls.isEmpty;
    return this.end.isDone || (isSomething && this.end.isSure);
  }

  /** A long silence ends the answer: nothing came behind its finish reason. */
  get isEndedBySilence(): boolean {
    return this.end.isEndedBySilence;
  }

  /** The server sent `[DONE]`; nothing follows. */
  get isComplete(): boolean {
    return this.end.isDone;
  }

  /** `[DONE]` has come, or the end of a document. */
  markDone(by: 'stream' | 'document'): void {
    this.end.noteDone(by);
  }

  /** Delivers the text that was added since the last call, so that the tokens of one piece of the body reach the sink as one text. */
  flush(): void {
    const { unsentText, unsentReasoning } = this;
    this.unsentText = '';
    this.unsentReasoning = '';
    if (unsentReasoning !== '') this.options.sink.onReasoning(unsentReasoning);
    if (unsentText !== '') this.options.sink.onText(unsentText);
  }

  /** Adds one chunk, or one whole `chat.completion`. */
  add(chunk: unknown): void {
    if (!isRecord(chunk)) throw badResponse(['an event is not an object', '有一个事件不是对象']);
    const problem = reportedError(chunk);
    if (problem !== undefined) throw this.options.toError(problem);
    if (isRecord(chunk['usage'])) this.usage = toUsage(chunk['usage'], chunk['service_tier']) ?? this.usage;
    const { choices } = chunk;
    if (!Array.isArray(choices)) return;
    if (choices.length === 0 && isRecord(chunk['usage'])) this.end.noteUsageAlone();
    for (const choice of choices) {
      // Ignores further choices, because requests ask for one.
      if (isRecord(choice) && !choice['index']) this.addChoice(choice);
    }
  }

  /** Throws the error that the server reports beside the chunks. `said`: a text, which may be JSON. */
  fail(said: string): never {
    throw this.options.toError(said);
  }

  /** Adds text of the answer. */
  addText(piece: string): void {
    const text = this.textPieces.push(piece);
    if (text === '') return;
    this.textBytes += Buffer.byteLength(text);
    this.checkBytes(this.textBytes, ['text', '文本']);
    this.countAddition();
    this.splitter.push(text);
  }

  /** Returns the whole answer. Throws `model_bad_response` when it is cut off or empty. */
  finish(): LlmAnswer {
    this.addReasoning(this.reasoningPieces.end());
    this.addText(this.textPieces.end());
    const finishReason = this.end.toEnd(!this.calls.isEmpty);
    this.splitter.end(this.calls.isEmpty && finishReason === 'stop');
    this.flush();
    const { isWhole } = this.end;
    this.end.learn(isWhole);
    if (!isWhole) throw cutOff();
    if (finishReason === 'failed') throw endedBy(this.end.reason ?? '');
    // Leaves out truncated calls: a truncated call may look whole and mean something else.
    const { calls, data } =
      finishReason === 'tool_calls' ? this.calls.finish(this.options.createCallId, this.end.announcesCalls) : { calls: [], data: [] };
    // Without a finish reason, the last call may be incomplete.
    if (this.end.reason === undefined && !calls.every(call => isJson(call.function.arguments))) throw cutOff();
    if (calls.length === 0 && this.text === '' && (finishReason === 'stop' || finishReason === 'tool_calls'))
      throw badResponse(['it is empty', '它是空的']);
    const { text, textBefore, shownBefore } = this.withoutThoughts(calls.length > 0);
    const serverData = toServerData({ server: this.options.server, textBefore, fields: this.kept, calls: data });
    return {
      message: toMessage(text, calls, serverData),
      reasoning: this.reasoning,
      shownBefore: shownBefore > 0 ? shownBefore : undefined,
      finishReason: finishReason === 'tool_calls' && calls.length === 0 ? 'stop' : finishReason,
      usage: this.usage,
    };
  }

  /** Removes thoughts from the text. An end tag without a start tag shows only here that the text before it was thoughts. */
  private withoutThoughts(hasCalls: boolean): { text: string; textBefore: string; shownBefore: number } {
    const { dialect, thoughtHabit } = this.options;
    const { textBefore, hasLoneEnd } = this.splitter;
    const lone = textBefore === '' ? findLoneEnd(this.text, true) : undefined;
    const text = lone ? this.text.slice(lone.end).trimStart() : this.text;
    const isSplit = lone !== undefined && (text !== '' || hasCalls);
    if (isSplit || hasLoneEnd) thoughtHabit.loneEnds += 1;
    else if (this.text !== '') thoughtHabit.loneEnds = 0;
    if (!isSplit) return { text: this.text, textBefore: dialect.wantsThinkTags ? textBefore : '', shownBefore: 0 };
    this.reasoning += this.text.slice(0, lone.start);
    const shownBefore = this.text.length - text.length;
    return { text, textBefore: dialect.wantsThinkTags ? this.text.slice(0, shownBefore) : '', shownBefore };
  }

  private addChoice(choice: Record<string, unknown>): void {
    const { delta, message } = choice;
    const before = this.additions;
    // MiniMax sends the whole message again behind its deltas.
    const isAgain = this.hasDelta && delta === undefined && isRecord(message) && message['tool_calls'] === undefined;
    this.hasDelta ||= isRecord(delta);
    const source = delta ?? message;
    if (isRecord(source) && !(isAgain && this.isVisible)) this.addDelta(source);
    this.end.noteReason(choice['finish_reason'], this.additions === before);
  }

  private addDelta(delta: Record<string, unknown>): void {
    this.kept = keepFields(this.kept, delta, this.options.dialect.messageFields);
    const content = delta['content'] ?? delta['refusal'];
    this.addReasoning(delta['reasoning_content'] || delta['reasoning'] || thoughtsOf(content));
    this.addText(toText(content));
    if (delta['tool_calls'] && this.calls.add(delta['tool_calls'])) {
      // Text tells the sink by itself.
      if (this.additions === 0) this.options.sink.onFirstChunk?.();
      this.countAddition();
      this.splitter.restart();
    }
    if (delta['function_call'] && this.calls.addLegacy(delta['function_call'])) this.countAddition();
  }

  private countAddition(): void {
    this.additions++;
    this.end.noteAddition();
  }

  private appendText(text: string): void {
    if (text === '') return;
    this.text += text;
    if (this.unsentReasoning !== '') this.flush();
    this.unsentText += text;
  }

  private addReasoning(piece: unknown): void {
    const reasoning = typeof piece === 'string' ? this.reasoningPieces.push(piece) : '';
    if (reasoning === '') return;
    this.reasoningBytes += Buffer.byteLength(reasoning);
    this.checkBytes(this.reasoningBytes, ['reasoning', '思考过程']);
    this.countAddition();
    this.appendReasoning(reasoning);
  }

  private appendReasoning(reasoning: string): void {
    this.reasoning += reasoning;
    if (this.unsentText !== '') this.flush();
    this.unsentReasoning += reasoning;
  }

  private checkBytes(bytes: number, [en, zhCN]: Text): void {
    const { maxTextBytes } = this.options.limits;
    if (bytes > maxTextBytes) throw tooLarge([`its ${en} has more than ${maxTextBytes} bytes`, `${zhCN}超过 ${maxTextBytes} 字节`]);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toMessage(text: string, calls: WireToolCall[], serverData: ServerData | undefined): LlmAnswer['message'] {
  const own = serverData && { serverData };
  if (calls.length === 0) return { role: 'assistant', content: text, ...own };
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls, ...own };
}

/** Magistral sends thoughts as parts of the content. */
function thoughtsOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map(part => (isRecord(part) && part['type'] === 'thinking' ? toText(part['thinking']) : '')).join('');
}

/** Some servers send content as a list of parts. */
function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(part => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function toUsage(usage: Record<string, unknown>, tier: unknown): Usage | undefined {
  const inputTokens = toCount(usage['prompt_tokens']);
  const outputTokens = toCount(usage['completion_tokens']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const reasoningTokens = toCount(detail(usage['completion_tokens_details'], 'reasoning_tokens'));
  const cachedTokens = toCount(detail(usage['prompt_tokens_details'], 'cached_tokens') ?? usage['prompt_cache_hit_tokens']);
  const [input, output, reasoning] = [inputTokens ?? 0, outputTokens ?? 0, reasoningTokens ?? 0];
  return {
    inputTokens: input,
    // xAI counts the thoughts beside the output.
    outputTokens: reasoning > output ? output + reasoning : output,
    reasoningTokens,
    cachedTokens: cachedTokens && Math.min(cachedTokens, input),
    serviceTier: typeof tier === 'string' ? tier : undefined,
  };
}

const detail = (details: unknown, name: string): unknown => (isRecord(details) ? details[name] : undefined);

const toCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
