import type { Dialect } from '../../port/dialects';
import type { LlmAnswer, LlmSink, ServerData, Usage, WireToolCall } from '../../port/llm';
import { WellFormedPieces } from '../../utils/well_formed';
import { reportedError } from './error_shapes';
import { type AnswerEnd, isEnd, toAnswerEnd } from './finish_reasons';
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
  /** Changed by what the answer shows. */
  thoughtHabit: ThoughtHabit;
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
  private finishReason: string | undefined;
  /** The finish reason stood in a chunk that adds nothing. */
  private isAlone = false;
  /** More of the answer came behind a finish reason: this server writes one into chunks that end nothing. */
  private isContradicted = false;
  private isDone = false;
  private readonly textPieces = new WellFormedPieces();
  private readonly reasoningPieces = new WellFormedPieces();
  /** Added since the last flush; one of the two is empty. */
  private unsentText = '';
  private unsentReasoning = '';
  /** Counts the chunks that added to the answer; keep-alive events do not. */
  private additions = 0;
  /** Fields of the message that the server wants back. */
  private kept: KeptFields | undefined;
  private readonly calls: ToolCallAssembler;
  private readonly splitter: ThoughtSplitter;

  constructor(private readonly options: CompletionAccumulatorOptions) {
    this.calls = new ToolCallAssembler(options.limits, options.dialect.callFields);
    const sink = { onText: (text: string) => this.appendText(text), onThought: (text: string) => this.appendReasoning(text) };
    this.splitter = new ThoughtSplitter(sink, options.thoughtHabit);
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
    return this.isDone || this.finishReason !== undefined;
  }

  /** The answer has ended although the body goes on: no chunk of this server has a finish reason beside a part of the answer. */
  get hasSurelyEnded(): boolean {
    const isSomething = this.text !== '' || !this.calls.isEmpty;
    return this.isDone || (this.finishReason !== undefined && isSomething && this.isAlone && !this.isContradicted);
  }

  /** A long silence ends the answer: nothing came behind its finish reason. */
  get isEndedBySilence(): boolean {
    return this.isDone || (this.finishReason !== undefined && !this.isContradicted);
  }

  /** The server sent `[DONE]`; nothing follows. */
  get isComplete(): boolean {
    return this.isDone;
  }

  markDone(): void {
    this.isDone = true;
  }

  /** Delivers what was added since the last call: the tokens of one piece of the body reach the sink as one text. */
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
    if (isRecord(chunk['usage'])) this.usage = toUsage(chunk['usage']) ?? this.usage;
    const { choices } = chunk;
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      // The request asks for one choice; ignore further ones.
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
    this.splitter.end(this.calls.isEmpty && this.toEnd() === 'stop');
    this.flush();
    if (!this.hasEnded) throw cutOff();
    const finishReason = this.toEnd();
    if (finishReason === 'failed') throw endedBy(this.finishReason ?? '');
    // Never return a truncated call: it may look whole and mean something else.
    const { calls, data } =
      finishReason === 'tool_calls' ? this.calls.finish(this.options.createCallId, this.announcesCalls) : { calls: [], data: [] };
    // Without a finish reason nothing says that the last call is not half.
    if (this.finishReason === undefined && !calls.every(call => isJson(call.function.arguments))) throw cutOff();
    if (calls.length === 0 && this.text === '' && (finishReason === 'stop' || finishReason === 'tool_calls'))
      throw badResponse(['it is empty', '它是空的']);
    const { text, textBefore, shownBefore } = this.withoutThoughts(calls.length > 0);
    const serverData = toServerData({ server: this.options.server, textBefore, fields: this.kept, calls: data });
    return {
      message: toMessage(text, calls, serverData),
      reasoning: this.reasoning,
      ...(shownBefore > 0 && { shownBefore }),
      finishReason: finishReason === 'tool_calls' && calls.length === 0 ? 'stop' : finishReason,
      ...(this.usage && { usage: this.usage }),
    };
  }

  /** An end tag alone shows only now that the text before it was thoughts. */
  private withoutThoughts(hasCalls: boolean): { text: string; textBefore: string; shownBefore: number } {
    const { dialect, thoughtHabit } = this.options;
    const { textBefore } = this.splitter;
    const kept = dialect.wantsThinkTags ? textBefore : '';
    const lone = textBefore === '' ? findLoneEnd(this.text, true) : undefined;
    const text = lone ? this.text.slice(lone.end).trimStart() : this.text;
    if (!lone || (text === '' && !hasCalls)) return { text: this.text, textBefore: kept, shownBefore: 0 };
    thoughtHabit.opensInPrompt = true;
    this.reasoning += this.text.slice(0, lone.start);
    const shownBefore = this.text.length - text.length;
    return { text, textBefore: dialect.wantsThinkTags ? this.text.slice(0, shownBefore) : '', shownBefore };
  }

  private addChoice(choice: Record<string, unknown>): void {
    const delta = choice['delta'] ?? choice['message'];
    const before = this.additions;
    if (isRecord(delta)) this.addDelta(delta);
    const reason = choice['finish_reason'];
    if (!isEnd(reason)) return;
    const isAlone = this.additions === before;
    // A proxy that adds an end of its own does not make a cut answer whole.
    if (isAlone && !this.isContradicted && this.finishReason !== undefined && isCut(this.finishReason)) return;
    this.isAlone = isAlone && (this.finishReason === undefined || this.isAlone);
    this.finishReason = reason;
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
    if (this.finishReason !== undefined) this.isContradicted = true;
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

  /** The server itself says that the model ended with tool calls. */
  private get announcesCalls(): boolean {
    return this.finishReason !== undefined && toAnswerEnd(this.finishReason) === 'tool_calls';
  }

  private toEnd(): AnswerEnd {
    if (this.finishReason !== undefined && isCut(this.finishReason)) return toAnswerEnd(this.finishReason);
    return this.calls.isEmpty ? 'stop' : 'tool_calls';
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

function isCut(reason: string): boolean {
  const end = toAnswerEnd(reason);
  return end !== 'stop' && end !== 'tool_calls';
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

function toUsage(usage: Record<string, unknown>): Usage | undefined {
  const inputTokens = toCount(usage['prompt_tokens']);
  const outputTokens = toCount(usage['completion_tokens']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const reasoningTokens = toCount(detail(usage['completion_tokens_details'], 'reasoning_tokens'));
  const cachedTokens = toCount(detail(usage['prompt_tokens_details'], 'cached_tokens') ?? usage['prompt_cache_hit_tokens']);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
  };
}

const detail = (details: unknown, name: string): unknown => (isRecord(details) ? details[name] : undefined);

const toCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
