/**
 * Measures the requests of one session in tokens. Estimates from bytes at once; counts with the tokenizer, each message once, only when a request may
 * be too long. Token counts that the model reports correct both.
 */
import { type ChatMessage, prefaceOf, type WireTool } from '../../port/llm';
import { estimateMessages, estimateTools, imageTokens } from '../fit_history';

/** The content of a request. `head`: messages before `messages`. When `messages` is a list that grows, the known sizes of its messages are kept. */
export interface MeasuredRequest {
  head?: readonly ChatMessage[];
  messages: readonly ChatMessage[];
  tools: readonly WireTool[];
}

/** Counts the tokens of each text. */
export type CountTexts = (texts: readonly string[], signal: AbortSignal) => Promise<number[]>;

/** Tokens that a server adds around each message. */
const TOKENS_PER_MESSAGE = 4;
/** Factors by which the estimate may be off: before the usage that servers report has corrected the estimate, and afterwards. */
const UNKNOWN_MARGIN = 2;
const KNOWN_MARGIN = 1.25;
/**
 * Bounds of the corrections. Some servers report too few tokens, for example without cached ones; a text that repeats one letter has a small scale.
 */
const REPORTED_SCALE = { least: 0.5, most: 3 };
const COUNTED_SCALE = { least: 0.1, most: 3 };
const CORRECTION = { least: 0.8, most: 2.5 };

/** Tokens of each counted message or list of tools. Tokenizers differ little between models, and the correction evens the difference out. */
const tokensByObject = new WeakMap<object, number>();

export class TokenMeter {
  /** Tokens for one token of the byte estimate. */
  private known: number | undefined;
  /** Tokens of the model for one token of the tokenizer. */
  private correction = 1;

  constructor(private readonly countTexts: CountTexts) {}

  /** Tokens for one token of the byte estimate; 1 while nothing was learnt. */
  get scale(): number {
    return this.known ?? 1;
  }

  /** Estimates from bytes, corrected by reported token counts. O(number of messages). */
  estimateTokens(request: MeasuredRequest): number {
    return roughTokens(request) * this.scale;
  }

  /** Returns true when the request may have more than `maxTokens`, so that it is worth counting. */
  mayExceed(request: MeasuredRequest, maxTokens: number): boolean {
    return this.estimateTokens(request) * (this.known === undefined ? UNKNOWN_MARGIN : KNOWN_MARGIN) > maxTokens;
  }

  /** Counts the request with the tokenizer; parts that were counted before are not counted again. Rejects as CountTexts does. */
  async countTokens(request: MeasuredRequest, signal: AbortSignal): Promise<number> {
    const parts = partsOf(request).filter(part => !tokensByObject.has(part));
    const numbers = parts.length === 0 ? [] : await this.countTexts(parts.map(textOf), signal);
    for (const [i, part] of parts.entries())
      tokensByObject.set(part, (numbers[i] ?? 0) + TOKENS_PER_MESSAGE + ('role' in part ? imageTokens(part) : 0));
    const tokens = (countOf(request) ?? 0) * this.correction;
    this.known = within(tokens / roughTokens(request), COUNTED_SCALE);
    return tokens;
  }

  /** Returns the tokens of messages: the count where there is one, otherwise the estimate. */
  tokensOf(messages: readonly ChatMessage[]): number {
    return messages.reduce((sum, message) => sum + this.tokensOfOne(message), 0);
  }

  /** Learns from a reported count. `inputTokens`: tokens that the model reported for this request; 0 is ignored. */
  learn(request: MeasuredRequest, inputTokens: number): void {
    if (!(inputTokens > 0)) return;
    const count = countOf(request);
    if (count === undefined) {
      this.known = within(inputTokens / roughTokens(request), REPORTED_SCALE);
      return;
    }
    this.correction = within(inputTokens / count, CORRECTION);
    this.known = within((count * this.correction) / roughTokens(request), COUNTED_SCALE);
  }

  private tokensOfOne(message: ChatMessage): number {
    const count = tokensByObject.get(message);
    return count === undefined ? estimateMessages([message]) * this.scale : count * this.correction;
  }
}

const roughTokens = ({ head = [], messages, tools }: MeasuredRequest): number =>
  Math.max(1, estimateMessages(head) + estimateMessages(messages) + estimateTools(tools));

const within = (value: number, { least, most }: { least: number; most: number }): number => Math.min(most, Math.max(least, value));

type Part = ChatMessage | readonly WireTool[];

const partsOf = ({ head = [], messages, tools }: MeasuredRequest): Part[] => [...(tools.length > 0 ? [tools] : []), ...head, ...messages];

/** Returns undefined when a part was not counted yet. */
function countOf(request: MeasuredRequest): number | undefined {
  // Checked first, because most requests were never counted.
  if (request.tools.length > 0 && !tokensByObject.has(request.tools)) return undefined;
  let sum = 0;
  for (const part of partsOf(request)) {
    const count = tokensByObject.get(part);
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}

function textOf(part: Part): string {
  if (!('role' in part)) return JSON.stringify(part);
  if (part.role === 'user') return prefaceOf(part) + part.content;
  if (part.role !== 'assistant') return part.content;
  const calls = (part.tool_calls ?? []).map(({ function: { name, arguments: args } }) => `${name}${args}`);
  const own = part.serverData ? [JSON.stringify(part.serverData)] : [];
  return [part.content ?? '', ...calls, ...own].join('\n');
}
