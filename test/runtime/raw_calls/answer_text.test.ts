import fc from 'fast-check';
import { builtinTools } from '../../../src/builtin_tools';
import type { LlmAnswer } from '../../../src/port/llm';
import { AnswerText } from '../../../src/runtime/raw_calls/answer_text';
import { findCalls } from '../../../src/runtime/raw_calls/find_calls';
import { judgeSpan } from '../../../src/runtime/raw_calls/judge_calls';
import { cpuTime } from '../../support/cpu_time';
import { DEFAULT_REQUEST } from './corpus_case';
import { REAL_SHAPES } from './real_shapes';

const tools = new Map(builtinTools().map(tool => [tool.name, tool]));
const findTool = (name: string) => tools.get(name);
const history = [{ role: 'user' as const, content: DEFAULT_REQUEST }];

const whole = (content: string): LlmAnswer => ({ message: { role: 'assistant', content }, reasoning: '', finishReason: 'stop' });

function createReader() {
  let count = 0;
  return new AnswerText({ findTool, history, ids: { next: prefix => `${prefix}_${++count}` } });
}

/** Streams the pieces; returns what was shown and what was recovered. */
function readPieces(pieces: readonly string[]) {
  const reader = createReader();
  const live = pieces.map(piece => reader.push(piece)).join('');
  const { answer, rest, problem } = reader.finish(whole(pieces.join('')));
  return { shown: live + rest, live, content: answer.message.content ?? '', calls: answer.message.tool_calls, problem };
}

/** Parts of answers: calls, halves of calls, marks of Markdown and of quotations, and text. */
const FRAGMENTS = [
  ...REAL_SHAPES.filter((_, i) => i % 3 === 0).map(({ answer }) => answer),
  ...REAL_SHAPES.filter((_, i) => i % 5 === 0).map(({ answer }) => answer.slice(0, answer.length / 2)),
  ...[
    '```',
    '```json\n',
    '~~~\n',
    '`',
    '"',
    '“',
    '”',
    '「',
    '> ',
    '    ',
    '\n',
    '\n\n',
    ' ',
    '<think>',
    '</think>',
    '<pre>',
    '</pre>',
    '{',
    '[',
  ],
  ...[
    '<tool_call>',
    '</tool_call>',
    '[TOOL_CALLS]',
    'Action: ',
    'Action Input: {}',
    'A',
    '<',
    'words and words',
    '两个词',
    '{"name": "bash"',
  ],
];
const anyAnswer = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map(parts => parts.join(''));
const anyCuts = fc.array(fc.nat({ max: 2_000 }), { maxLength: 30 });

function cutAt(text: string, cuts: readonly number[]): string[] {
  const sorted = [...new Set(cuts.map(cut => Math.min(cut, text.length)))].sort((a, b) => a - b);
  return [...sorted, text.length].map((cut, i) => text.slice(i === 0 ? 0 : sorted[i - 1], cut));
}

