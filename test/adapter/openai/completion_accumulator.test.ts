import fc from 'fast-check';
import { CompletionAccumulator } from '../../../src/adapter/openai/completion_accumulator';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../../../src/adapter/openai/model_limits';
import { AppError } from '../../../src/errors';
import { DIALECTS } from '../../../src/port/dialects';
import type { LlmAnswer } from '../../../src/port/llm';
import { callChunk, chunk, finish, textChunk } from '../../support/broken_model';

function accumulate(chunks: readonly unknown[], limits: Partial<ModelLimits> = {}): LlmAnswer & { shown: string } {
  let shown = '';
  let ids = 0;
  const accumulator = new CompletionAccumulator({
    sink: {
      onText: text => {
        shown += text;
      },
      onReasoning: () => {},
    },
    limits: { ...DEFAULT_MODEL_LIMITS, ...limits },
    server: 'models.test/v1',
    dialect: DIALECTS.tolerant,
    thoughtHabit: { loneEnds: 0 },
    endHabit: { done: 'unknown', writesEarlyEnds: false },
    createCallId: () => `call_fresh_${++ids}`,
    toError: error => new AppError('model_bad_response', { cause: error }),
  });
  for (const part of chunks) accumulator.add(part);
  return { ...accumulator.finish(), shown };
}

/** Returns the calls of an answer as `id name arguments`. */
const callsOf = (...fragments: unknown[]): string[] =>
  (accumulate([...fragments.map(fragment => callChunk(fragment)), finish('tool_calls')]).message.tool_calls ?? []).map(
    call => `${call.id} ${call.function.name} ${call.function.arguments}`,
  );

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return 'no error';
};

