import fc from 'fast-check';
import { SseReader, TextEventForm } from '../../../src/adapter/openai/sse_reader';

function read(pieces: readonly Buffer[], maxEventLength = 1000): string[] {
  const events: string[] = [];
  const reader = new SseReader({ onData: data => events.push(data) }, maxEventLength);
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return events;
}

const readText = (text: string) => read([Buffer.from(text)]);

/** Splits the bytes of a text at these places. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const sorted = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, i) => bytes.subarray(start, sorted[i] ?? bytes.length));
}

describe('SseReader', () => {
  test('delivers one call per event and joins several data lines with a line feed', () => {
    expect(readText('data: a\n\ndata: b\ndata: c\n\n')).toEqual(['a', 'b\nc']);
  });

  test('accepts LF, CRLF and CR as line ends, also mixed', () => {
    expect(readText('data: a\r\n\r\ndata: b\r\rdata: c\n\n')).toEqual(['a', 'b', 'c']);
  });

  test('skips comments, other fields and a byte order mark, and removes one space after the colon only', () => {
    expect(
      readText('\uFEFF: hello\nevent: message\nid: 1\nretry: 10\ndatabase: no\ndata:  two spaces\n\n:\n\ndata:none\n\ndata\n\n'),
    ).toEqual([' two spaces', 'none', '']);
  });

  test('delivers a last event without its closing empty line', () => {
    expect(readText('data: a\n\ndata: b')).toEqual(['a', 'b']);
    expect(readText('data: a\r')).toEqual(['a']);
  });

  test('delivers the same events however the bytes are split, inside lines, line ends and characters', () => {
    const line = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('data: 漢字🙂é', 'data: x', 'data:', ': comment', 'event: e', ''));
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 40 }), (lines, places) => {
        const text = lines.map(([content, end]) => content + end).join('');
        expect(read(cut(text, places), 10_000)).toEqual(read([Buffer.from(text)], 10_000));
      }),
    );
  });

  test('refuses a line and an event that are too long', () => {
    expect(() => read([Buffer.from(`data: ${'x'.repeat(600)}`), Buffer.from('x'.repeat(600))])).toThrow('over the limits');
    expect(() => readText(`data: ${'x'.repeat(900)}\n`.repeat(2))).toThrow('over the limits');
  });
});

type Chunk = { choices: [{ delta: { content: string } }] };

/** Characters that mean something in JSON, and some that do not. */
const raw = fc.string({ unit: fc.constantFrom(...'"\\{}[]:,content \n\u0000\u2028a1你'), maxLength: 12 });
const other = fc.dictionary(fc.oneof(fc.constantFrom('content', 'delta', '__proto__'), raw), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
/** The JSON before and after the text of an event. */
const around = fc
  .tuple(other, other, other, fc.constantFrom(undefined, 1, ' '))
  .map(([head, inChoice, inDelta, indent]) =>
    JSON.stringify({ ...head, choices: [{ ...inChoice, index: 0, delta: { ...inDelta, content: '<text>' } }], usage: null }, null, indent),
  )
  .map(event => event.split('<text>') as [string, string]);

const withText = (event: string, content: string): unknown => {
  const chunk = JSON.parse(event) as Chunk;
  chunk.choices[0].delta.content = content;
  return chunk;
};

function insertAt(event: string, place: number, inserted: string): string {
  const index = place % event.length;
  return event.slice(0, index) + inserted + event.slice(index);
}

test('reads exactly what JSON.parse would, or nothing, whatever comes where the text stood', () => {
  let hits = 0;
  const property = fc.property(around, fc.string(), raw, fc.option(fc.nat(), { freq: 1 }), ([before, after], text, inserted, place) => {
    const first = `${before}${JSON.stringify(text).slice(1, -1)}${after}`;
    const form = new TextEventForm();
    form.learn(first, JSON.parse(first));
    const next = place === null ? `${before}${inserted}${after}` : insertAt(first, place, inserted);
    const read = form.readText(next);
    if (read === undefined) return;
    hits += 1;
    expect(JSON.parse(next)).toEqual(withText(first, read));
  });
  fc.assert(property, { numRuns: 3_000 });
  expect(hits).toBeGreaterThan(100);
});

test('reads from a piece of a stream exactly what its events add, or nothing', () => {
  let hits = 0;
  const rest = fc.array(fc.oneof({ weight: 12, arbitrary: fc.constantFrom('', ' a', '你', ':{') }, raw), { maxLength: 4 });
  const property = fc.property(around, rest, raw, fc.option(fc.nat(), { freq: 1 }), ([before, after], texts, inserted, place) => {
    const first = `${before}x${after}`;
    const form = new TextEventForm();
    form.learn(first, JSON.parse(first));
    const piece = texts.map(text => `data: ${before}${text}${after}\n\n`).join('');
    const changed = place === null || piece === '' ? piece : insertAt(piece, place, inserted);
    const read = form.readTexts(changed);
    if (read === undefined) return;
    hits += 1;
    const events: string[] = [];
    const reader = new SseReader({ onData: data => events.push(data) }, 10_000);
    reader.push(Buffer.from(changed));
    const contents = events.map(event => (JSON.parse(event) as Chunk).choices[0].delta.content);
    expect(contents.join('')).toBe(read);
    expect(events.map(event => JSON.parse(event))).toEqual(contents.map(content => withText(first, content)));
    // Nothing is left behind the last event.
    reader.end();
    expect(events).toHaveLength(contents.length);
  });
  fc.assert(property, { numRuns: 3_000 });
  expect(hits).toBeGreaterThan(50);
});

test('takes the quote that opens a text for no end of it', () => {
  const form = new TextEventForm();
  const first = '{"choices":[{"delta":{"content":"a"}}]}';
  form.learn(first, JSON.parse(first));
  const whole = `data: ${first}\n\n`;
  const broken = 'data: {"choices":[{"delta":{"content":"}}]}\n\n';
  expect([form.readTexts(whole + whole), form.readTexts(whole + broken), form.readTexts(broken)]).toEqual(['aa', undefined, undefined]);
});

test.each([
  ['a finish reason', { index: 0, delta: { content: 'a' }, finish_reason: 'stop' }],
  ['reasoning', { index: 0, delta: { content: 'a', reasoning: 'b' } }],
  ['a call', { index: 0, delta: { content: 'a', tool_calls: [{}] } }],
])('does not learn an event that also brings %s', (_, choice) => {
  const form = new TextEventForm();
  const first = JSON.stringify({ choices: [choice] });
  form.learn(first, JSON.parse(first));
  expect(form.readText(first)).toBeUndefined();
});

test('gives up a stream whose events never have the form of an earlier one', () => {
  const form = new TextEventForm();
  const toEvent = (id: number) => JSON.stringify({ id, choices: [{ index: 0, delta: { content: 'a' } }] });
  for (let i = 0; i < 20; i++) {
    expect(form.readText(toEvent(i))).toBeUndefined();
    form.learn(toEvent(i), JSON.parse(toEvent(i)));
  }
  expect(form.readText(toEvent(19))).toBeUndefined();
});
