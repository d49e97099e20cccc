/**
 * Fits a history into the context window of a model. Sizes are estimates. The start of the sent history moves in steps of a quarter of the
 * window, so most requests begin with the same messages as the previous one and still hit the server's prompt cache.
 */
import { type ChatMessage, type PromptPart, prefaceOf, promptPartsOf, type ToolMessage, type WireTool } from '../port/llm';
import type { ToolLocale } from '../tools/common';
import { clipMiddle, clipStart } from '../utils/clip_text';
import { foldGrowing } from './fold_growing';
import { SUMMARY_TEXTS } from './prompts/summary_texts';

/** Bytes per token. Most tokens of text or code are longer, so estimates tend to be too high. */
export const BYTES_PER_TOKEN = 3;
/** Tokens that a server adds around each message. */
const TOKENS_PER_MESSAGE = 8;
/** Tokens of an image. Servers count 85 to 1,600, depending on its size and detail. */
const TOKENS_PER_IMAGE = 1_000;
const MAX_OUTPUT_TOKENS = 16_384;
const STEPS_PER_WINDOW = 4;
const LEAST_RESULT_BYTES = 600;
const MAX_QUOTED_UNITS = 1_000;

export interface FittedHistory {
  messages: readonly ChatMessage[];
  /** Messages were left out, or results were truncated. */
  isCut: boolean;
}

const messageTokens = new WeakMap<ChatMessage, number>();
const toolTokens = new WeakMap<readonly WireTool[], number>();
const partBytes = new WeakMap<PromptPart, number>();

/** Estimates the tokens of a text. O(n), about a microsecond per kilobyte. */
const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Tokens of a PDF file. Servers count 1,500 to 3,000 a page, and its pages are not known. */
const TOKENS_PER_FILE = 8_000;
/** Characters of a token in the text of a file, for models that get the text. */
const UNITS_PER_TOKEN = 3;

/** Estimates the tokens of the images and files of a message, which its text does not hold. */
export function imageTokens(message: ChatMessage): number {
  if (message.role === 'tool') return (message.images?.length ?? 0) * TOKENS_PER_IMAGE;
  if (message.role !== 'user') return 0;
  const { images = [], files = [] } = message;
  const fileTokens = files.map(({ text = '' }) => Math.max(TOKENS_PER_FILE, Math.ceil(text.length / UNITS_PER_TOKEN)));
  return images.length * TOKENS_PER_IMAGE + fileTokens.reduce((sum, tokens) => sum + tokens, 0);
}

const foldTokens = foldGrowing(
  () => ({ sum: 0 }),
  (state, message: ChatMessage) => {
    state.sum += tokensOf(message);
  },
);

/** Lists with fewer messages are added up at each call, because most short lists are made for one call. */
const LEAST_FOLDED = 8;

/** Estimates the tokens of messages. Estimates are cached by message object, and by list object; a list may grow. */
export const estimateMessages = (messages: readonly ChatMessage[]): number =>
  messages.length < LEAST_FOLDED ? messages.reduce((sum, message) => sum + tokensOf(message), 0) : foldTokens(messages).sum;

/** Estimates the tokens of the offered tools; the estimate of a list is cached. */
export function estimateTools(tools: readonly WireTool[]): number {
  const known = toolTokens.get(tools);
  if (known !== undefined) return known;
  const tokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  toolTokens.set(tools, tokens);
  return tokens;
}

/** Returns the tokens that are left for the history after the answer, the prompt and the tools. `otherTokens`: prompt and tools. */
export function historyBudget(contextTokens: number, otherTokens: number): number {
  const outputTokens = Math.min(MAX_OUTPUT_TOKENS, contextTokens / 4);
  return Math.max(Math.floor(contextTokens - outputTokens - otherTokens), Math.floor(contextTokens / 8));
}

/**
 * Keeps the end of a valid history, at most `maxTokens`, from a message of a person on. When the last turn alone is too long, its message and its
 * last steps stay; when the last step alone is too long, its results are truncated. When the last message of a person was sent into a running turn,
 * the request that began the turn stays too if it is short. A call and its result are never separated. The last message of a person is never
 * truncated, so the result can still be too long. `locale`: of the note behind a truncated result. O(n).
 */
export function fitHistory(messages: readonly ChatMessage[], maxTokens: number, locale: ToolLocale = 'en'): FittedHistory {
  const total = estimateMessages(messages);
  if (total <= maxTokens) return { messages, isCut: false };
  const starts = startsOf(messages, message => message.role === 'user');
  const last = starts.at(-1) ?? 0;
  const request = requestBehind(messages, last, maxTokens / STEPS_PER_WINDOW);
  const budget = maxTokens - (request ? tokensOf(request) : 0);
  const start = cutPoint(messages, starts, { total, maxTokens: budget });
  const end = start === undefined ? fitTurn(messages.slice(last), budget, locale) : messages.slice(start);
  const kept = request && !end.includes(request) ? [request, ...end] : end;
  // A single message that is too long stays as it is, and then nothing was cut.
  return { messages: kept, isCut: kept.length !== messages.length || kept.some((message, i) => message !== messages[i]) };
}