describe('AnswerText', () => {
  it('shows the same text and recovers the same calls however the answer is cut into pieces', () => {
    fc.assert(
      fc.property(anyAnswer, anyCuts, (text, cuts) => {
        const { live: _live, ...expected } = readPieces([text]);
        const { live: _other, ...found } = readPieces(cutAt(text, cuts));
        expect(found).toEqual(expected);
        const { live: _each, ...single } = readPieces([...text]);
        expect(single).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  it('shows everything but the recovered calls, once, and stores what it showed', () => {
    fc.assert(
      fc.property(anyAnswer, anyCuts, (text, cuts) => {
        const { shown, content, calls } = readPieces(cutAt(text, cuts));
        expect(content).toBe(shown);
        if (!calls) return expect(shown).toBe(text);
        const isKnown = (name: string) => tools.has(name.replace(/^functions\./, '').replace(/:\d+$/, ''));
        const spans = findCalls(text, isKnown).filter(span => {
          const verdict = judgeSpan(text, span, { findTool, history });
          return verdict !== 'ordinary' && 'calls' in verdict;
        });
        let rest = text;
        for (const { start, end } of spans.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
        expect(shown).toBe(rest.trim() === '' ? '' : rest);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each(REAL_SHAPES.map(({ name, answer, text = '' }) => [name, answer, text]))(
    'shows no part of the call while it streams: %s',
    (_name, answer, text) => {
      const { live } = readPieces([...answer]);
      // Text behind a call waits for the end of the answer.
      expect(text.startsWith(live) || live.trim() === '').toBe(true);
    },
  );

  it.each([
    ['text', 'Hello, here are [links](a.md), a < b, {braces} and `code`.'],
    ['code', 'Here:\n```ts\nconst a = { b: [1] };\n```\nand more text.'],
    ['JSON', '{"title": "Alice", "age": 3}, that is all'],
    ['JSON with a name', 'Result:\n```json\n{"name": "Alice", "age": 3}\n```\n'],
    ['a marker in inline code', 'Use `<tool_call>{"name": "bash"}` to call.'],
    ['a marker in a code block', '```\n<tool_call>{"name": "bash", "arguments": {}}</tool_call>\n```\nmore'],
  ])('holds back no more than the start of a line of %s', (_name, answer) => {
    const reader = createReader();
    let shown = 0;
    for (const character of answer) {
      shown += reader.push(character).length;
      expect(answer.indexOf(character)).toBeGreaterThanOrEqual(0);
    }
    expect(answer.length - shown).toBeLessThanOrEqual(4);
    expect(reader.finish(whole(answer)).rest.length).toBe(answer.length - shown);
  });

  it('shows a code block that looks like a call as soon as other text follows it', () => {
    const reader = createReader();
    const block = '```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```\n';
    expect(reader.push(`See:\n${block}`)).toBe('See:\n');
    expect(reader.push('is what')).toBe(`${block}is what`);
    expect(reader.push(' the log says')).toBe(' the log says');
  });

  it.each(['length', 'content_filter'] as const)('recovers no call of an answer that %s cut, and shows all of it', finishReason => {
    const text = 'I look.\n<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>';
    const reader = createReader();
    const live = reader.push(text);
    expect(reader.finish({ ...whole(text), finishReason })).toEqual({
      answer: { ...whole(text), finishReason },
      rest: text.slice(live.length),
    });
  });

  it('recovers no call of an answer that has a call of its own', () => {
    const text = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>';
    const native = { id: 'a', type: 'function' as const, function: { name: 'list_dir', arguments: '{}' } };
    const answer: LlmAnswer = {
      ...whole(text),
      message: { role: 'assistant', content: text, tool_calls: [native] },
      finishReason: 'tool_calls',
    };
    const reader = createReader();
    const live = reader.push(text);
    expect(live + reader.finish(answer).rest).toBe(text);
    expect(reader.finish(answer).answer).toBe(answer);
  });

  it('recovers at most 32 calls; with more it recovers none and says so', () => {
    const call = '<tool_call>{"name": "list_dir", "arguments": {}}</tool_call>\n';
    expect(readPieces([call.repeat(32)]).calls).toHaveLength(32);
    expect(readPieces([call.repeat(33)])).toMatchObject({ calls: undefined, problem: { kind: 'too_much' }, shown: call.repeat(33) });
  });

  it('gives back held text of an answer that broke off, but no part of a call', () => {
    const ordinary = createReader();
    expect([ordinary.push('a '), ordinary.push('<tool'), ordinary.release()]).toEqual(['a ', '', '<tool']);
    const begun = createReader();
    expect([begun.push('a '), begun.push('<tool_call>{"name"'), begun.release()]).toEqual(['a ', '', '']);
  });

  it('reads hostile answers in time that grows with their length alone', () => {
    const MARKS = [
      '<tool_call>{"',
      '<function=a>{',
      '[TOOL_CALLS][{"a":"',
      '`'.repeat(3),
      '{"name":"bash","arguments":{"command":"',
      '<',
      '[[',
      '" "',
      '<tool_call>\n',
      '✿FUNCTION✿:',
    ];
    for (const mark of MARKS) {
      const text = mark.repeat(Math.ceil(1_000_000 / mark.length));
      const startedAt = cpuTime();
      const pieces = text.match(/[\s\S]{1,50}/g) ?? [];
      expect(readPieces(pieces).shown).toBe(text);
      expect(cpuTime() - startedAt).toBeLessThan(4_000);
    }
  });
});
