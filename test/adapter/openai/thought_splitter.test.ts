/** Thoughts that a server leaves in the text are reasoning, and tags that an answer only talks about stay text. */
import fc from 'fast-check';
import { CompletionAccumulator } from '../../../src/adapter/openai/completion_accumulator';
import { DEFAULT_MODEL_LIMITS } from '../../../src/adapter/openai/model_limits';
import type { ThoughtHabit } from '../../../src/adapter/openai/thought_splitter';
import { AppError } from '../../../src/errors';
import { DIALECTS, type Dialect } from '../../../src/port/dialects';
import { callChunk, finish, textChunk } from '../../support/broken_model';

interface Options {
  habit?: ThoughtHabit;
  dialect?: Dialect;
  /** Chunks behind the text. */
  more?: unknown[];
}

function read(pieces: readonly string[], { habit = { loneEnds: 0 }, dialect = DIALECTS.tolerant, more = [finish('stop')] }: Options = {}) {
  const shown = { text: '', thoughts: '' };
  const accumulator = new CompletionAccumulator({
    sink: {
      onText: text => {
        shown.text += text;
      },
      onReasoning: text => {
        shown.thoughts += text;
      },
    },
    limits: DEFAULT_MODEL_LIMITS,
    server: 'models.test/v1',
    dialect,
    thoughtHabit: habit,
    endHabit: { done: 'unknown', writesEarlyEnds: false },
    createCallId: () => 'call_1',
    toError: error => new AppError('model_bad_response', { cause: error }),
  });
  for (const piece of pieces) {
    accumulator.add(textChunk(piece));
    accumulator.flush();
  }
  for (const chunk of more) accumulator.add(chunk);
  const { message, reasoning, shownBefore = 0 } = accumulator.finish();
  return { text: message.content, reasoning, shown, shownBefore, serverData: message.serverData };
}

/** Texts about tags. */
const TALKS = [
  'Close it with </think>\n\nThen answer.',
  'The end tag is: </think>\n\nIt stands alone.',
  'The template appends:\n</think>\nto the prompt.',
  'An example:\n\n    thoughts\n    </think>\n\nSo it goes.',
  '- first:\n    ```\n    </think>\n    ```\n- second',
  '> ```\n> a\n> </think>\n> ```\n\nQuoted.',
  '<pre>\nx\n</think>\n</pre>\n\nAs HTML.',
  'R1 writes thoughts</think> and then the answer.',
  'Use "</think>"\n\nor nothing.',
  '模板以 </think> 结尾。',
  'First `</think>` in code.\n</think>\n\nThen alone.',
];

it.each<[string, string, string]>([
  ['<think>secret</think>Hello!', 'Hello!', 'secret'],
  ['\n <THINK>\nsecret\n</THINK >\n\nHello!', 'Hello!', '\nsecret\n'],
  ['<thinking>a < b, </thin, <b></b></thinking>\nHello!', 'Hello!', 'a < b, </thin, <b></b>'],
  ['<reasoning >secret</reasoning><think>more</think>Hello!', 'Hello!', 'secretmore'],
  ['<thought>one</think> two</thought>Hello!', 'Hello!', 'one</think> two'],
  ['<think></think>\n\nHello!', 'Hello!', ''],
  ['<thinking type="deep">secret</thinking>Hello!', 'Hello!', 'secret'],
  ['<think time=3\n>secret</think>Hello!', 'Hello!', 'secret'],
  ['<think about> it', '<think about> it', ''],
  // Text, whatever tags it holds.
  ['Hello!', 'Hello!', ''],
  ['  \n- a list', '  \n- a list', ''],
  ['<thinker>no</thinker>', '<thinker>no</thinker>', ''],
  ['<b>bold</b>', '<b>bold</b>', ''],
  ['< think about it', '< think about it', ''],
  ['Use <think>x</think> for thoughts.', 'Use <think>x</think> for thoughts.', ''],
  ['Use\n<think>x</think>\nfor thoughts.', 'Use\n<think>x</think>\nfor thoughts.', ''],
  ['```xml\n<think>x</think>\n```', '```xml\n<think>x</think>\n```', ''],
  ['`<think>` opens, `</think>` closes.', '`<think>` opens, `</think>` closes.', ''],
  ['The tag </think>, alone.', 'The tag </think>, alone.', ''],
  ['Close it with </think> at the end.', 'Close it with </think> at the end.', ''],
  ['The end:\n```\n</think>\n```\nSo.', 'The end:\n```\n</think>\n```\nSo.', ''],
  ['Write `\n</think>` or </think> now', 'Write `\n</think>` or </think> now', ''],
  ...TALKS.map((talk): [string, string, string] => [talk, talk, '']),
  // An open thought alone is all that the model said.
  ['<think>Hello!', 'Hello!', 'Hello!'],
  ['<thi', '<thi', ''],
])('reads %j, however it is cut', (answer, text, reasoning) => {
  const cuts = fc.array(fc.integer({ min: 0, max: answer.length }), { maxLength: 8 });
  const check = (places: number[]) => {
    const at = [0, ...places.sort((a, b) => a - b), answer.length];
    const found = read(at.slice(1).map((end, i) => answer.slice(at[i], end)));
    expect(found).toMatchObject({ text, reasoning, shown: { text, thoughts: reasoning } });
  };
  for (let place = 0; place <= answer.length; place++) check([place]);
  const property = fc.property(cuts, check);
  fc.assert(property, { numRuns: 50 });
});