describe('tool calls assembled from a stream', () => {
  test('arguments come in fragments, several calls interleave', () => {
    expect(
      callsOf(
        { index: 0, id: 'a', type: 'function', function: { name: 'bash', arguments: '' } },
        { index: 0, function: { arguments: '{"command":' } },
        { index: 1, id: 'b', function: { name: 'todo', arguments: '{' } },
        { index: 0, function: { arguments: '"ls"}' } },
        { index: 1, function: { arguments: '}' } },
      ),
    ).toEqual(['a bash {"command":"ls"}', 'b todo {}']);
  });

  test('id and name come late', () => {
    expect(
      callsOf(
        { index: 0, function: { arguments: '{"a":' } },
        { index: 0, function: { arguments: '1}' } },
        { index: 0, id: 'a', function: { name: 'bash' } },
      ),
    ).toEqual(['a bash {"a":1}']);
  });

  test('id and name come in pieces', () => {
    expect(
      callsOf(
        { index: 0, id: 'ca' },
        { index: 0, id: 'll_1' },
        { index: 0, function: { name: 'read_' } },
        { index: 0, function: { name: 'file', arguments: '{}' } },
      ),
    ).toEqual(['call_1 read_file {}']);
  });

  test('id and name come again with every fragment', () => {
    const repeated = (args: string) => ({ index: 0, id: 'a', function: { name: 'bash', arguments: args } });
    expect(callsOf(repeated(''), repeated('{"a"'), repeated(':1}'))).toEqual(['a bash {"a":1}']);
    expect(
      callsOf({ index: 0, id: 'a', function: { name: 'bash', arguments: '{' } }, { index: 0, id: 'other', function: { arguments: '}' } }),
    ).toEqual(['a bash {}']);
  });

  test('several calls with index 0 stay separate', () => {
    const whole = (id: string | undefined, name: string, args = '{}') => ({ index: 0, id, function: { name, arguments: args } });
    expect(callsOf(whole('a', 'bash'), whole('b', 'todo'))).toEqual(['a bash {}', 'b todo {}']);
    expect(callsOf(whole('a', 'bash'), whole('b', 'bash'))).toEqual(['a bash {}', 'b bash {}']);
    expect(callsOf(whole(undefined, 'bash', '{"a":1}'), whole(undefined, 'bash', '{"a":2}'))).toEqual([
      'call_fresh_1 bash {"a":1}',
      'call_fresh_2 bash {"a":2}',
    ]);
  });

  test('fragments without an index belong to the call with their id, or to the last call', () => {
    expect(
      callsOf(
        { id: 'a', function: { name: 'bash', arguments: '{"a"' } },
        { function: { arguments: ':1}' } },
        { id: 'b', function: { name: 'todo', arguments: '' } },
        { id: 'b', function: { arguments: '{}' } },
      ),
    ).toEqual(['a bash {"a":1}', 'b todo {}']);
  });

  test('a missing, repeated or invalid id is replaced by a new one', () => {
    const call = (index: number, id?: string) => ({ index, id, function: { name: 'bash', arguments: '{}' } });
    expect(callsOf(call(0), call(1, 'a'), call(2, 'a'), call(3, 'functions.bash:3'))).toEqual([
      'call_fresh_1 bash {}',
      'a bash {}',
      'call_fresh_2 bash {}',
      'call_fresh_3 bash {}',
    ]);
  });

  test('a call without name and arguments goes to the runner when the server announces calls, and is padding otherwise', () => {
    expect(callsOf({ index: 0, id: 'a' })).toEqual(['a unnamed {}']);
    expect(callsOf({ index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } }, { index: 1 })).toEqual([
      'a bash {}',
      'call_fresh_1 unnamed {}',
    ]);
    const announced = accumulate([textChunk('I look.'), callChunk({ index: 0 }), finish('tool_calls')]);
    expect(announced).toMatchObject({ finishReason: 'tool_calls', message: { content: 'I look.', tool_calls: [{}] } });
    const padded = accumulate([textChunk('Done.'), callChunk({ index: 0, function: { name: '', arguments: '' } }), finish('stop')]);
    expect(padded).toMatchObject({ finishReason: 'stop', message: { role: 'assistant', content: 'Done.' } });
    expect(padded.message).not.toHaveProperty('tool_calls');
  });

  test('empty arguments become an empty object, malformed ones stay as the model wrote them', () => {
    expect(callsOf({ index: 0, id: 'a', function: { name: 'bash', arguments: '' } })).toEqual(['a bash {}']);
    expect(callsOf({ index: 0, id: 'a', function: { name: 'bash', arguments: '{"a' } })).toEqual(['a bash {"a']);
    expect(callsOf({ index: 0, id: 'a', function: { name: 'bash', arguments: { a: 1 } } })).toEqual(['a bash {"a":1}']);
  });

  test('accepts the old function_call format', () => {
    const { message, finishReason } = accumulate([
      chunk({ function_call: { name: 'bash', arguments: '{"a"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      finish('function_call'),
    ]);
    expect(finishReason).toBe('tool_calls');
    expect(message.tool_calls).toEqual([{ id: 'call_fresh_1', type: 'function', function: { name: 'bash', arguments: '{"a":1}' } }]);
  });

  test('gives a call without a name a name that no tool has, so that the model gets an error result', () => {
    expect(callsOf({ index: 0, id: 'a', function: { arguments: '{"n":1}' } })).toEqual(['a unnamed {"n":1}']);
  });

  test('treats an index that is not a number as missing, and refuses one over the limit', () => {
    const named = { name: 'bash', arguments: '{}' };
    expect(callsOf({ index: 'first', id: 'a', function: named })).toHaveLength(1);
    expect(callsOf({ index: 0.5, id: 'a', function: named })).toHaveLength(1);
    expect(codeOf(() => callsOf({ index: 128, id: 'a' }))).toBe('model_too_large');
  });
});

describe('how an answer ends', () => {
  const call = callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } });

  test('an answer with calls ends with tool_calls, whatever finish reason the server sends', () => {
    expect(accumulate([call, finish('stop')]).finishReason).toBe('tool_calls');
    expect(accumulate([textChunk('hi'), finish('tool_calls')]).finishReason).toBe('stop');
    expect(accumulate([textChunk('hi'), finish('eos')]).finishReason).toBe('stop');
    expect(accumulate([call, finish('eos')]).finishReason).toBe('tool_calls');
  });

  test.each(['length', 'content_filter'] as const)('an answer truncated by %s keeps its text and drops its calls', reason => {
    const { message, finishReason, shown } = accumulate([textChunk('I will '), call, finish(reason)]);
    expect({ finishReason, message, shown }).toEqual({
      finishReason: reason,
      message: { role: 'assistant', content: 'I will ' },
      shown: 'I will ',
    });
  });

  test('an answer that stops without a reason, or is empty, is refused', () => {
    expect(codeOf(() => accumulate([textChunk('half')]))).toBe('model_bad_response');
    expect(codeOf(() => accumulate([textChunk(''), finish('stop')]))).toBe('model_bad_response');
    expect(codeOf(() => accumulate([chunk({ reasoning: 'hm' }), finish('stop')]))).toBe('model_bad_response');
    expect(codeOf(() => accumulate([textChunk('half'), finish('error')]))).toBe('model_bad_response');
  });

  test('usage is taken from the last chunk that has it, with its details', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      completion_tokens_details: { reasoning_tokens: 3 },
      prompt_tokens_details: { cached_tokens: 8 },
    };
    const answer = accumulate([
      { ...textChunk('hi'), usage: { prompt_tokens: 1, completion_tokens: 1 } },
      finish('stop'),
      { choices: [], usage },
      { choices: [], usage: { prompt_tokens: 'many' } },
    ]);
    expect(answer.usage).toEqual({ inputTokens: 10, outputTokens: 5, reasoningTokens: 3, cachedTokens: 8 });
  });

  test('a part of the usage is never larger than the whole', () => {
    const usage = {
      ...{ prompt_tokens: 10, completion_tokens: 5 },
      ...{ completion_tokens_details: { reasoning_tokens: 300 }, prompt_tokens_details: { cached_tokens: 99 } },
    };
    expect(accumulate([textChunk('hi'), { ...finish('stop'), usage }]).usage).toEqual({
      inputTokens: 10,
      outputTokens: 305,
      reasoningTokens: 300,
      cachedTokens: 10,
    });
  });

  test('content in parts and refusals are text; further choices are ignored', () => {
    expect(accumulate([chunk({ content: [{ type: 'text', text: 'hi' }] }), finish('stop')]).shown).toBe('hi');
    expect(accumulate([chunk({ refusal: 'no' }), finish('stop')]).shown).toBe('no');
    expect(accumulate([textChunk('hi'), { choices: [{ index: 1, delta: { content: 'ho' } }] }, finish('stop')]).shown).toBe('hi');
  });

  test('any JSON ends in a valid answer or an error of the error table', () => {
    const anything = fc.jsonValue({ maxDepth: 4 });
    const maybe = (value: fc.Arbitrary<unknown>) => fc.option(fc.oneof({ weight: 5, arbitrary: value }, anything), { nil: undefined });
    const fragment = fc.record({
      index: maybe(fc.nat({ max: 3 })),
      id: maybe(fc.constantFrom('a', 'b', 'call_')),
      function: maybe(
        fc.record({ name: maybe(fc.constantFrom('bash', 'todo', '')), arguments: maybe(fc.constantFrom('', '{', '}', '{}')) }),
      ),
    });
    const delta = fc.record({
      content: maybe(fc.string()),
      tool_calls: maybe(fc.array(fragment)),
      function_call: maybe(anything),
      reasoning: maybe(anything),
    });
    const event = fc.record(
      {
        choices: maybe(
          fc.array(
            fc.record({
              index: maybe(fc.nat({ max: 1 })),
              delta: maybe(delta),
              finish_reason: maybe(fc.constantFrom('stop', 'length', 'x')),
            }),
          ),
        ),
        usage: maybe(anything),
        error: maybe(anything),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: event }, anything), { maxLength: 12 }), events => {
        try {
          const { message } = accumulate([...events, finish('stop')]);
          const ids = (message.tool_calls ?? []).map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
