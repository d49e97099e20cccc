/** Builds the request of one model call and shortens it when the server refuses it as too long. */
import { AppError } from '../errors';
import { type ChatMessage, type LlmAnswer, type LlmRequest, promptPartsOf, type SystemMessage, systemMessageOf } from '../port/llm';
import { contextOverflow } from '../port/model_failures';
import type { AgentRunParams } from './agent_run';
import { compactWhenNeeded } from './compaction/compact_history';
import type { MeasuredRequest } from './compaction/token_meter';
import { messagesAfterSummary, SUMMARY_ACCEPTED } from './compaction/visible_history';
import { cutNotice, estimateMessages, estimateTools, fitHistory, historyBudget } from './fit_history';
import { foldGrowing } from './fold_growing';
import { historyProblem, repairHistory, trimHistory } from './history';
import { assertShorter, type Guess, guessWindow, windowAfter } from './last_resort';
import { toModelMessages } from './model_messages';
import { AnswerText, type FinishedAnswer } from './raw_calls/answer_text';
import { announceFallback, noteModel } from './record_answer';
import { findTool, isForeign } from './tool_assembler';

interface CallOptions {
  offerTools: boolean;
  /** A message for the model after the history; it is not stored. */
  note: string | undefined;
}

/** Retries with a shorter request after the server refused one as too long. */
const MAX_CUTS = 2;
const LEAST_CONTEXT_TOKENS = 512;

/**
 * Streams one answer; tool calls that the model wrote as text become proper calls. Shortens a request that the server refuses as too long, and
 * retries; the smaller window then applies to the rest of the run. Shortens once a long request that is refused for no known reason. Rejects as
 * LlmPort.stream does, with BudgetSpent before a call that the budget does not allow, and with `model_refused` and a text for the person when
 * shortening does not help.
 */
export async function streamWithinContext(params: AgentRunParams, options: CallOptions): Promise<Omit<FinishedAnswer, 'rest'>> {
  let guess: Guess | undefined;
  for (let cuts = 0; ; cuts++) {
    const checking = params.spending?.beforeModelCall(params.signal);
    if (checking) await checking;
    // After a guess no summary is tried: the server might refuse that request, too.
    const compacting = guess ? undefined : compactWhenNeeded(params, options.offerTools);
    if (compacting) {
      await compacting;
      // The summary was a model call, so the budget is checked again.
      await params.spending?.beforeModelCall(params.signal);
    }
    const { request, measured } = requestOf(params, options);
    if (guess) params.limits.contextTokens = guess.before;
    if (guess) assertShorter(guess, request);
    let isShown = false;
    try {
      const finished = await streamAnswer(params, request, () => {
        isShown = true;
      });
      params.compaction?.meter.learn(measured, finished.answer.usage?.inputTokens ?? 0);
      if (guess) params.limits.contextTokens = windowAfter(guess, params);
      return finished;
    } catch (thrown) {
      const overflow = contextOverflow(thrown);
      if (isShown || (!overflow && guess)) throw thrown;
      if (!overflow) {
        guess = guessWindow(params, request, thrown);
        if (!guess) throw thrown;
        params.limits.contextTokens = guess.window;
        continue;
      }
      guess = undefined;
      if (cuts >= MAX_CUTS) throw tooLong(thrown, overflow.said);
      params.limits.contextTokens = smallerContext(params, request, overflow.contextTokens);
      // The request had more tokens than the window allows, whatever the estimate was.
      params.compaction?.meter.learn(measured, Math.max(params.limits.contextTokens, tokensOf(params, request)));
    }
  }
}

/** Returns the window that the server reported, or half of the refused size. */
function smallerContext(params: AgentRunParams, request: LlmRequest, toldTokens: number | undefined): number {
  const { contextTokens } = params.limits;
  if (toldTokens !== undefined && toldTokens < contextTokens) return Math.max(LEAST_CONTEXT_TOKENS, toldTokens);
  return Math.max(LEAST_CONTEXT_TOKENS, Math.floor(Math.min(contextTokens, tokensOf(params, request)) / 2));
}

const tokensOf = ({ compaction }: AgentRunParams, { messages, tools }: LlmRequest): number =>
  Math.ceil((estimateMessages(messages) + estimateTools(tools)) * (compaction?.meter.scale ?? 1));

/** `said`: the words of the server. */
const tooLong = (cause: unknown, said?: string): AppError =>
  new AppError('model_refused', {
    message: `The conversation is too long for the model, even after its earlier messages were left out. Send a shorter message, start a new session, or use a model with a larger context window.${said ? ` The model server said: ${said}` : ''}`,
    messageZh: `省略了较早的消息之后，对话对模型来说仍然太长。请发送较短的消息、新建会话，或使用上下文窗口更大的模型。${said ? `模型服务器的说明：${said}` : ''}`,
    details: cause instanceof AppError && cause.details ? cause.details : undefined,
    cause,
  });

