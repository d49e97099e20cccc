/** Writes what models and tools were told and answered into spans, when the operator asks for it. */
import type { Attributes } from '@opentelemetry/api';
import type { ChatMessage } from '../../port/llm';
import type { EndedWork, Work } from '../../port/observer';
import { clipText } from '../../utils/clip_text';

/** Characters of one attribute. */
const MAX_UNITS = 32_000;

type Redact = (text: string) => string;

const textOf = (value: unknown, redact: Redact): string =>
  clipText(redact(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')), MAX_UNITS);

/** Leaves out the fields that a server sent for itself alone. */
function shown(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.serverData) return message;
  const { serverData: _private, ...rest } = message;
  return rest;
}

export function contentsWhenBegun({ kind, begun }: Work, redact: Redact): Attributes {
  if (kind === 'model_call') return begun.messages ? { 'gen_ai.input.messages': textOf(begun.messages.map(shown), redact) } : {};
  return kind === 'tool_call' ? { 'gen_ai.tool.call.arguments': textOf(begun.args, redact) } : {};
}

export function contentsWhenEnded({ kind, ended }: EndedWork, redact: Redact): Attributes {
  if (kind === 'model_call') return ended.message ? { 'gen_ai.output.messages': textOf([shown(ended.message)], redact) } : {};
  return kind === 'tool_call' ? { 'gen_ai.tool.call.result': textOf(ended.content ?? '', redact) } : {};
}
