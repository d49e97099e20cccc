import fc from 'fast-check';
import { HttpResponseParser, type ResponseHead } from '../../../src/adapter/openai/http_response_parser';

const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Reads the bytes in pieces that end at `cuts`. */
function read(text: string, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text, 'latin1');
  const heads: ResponseHead[] = [];
  let body = '';
  const parser = new HttpResponseParser({
    onHead: head => heads.push(head),
    onBody: piece => {
      body += piece.toString('latin1');
    },
  });
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i += 1) parser.push(bytes.subarray(places[i - 1], places[i]));
  const [head] = heads;
  return {
    status: head?.status,
    headers: { ...head?.headers },
    heads: heads.length,
    body,
    isComplete: parser.isComplete,
    keeps: parser.keepsConnection,
  };
}

const CHUNKED =
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: 1\r\nx-a: 2\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '5\r\nHello\r\n1;name="v"\r\n,\r\n6 \r\n World\r\n0\r\nX-Sum: 1\r\n\r\n';

describe('a whole response', () => {
  test('with chunks gives its status, its headers and its body', () => {
    expect(read(CHUNKED)).toEqual({
      status: 200,
      headers: { 'content-type': 'text/plain', 'x-a': '1, 2', 'transfer-encoding': 'chunked' },
      heads: 1,
      body: 'Hello, World',
      isComplete: true,
      keeps: true,
    });
  });

  test('with a length ends there', () => {
    expect(read('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone')).toMatchObject({ status: 404, body: 'gone', isComplete: true });
    expect(read('HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n')).toMatchObject({ status: 200, body: '', isComplete: true, keeps: true });
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ status: 204, isComplete: true, keeps: true });
  });

  test('without a length ends with the connection', () => {
    const parser = new HttpResponseParser({ onHead: () => {}, onBody: () => {} });
    parser.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nsome'));
    expect([parser.isComplete, parser.endInput(), parser.keepsConnection]).toEqual([false, true, false]);
  });

  test('may come behind interim responses, and end its lines with LF alone', () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
    expect(read(`${interim}HTTP/1.1 200 OK\nContent-Length: 2\n\nok`)).toMatchObject({
      headers: { 'content-length': '2' },
      heads: 1,
      body: 'ok',
    });
  });

  test.each([
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 with keep-alive', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', true],
    ['bytes behind its end', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n', false],
    ['Connection: keep-alive, close', 'HTTP/1.1 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n', false],
    ['Connection: closed-captions', 'HTTP/1.1 200 OK\r\nConnection: closed-captions\r\nContent-Length: 0\r\n\r\n', true],
    ['HTTP/1.0 with chunks', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', false],
    ['two ways to end', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', false],
    ['an empty line before it', `\r\n${HEAD}Content-Length: 0\r\n\r\n`, false],
    ['chunked twice', `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, false],
    ['a padded chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0000000000000001\r\na\r\n0\r\n\r\n`, true],
  ])('with %s tells whether another one may follow', (_, text, keeps) => {
    expect(read(text)).toMatchObject({ isComplete: true, keeps });
  });
});

test('a response means the same however its bytes are cut', () => {
  const whole = read(CHUNKED);
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: CHUNKED.length })), cuts => expect(read(CHUNKED, cuts)).toEqual(whole)));
});

test('the chunks of a body may have any size', () => {
  const chunks = fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 5_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(chunks, fc.boolean(), fc.array(fc.nat(40_000)), (parts, isUpper, places) => {
      const size = (part: string) => (isUpper ? part.length.toString(16).toUpperCase() : part.length.toString(16));
      const text = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${parts.map(part => `${size(part)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
      const cuts = places.filter(place => place < text.length);
      expect(read(text, cuts)).toMatchObject({ body: parts.join(''), isComplete: true, keeps: true });
    }),
  );
});

test('bytes behind a head mean the same however they are cut', () => {
  const bytes = fc.string({ unit: fc.constantFrom('0', '1', 'a', '\r', '\n', ';', ' ', ':'), maxLength: 40 });
  const meaning = (text: string, cuts: readonly number[]) => {
    try {
      return read(text, cuts);
    } catch (thrown) {
      return String(thrown);
    }
  };
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(100)), (tail, places) => {
      const text = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${tail}`;
      const cuts = places.filter(place => place < text.length);
      expect(meaning(text, cuts)).toEqual(meaning(text, []));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['that is refused', `X:${' '.repeat(16_000)}\rb`, false],
  ['with a value of spaces inside', `X: a${' '.repeat(16_000)}b\r\n`, true],
])('reads a long header %s within half a second', (_, line, isValid) => {
  const started = performance.now();
  const reading = () => read(`${HEAD}${line}\r\n`);
  if (isValid) expect(reading).not.toThrow();
  else expect(reading).toThrow('not valid HTTP');
  expect(performance.now() - started).toBeLessThan(500);
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['HTTP/2', 'HTTP/2 200\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n'],
  ['a folded header', `${HEAD}X: 1\r\n more\r\n\r\n`],
  ['a header without a colon', `${HEAD}nonsense\r\n\r\n`],
  ['a space before the colon', `${HEAD}Content-Length : 4\r\n\r\n`],
  ['two lengths', `${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\n`],
  ['a negative length', `${HEAD}Content-Length: -4\r\n\r\n`],
  ['a length behind a form feed', `${HEAD}Content-Length:\f2\r\n\r\n`],
  ['a length behind a no-break space', `${HEAD}Content-Length:\xa02\r\n\r\n`],
  ['chunked behind a vertical tab', `${HEAD}Transfer-Encoding: \x0bchunked\r\n\r\n`],
  ['interim responses without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
  ['an unknown coding', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n`],
  ['a negative chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-5\r\n`],
  ['a chunk of an impossible size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n`],
  ['a chunk that is longer than it says', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nlonger\r\n`],
  ['a head without end', `${HEAD}${'X: 1\r\n'.repeat(3_000)}`],
  ['a line without end', `${HEAD}X: ${'x'.repeat(17 * 1024)}`],
  ['a chunk size without end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(17 * 1024)}`],
  ['trailers without end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n${'X: 1\r\n'.repeat(3_000)}`],
])('refuses %s', (_, text) => {
  expect(() => read(text)).toThrow('not valid HTTP');
});
