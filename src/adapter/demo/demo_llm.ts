/** The model that answers when none is configured: a scripted first run, no AI, behind the same port and through the same loop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssistantMessage, LlmAnswer, LlmPort, LlmRequest, LlmSink, Usage } from '../../port/llm';
import type { DemoMove } from './demo_move';
import { nextMove } from './demo_script';
import { summarise } from './demo_summary';

/** Pause between two pieces of text, in milliseconds. */
const DEFAULT_DELAY_MS = 8;
/** A long text comes in larger pieces, so that no answer takes more than this many pauses. */
const MAX_PIECES = 150;
const PIECE_LENGTH = 4;
const CHARACTERS_PER_TOKEN = 4;

/**
 * A stateless, scripted demo model. It knows a few messages in English and Chinese (DEMO_TEXTS.requests), streams its text in small pieces
 * and makes real tool calls, only of tools that are offered. It ignores `model` and `thinkingLevel` of a request.
 */
export function createDemoLlm({ delayMs = DEFAULT_DELAY_MS } = {}): LlmPort {
  return {
    info: { provider: 'demo', model: 'demo', demo: true },
    async stream(request, sink) {
      request.signal.throwIfAborted();
      const summary = request.tools.length === 0 ? summarise(request) : undefined;
      const move = summary === undefined ? nextMove(request) : { text: summary, calls: [] };
      await streamText(move.text, request.signal, sink, delayMs);
      return toAnswer(move, request);
    },
  };
}

async function streamText(text: string, signal: AbortSignal, sink: LlmSink, delayMs: number): Promise<void> {
  for (const piece of toPieces(text)) {
    // The timer rejects with an AbortError of its own; the port promises the signal's reason.
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
    sink.onText(piece);
  }
}

/** Pieces of a few characters that never cut a character in two and together are the text. */
export function toPieces(text: string): string[] {
  const characters = [...text];
  const length = Math.max(PIECE_LENGTH, Math.ceil(characters.length / MAX_PIECES));
  const pieces: string[] = [];
  for (let i = 0; i < characters.length; i += length) pieces.push(characters.slice(i, i + length).join(''));
  return pieces;
}

function toAnswer({ text, calls }: DemoMove, { messages }: LlmRequest): LlmAnswer {
  const toolCalls = calls.map(({ name, args }) => ({
    id: `call_${randomUUID()}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message: AssistantMessage = { role: 'assistant', content: text || null, tool_calls: toolCalls.length > 0 ? toolCalls : undefined };
  return { message, reasoning: '', finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop', usage: usageOf(messages, message) };
}

function usageOf(messages: LlmRequest['messages'], answer: AssistantMessage): Usage {
  const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);
  return { inputTokens: tokensOf(messages), outputTokens: tokensOf(answer) };
}
