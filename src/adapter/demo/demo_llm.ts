/** The model that is used when none is configured: rules instead of AI, behind the same port and through the same loop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssistantMessage, LlmAnswer, LlmPort, LlmRequest, LlmSink, Usage } from '../../port/llm';
import { type DemoMove, nextMove } from './demo_move';

interface DemoLlmOptions {
  /** Pause between two pieces of text, in milliseconds. Default 8. */
  delayMs?: number;
  /** How to pause; rejects when the signal aborts. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ids of tool calls; must differ from call to call. */
  newCallId?: () => string;
}

const DEFAULT_DELAY_MS = 8;
/** A long text comes in larger pieces, so that no answer takes more than this many pauses. */
const MAX_PIECES = 150;
const PIECE_LENGTH = 4;
const CHARACTERS_PER_TOKEN = 4;

/**
 * A stateless, rule-based demo model. It understands a handful of plain requests in English and Chinese, streams its text in small pieces and
 * makes real tool calls, only of tools that are offered. `model` and `thinkingLevel` of a request mean nothing to it.
 */
export function createDemoLlm(options: DemoLlmOptions = {}): LlmPort {
  const { delayMs = DEFAULT_DELAY_MS, newCallId = () => `call_${randomUUID()}` } = options;
  const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));
  return {
    info: { provider: 'demo', model: 'demo', demo: true },
    async stream(request, sink) {
      request.signal.throwIfAborted();
      const move = nextMove(request);
      await streamText(move.text, sink, async () => {
        if (delayMs > 0) await wait(delayMs, request.signal).catch(rethrowReason(request.signal));
        request.signal.throwIfAborted();
      });
      return toAnswer(move, request, newCallId);
    },
  };
}

async function streamText(text: string, sink: LlmSink, pause: () => Promise<void>): Promise<void> {
  for (const piece of toPieces(text)) {
    await pause();
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

/** Timers reject with an AbortError of their own; the port promises the signal's reason. */
function rethrowReason(signal: AbortSignal): (thrown: unknown) => never {
  return thrown => {
    throw signal.aborted ? signal.reason : thrown;
  };
}

function toAnswer(move: DemoMove, request: LlmRequest, newCallId: () => string): LlmAnswer {
  const calls = move.calls.map(({ name, args }) => ({
    id: newCallId(),
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message: AssistantMessage = { role: 'assistant', content: move.text || null, ...(calls.length > 0 && { tool_calls: calls }) };
  return { message, reasoning: '', finishReason: calls.length > 0 ? 'tool_calls' : 'stop', usage: usageOf(request, message) };
}

function usageOf({ messages }: LlmRequest, answer: AssistantMessage): Usage {
  const lengthOf = (message: { content: string | null; tool_calls?: AssistantMessage['tool_calls'] }): number =>
    (message.content?.length ?? 0) + (message.tool_calls ?? []).reduce((sum, call) => sum + call.function.arguments.length, 0);
  const input = messages.reduce((sum, message) => sum + lengthOf(message), 0);
  return { inputTokens: Math.ceil(input / CHARACTERS_PER_TOKEN), outputTokens: Math.ceil(lengthOf(answer) / CHARACTERS_PER_TOKEN) };
}