/** `measured`: the same request before its messages were made ready for the model, in lists that grow. */
function requestOf(params: AgentRunParams, { offerTools, note }: CallOptions): { request: LlmRequest; measured: MeasuredRequest } {
  const { opening, summary, limits, systemMessage, locale } = params;
  const tools = offerTools ? params.tools.wireTools : [];
  const head: ChatMessage[] = summary ? [systemMessage, summary.message] : [systemMessage];
  const history = messagesAfterSummary(params);
  // The window is converted to the unit of byte estimates, because all sizes below are byte estimates.
  const contextTokens = limits.contextTokens / (params.compaction?.meter.scale ?? 1);
  const budget = historyBudget(contextTokens, estimateMessages(head) + estimateTools(tools));
  const fitted = fitHistory(history, budget, locale);
  const trimmed = trimHistory(fitted.messages, limits.maxContextMessages);
  const valid = historyProblem(trimmed) === undefined ? trimmed : repairHistory(trimmed, { locale });
  const isCut = fitted.isCut || opening !== undefined || trimmed.length < fitted.messages.length;
  const notice = isCut && cutNotice(opening ? [opening, ...history] : history, trimmed, locale);
  const system = notice ? withNotice(systemMessage, notice) : systemMessage;
  const noted: ChatMessage[] = note ? [{ role: 'user', content: note }] : [];
  // Some servers refuse two messages of a person in a row.
  const accepted = summary && valid[0]?.role === 'user' ? [SUMMARY_ACCEPTED[locale]] : [];
  // The usual history is one list, which grows.
  const whole = summary || note ? [...head.slice(1), ...accepted, ...valid, ...noted] : valid;
  const messages = toModelMessages(whole, params.isGiven ? undefined : locale);
  messages.unshift(system);
  const { hasImages } = findImages(valid);
  const request: LlmRequest = {
    model: params.model,
    messages,
    tools,
    isForeignTool: name => {
      const tool = params.tools.byName.get(name);
      return tool !== undefined && (isForeign(tool) || tool.isCallers === true);
    },
    thinkingLevel: params.thinkingLevel,
    parameters: params.parameters,
    outputSchema: params.outputSchema,
    readImage: hasImages && params.readImage ? params.readImage : undefined,
    run: params.observation?.run,
    accepted: params.accepted,
    signal: params.signal,
  };
  return { request, measured: { head: [system], messages: whole, tools } };
}

const findImages = foldGrowing<ChatMessage, { hasImages: boolean }>(
  () => ({ hasImages: false }),
  (state, message) => {
    if (message.role === 'user') state.hasImages ||= message.images !== undefined || message.files !== undefined;
    if (message.role === 'tool') state.hasImages ||= message.images !== undefined;
  },
);

const withNotice = (message: SystemMessage, notice: string): SystemMessage =>
  systemMessageOf([...(promptPartsOf(message) ?? [{ text: message.content }]), { text: `\n\n${notice}` }]);

async function streamAnswer(params: AgentRunParams, request: LlmRequest, onShown: () => void): Promise<Omit<FinishedAnswer, 'rest'>> {
  const { llm, journal, tools, history, ids } = params;
  // Without tools no text can be a tool call, so no reader is needed.
  const reader = request.tools.length > 0 ? new AnswerText({ findTool: name => findTool(tools, name), history, ids }) : undefined;
  const show = (text: string): void => {
    if (text !== '') journal.delta({ type: 'text_delta', data: { text } });
  };
  try {
    const answer = await llm.stream(request, {
      onText(text) {
        onShown();
        show(reader ? reader.push(text) : text);
      },
      onReasoning(text) {
        onShown();
        journal.delta({ type: 'reasoning_delta', data: { text } });
      },
      onFallback: change => announceFallback(params, change),
    });
    noteModel(params, answer);
    params.onAnswer?.(request, answer);
    const { rest, ...finished } = reader?.finish(answer) ?? { answer, rest: '' };
    noteRawCalls(params, answer, finished);
    show(rest);
    return finished;
  } catch (thrown) {
    show(reader?.release() ?? '');
    throw thrown;
  }
}

/** A model that wrote proper calls wrote none as text. */
function noteRawCalls({ observation }: AgentRunParams, { message }: LlmAnswer, { answer, problem }: Omit<FinishedAnswer, 'rest'>): void {
  const recovered = message.tool_calls ? 0 : (answer.message.tool_calls?.length ?? 0);
  if (!observation || (recovered === 0 && !problem)) return;
  const { observer, run } = observation;
  observer.note({ type: 'raw_calls', run, recovered, rejected: problem ? 1 : 0 });
}
