import type { LlmRequest, LlmSink } from '../../../src/port/llm';

/** A request with one user message. */
export const ask = (text: string, fields: Partial<LlmRequest> = {}): LlmRequest => ({
  messages: [{ role: 'user', content: text }],
  tools: [],
  thinkingLevel: 'off',
  signal: new AbortController().signal,
  ...fields,
});

/** A sink that keeps every piece. */
export function recordingSink(): LlmSink & { texts: string[]; reasonings: string[] } {
  const texts: string[] = [];
  const reasonings: string[] = [];
  return { texts, reasonings, onText: text => texts.push(text), onReasoning: text => reasonings.push(text) };
}
