/** Counts what is recovered and what runs by mistake, in the corpus of raw tool calls. */
import { isDeepStrictEqual } from 'node:util';
import { builtinTools } from '../../../src/builtin_tools';
import type { LlmAnswer } from '../../../src/port/llm';
import { AnswerText } from '../../../src/runtime/raw_calls/answer_text';
import { type CorpusCase, historyOf } from './corpus_case';
import { HELD_OUT_LOOK_ALIKES, HELD_OUT_SHAPES } from './held_out';
import { LOOK_ALIKES } from './look_alikes';
import { REAL_SHAPES } from './real_shapes';

const tools = new Map(builtinTools().map(tool => [tool.name, tool]));

/** Streams an answer in pieces of `size` units. */
function readAnswer(entry: CorpusCase, size: number) {
  let count = 0;
  const reader = new AnswerText({
    findTool: name => tools.get(name),
    history: historyOf(entry),
    ids: { next: prefix => `${prefix}_${++count}` },
  });
  let shown = '';
  for (let i = 0; i < entry.answer.length; i += size) shown += reader.push(entry.answer.slice(i, i + size));
  const answer: LlmAnswer = { message: { role: 'assistant', content: entry.answer }, reasoning: '', finishReason: 'stop' };
  const finished = reader.finish(answer);
  const calls = finished.answer.message.tool_calls?.map(call => [call.function.name, JSON.parse(call.function.arguments)]);
  return { calls, content: finished.answer.message.content, shown: shown + finished.rest, problem: finished.problem };
}

const SIZES = [1, 3, 7, 1_000_000];

describe.each([
  ['the corpus', REAL_SHAPES, LOOK_ALIKES],
  ['the held-out part', HELD_OUT_SHAPES, HELD_OUT_LOOK_ALIKES],
])('[beaver.raw_calls] %s', (name, shapes, alikes) => {
  it('recovers at least 95 % of the real shapes and runs none of the look-alikes', () => {
    const recovered = shapes.filter(entry => isDeepStrictEqual(readAnswer(entry, 5).calls, entry.calls)).length;
    const wrong = alikes.filter(entry => readAnswer(entry, 5).calls !== undefined).length;
    process.stdout.write(`${name}: ${recovered} of ${shapes.length} real shapes recovered, ${wrong} of ${alikes.length} look-alikes run\n`);
    expect(recovered / shapes.length).toBeGreaterThanOrEqual(0.95);
    expect(wrong).toBe(0);
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

it('[beaver.raw_calls] the corpus has at least 60 real shapes and 60 look-alikes', () => {
  expect(REAL_SHAPES.length).toBeGreaterThanOrEqual(60);
  expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(60);
});