describe('an end tag alone', () => {
  it.each(['secret.\n</think>\n\nHello!', 'secret</think>Hello!', 'Secret。</think>Hello!', 'a `tag` in it.\n</thinking>\nHello!'])(
    'ends thoughts that the prompt opened: %j',
    answer => {
      expect(read([answer])).toMatchObject({ text: 'Hello!', shown: { text: 'Hello!' }, shownBefore: 0 });
    },
  );

  const pieces = ['sec', 'ret.\n</thi', 'nk>\n\nHel', 'lo!'];
  const whole = pieces.join('');

  it('makes the text before it thoughts when the answer has ended', () => {
    expect(read(pieces)).toMatchObject({
      text: 'Hello!',
      reasoning: 'secret.\n',
      shown: { text: whole, thoughts: '' },
      shownBefore: 'secret.\n</think>\n\n'.length,
    });
  });

  it('lets the next answers be shown as thoughts from their start when two in a row had one, until an answer has none', () => {
    const habit = { loneEnds: 0 };
    for (let i = 0; i < 2; i++) expect(read(pieces, { habit }).shown.text).toBe(whole);
    expect(read(pieces, { habit })).toMatchObject({ text: 'Hello!', shown: { text: 'Hello!', thoughts: 'secret.\n' }, shownBefore: 0 });
    // An answer without thoughts is shown at its end.
    expect(read(['Hel', 'lo!'], { habit })).toMatchObject({ text: 'Hello!', shown: { text: 'Hello!' } });
    expect(habit.loneEnds).toBe(0);
    expect(read(pieces, { habit }).shown.text).toBe(whole);
  });

  it('splits no answer differently because of the answers before', () => {
    const call = callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } });
    const texts = [...TALKS, whole, 'secret</think>Hello!', 'no tag', 'secret. </think>\nHello!', 'only thoughts.\n</think>\n'];
    const ends = [[finish('stop')], [finish('length')], [call, finish('tool_calls')], [call, textChunk(' more'), finish('tool_calls')]];
    const places = fc.array(fc.nat({ max: 80 }), { maxLength: 6 });
    const property = fc.property(fc.constantFrom(...texts), fc.constantFrom(...ends), places, (text, more, found) => {
      const at = [0, ...found.map(place => place % (text.length + 1)).sort((a, b) => a - b), text.length];
      const cut = at.slice(1).map((end, i) => text.slice(at[i], end));
      const known = read([text], { more });
      const habitual = read(cut, { more, habit: { loneEnds: 2 } });
      expect(habitual.text).toBe(known.text);
      expect(read(cut, { more }).text).toBe(known.text);
      // The page shows the text that is stored.
      expect((habitual.shown.text || null)?.slice(habitual.shownBefore) || null).toBe(known.text || null);
    });
    fc.assert(property, { numRuns: 400 });
  });
});

it('reads thoughts after a call, and thoughts that are parts of the content', () => {
  const call = callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } });
  const more = [call, textChunk('<think>later</think>done'), finish('tool_calls')];
  expect(read(['first '], { more })).toMatchObject({ text: 'first done', reasoning: 'later' });
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'secret' }] },
    { type: 'text', text: 'Hello!' },
  ];
  expect(read([], { more: [{ choices: [{ delta: { content: parts } }] }, finish('stop')] })).toMatchObject({
    text: 'Hello!',
    reasoning: 'secret',
  });
});

it('keeps the thoughts of a dialect that wants them back, beside the text', () => {
  const { text, serverData } = read(['<think>secret</think>\n\nHello!'], { dialect: DIALECTS.minimax });
  expect([text, serverData]).toEqual(['Hello!', { server: 'models.test/v1', textBefore: '<think>secret</think>\n\n' }]);
  expect(read(['<think>secret</think>Hello!']).serverData).toBeUndefined();
});
