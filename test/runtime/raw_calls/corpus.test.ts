/** Counts what is recovered and what runs by mistake, in the corpus of raw tool calls. */
import type { LlmAnswer } from '../../../src/port/llm';
import { AnswerText } from '../../../src/runtime/raw_calls/answer_text';
import { builtinTools } from '../../../src/tools/catalog';
import { type CorpusCase, historyOf } from './corpus_case';
import { LOOK_ALIKES } from './look_alikes';
import { REAL_SHAPES } from './real_shapes';

const tools = new Map(builtinTools().map(tool => [tool.name, tool]));

/** Streams an answer in pieces of `size` units. */
function readAnswer(entry: CorpusCase, size: number) {
  let count = 0;
  const reader = new AnswerText({ tools, history: historyOf(entry), ids: { next: prefix => `${prefix}_${++count}` } });
  let shown = '';
  for (let i = 0; i < entry.answer.length; i += size) shown += reader.push(entry.answer.slice(i, i + size));
  const answer: LlmAnswer = { message: { role: 'assistant', content: entry.answer }, reasoning: '', finishReason: 'stop' };
  const finished = reader.finish(answer);
  const calls = finished.answer.message.tool_calls?.map(call => [call.function.name, JSON.parse(call.function.arguments)]);
  return { calls, content: finished.answer.message.content, shown: shown + finished.rest, problem: finished.problem };
}

const SIZES = [1, 3, 7, 1_000_000];

describe.each([['the corpus', REAL_SHAPES, LOOK_ALIKES]])('[beaver.raw_calls] %s', (_name, shapes, alikes) => {
  it('has at least 60 real shapes and 60 look-alikes', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(60);
    expect(alikes.length).toBeGreaterThanOrEqual(60);
  });

  it.each(shapes.map(entry => [entry.name, entry] as const))('recovers %s', (_title, entry) => {
    for (const size of SIZES) {
      const { calls, content, shown } = readAnswer(entry, size);
      expect({ calls, content: content ?? '', shown }).toEqual({ calls: entry.calls, content: entry.text ?? '', shown: entry.text ?? '' });
    }
  });

  it.each(alikes.map(entry => [entry.name, entry] as const))('runs nothing: %s', (_title, entry) => {
    for (const size of SIZES) {
      const { calls, content, shown, problem } = readAnswer(entry, size);
      expect({ calls, content, shown }).toEqual({ calls: undefined, content: entry.answer, shown: entry.answer });
      expect(problem !== undefined).toBe(entry.isTold === true);
    }
  });
});