/** Writes the notice about left-out messages for the end of the system prompt. `sent`: the part of `history` that is sent. */
export function cutNotice(history: readonly ChatMessage[], sent: readonly ChatMessage[], locale: ToolLocale): string {
  const first = history.find(message => message.role === 'user');
  const opening = first && !sent.includes(first) ? clipStart(first.content, MAX_QUOTED_UNITS) : undefined;
  if (locale === 'zh-CN') {
    const notice = '# 更早的消息\n本次对话里更早的一部分消息放不进模型的上下文，这里没有给出，或者被截短。不要猜测其中的内容。';
    return opening === undefined ? notice : `${notice}对话以这条消息开始：\n${opening}`;
  }
  const notice =
    "# Earlier messages\nSome earlier messages of this conversation are left out or truncated here, because they no longer fit into the model's context. Do not guess what they said.";
  return opening === undefined ? notice : `${notice} The conversation began with this message:\n${opening}`;
}

/** Keeps the request of a turn that is too long, and as many of its last steps as fit. */
function fitTurn(turn: readonly ChatMessage[], maxTokens: number, locale: ToolLocale): readonly ChatMessage[] {
  const [request, ...steps] = turn;
  if (!request || steps.length === 0) return turn;
  const budget = Math.max(0, maxTokens - tokensOf(request));
  const starts = startsOf(steps, message => message.role !== 'tool');
  const total = estimateMessages(steps);
  if (total <= budget) return turn;
  const start = cutPoint(steps, starts, { total, maxTokens: budget });
  if (start !== undefined) return [request, ...steps.slice(start)];
  return [request, ...truncateResults(steps.slice(starts.at(-1) ?? 0), budget, locale)];
}

/**
 * Truncates the results of one step, which share the tokens that the calls of the step leave. The end of a result stays, because it names the file
 * with the whole result.
 */
function truncateResults(step: readonly ChatMessage[], maxTokens: number, locale: ToolLocale): readonly ChatMessage[] {
  const results = step.filter(message => message.role === 'tool');
  if (results.length === 0) return step;
  const others = estimateMessages(step.filter(message => message.role !== 'tool'));
  const share = Math.floor((maxTokens - others) / results.length - TOKENS_PER_MESSAGE) * BYTES_PER_TOKEN;
  const note = `\n${SUMMARY_TEXTS[locale].shortened}`;
  const bytes = Math.max(share - Buffer.byteLength(note), LEAST_RESULT_BYTES);
  const truncate = (message: ToolMessage): ToolMessage => {
    const content = clipMiddle(message.content, bytes, 0.7, locale);
    return content === message.content ? message : { ...message, content: content + note };
  };
  return step.map(message => (message.role === 'tool' ? truncate(message) : message));
}

/** Returns the first of `starts` from which the rest fits, moved in steps; undefined when the rest never fits. */
function cutPoint(
  messages: readonly ChatMessage[],
  starts: readonly number[],
  { total, maxTokens }: { total: number; maxTokens: number },
): number | undefined {
  const step = Math.max(1, maxTokens / STEPS_PER_WINDOW);
  const excess = total - maxTokens;
  const wanted = Math.ceil(excess / step) * step;
  let before = 0;
  let at = 0;
  let fitting: number | undefined;
  for (const start of starts) {
    for (; at < start; at++) before += tokensOf(messages[at] as ChatMessage);
    if (before >= wanted) return start;
    if (before >= excess) fitting = start;
  }
  return fitting;
}

const startsOf = (
  messages: readonly ChatMessage[],
  isStart: (message: ChatMessage, before: ChatMessage | undefined) => boolean,
): number[] => messages.flatMap((message, i) => (isStart(message, messages[i - 1]) ? [i] : []));

/** Returns the request of the turn into which the message at `index` was sent; undefined when that message began the turn or the request is too long. */
function requestBehind(messages: readonly ChatMessage[], index: number, maxTokens: number): ChatMessage | undefined {
  let at = index;
  while (at > 0 && !endsTurn(messages[at - 1])) at--;
  const request = messages[at];
  if (at === index || request?.role !== 'user' || !messages.slice(at, index).some(message => message.role === 'tool')) return undefined;
  return tokensOf(request) <= maxTokens ? request : undefined;
}

const endsTurn = (message: ChatMessage | undefined): boolean => message?.role === 'assistant' && !message.tool_calls?.length;

function tokensOf(message: ChatMessage): number {
  const known = messageTokens.get(message);
  if (known !== undefined) return known;
  let tokens = TOKENS_PER_MESSAGE + contentTokens(message) + imageTokens(message);
  if (message.role === 'user') tokens += estimateTokens(prefaceOf(message));
  if (message.role === 'assistant') {
    for (const { function: called } of message.tool_calls ?? []) tokens += TOKENS_PER_MESSAGE + estimateTokens(called.arguments);
    if (message.serverData) tokens += estimateTokens(JSON.stringify(message.serverData));
  }
  messageTokens.set(message, tokens);
  return tokens;
}

/** Measures each part of a prompt once, because many sessions share parts. */
function contentTokens(message: ChatMessage): number {
  const parts = promptPartsOf(message);
  if (!parts) return estimateTokens(message.content ?? '');
  return Math.ceil(parts.reduce((bytes, part) => bytes + bytesOf(part), 0) / BYTES_PER_TOKEN);
}

function bytesOf(part: PromptPart): number {
  const known = partBytes.get(part);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(part.text);
  partBytes.set(part, bytes);
  return bytes;
}
