import fc from 'fast-check';
import { SseReader } from '../../../src/adapter/openai/sse_reader';

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
