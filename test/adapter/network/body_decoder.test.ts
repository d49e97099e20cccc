import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { codingsOf, createBodyDecoder } from '../../../src/adapter/network/body_decoder';

const TEXT = 'data: {"choices":[{"delta":{"content":"你好"}}]}\n\n';

function decode(bytes: Buffer, codings: string[], pieceLength = bytes.length): Promise<string> {
  const pieces: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const decoder = createBodyDecoder(codings, {
      onPiece: piece => pieces.push(Buffer.from(piece)),
      onDrain: () => {},
      onEnd: () => resolve(Buffer.concat(pieces).toString()),
      onError: reject,
    });
    for (let at = 0; at < bytes.length; at += pieceLength) decoder.push(bytes.subarray(at, at + pieceLength));
    decoder.end();
  });
}

const WAYS: [string, Buffer][] = [
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['gzip', Buffer.from(TEXT)],
  ['zstd', Buffer.from(TEXT)],
  ['gzip', Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
];

test.each(WAYS)('reads a body of the coding %s, whole and byte by byte', async (coding, bytes) => {
  expect(await decode(bytes, [coding])).toBe(TEXT);
  expect(await decode(bytes, [coding], 1)).toBe(TEXT);
});

test('undoes several codings in turn', async () => {
  expect(await decode(brotliCompressSync(gzipSync(TEXT)), ['gzip', 'br'])).toBe(TEXT);
});

test('keeps what came of a body that was cut off', async () => {
  const bytes = gzipSync(TEXT.repeat(500));
  expect(TEXT.repeat(500).startsWith(await decode(bytes.subarray(0, bytes.length - 20), ['gzip']))).toBe(true);
});

test.each([
  ['gzip', () => createGzip(), constants.Z_SYNC_FLUSH],
  ['br', () => createBrotliCompress(), constants.BROTLI_OPERATION_FLUSH],
  ['zstd', () => createZstdCompress(), constants.ZSTD_e_flush],
] as const)('hands over each event of the coding %s before the next one arrives', async (coding, compress, flush) => {
  const packer = compress();
  let arrived: (text: string) => void = () => {};
  const decoder = createBodyDecoder([coding], {
    onPiece: piece => arrived(piece.toString()),
    onDrain: () => {},
    onEnd: () => {},
    onError: error => arrived(String(error)),
  });
  packer.on('data', piece => decoder.push(piece));
  for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
    const text = new Promise<string>(resolve => {
      arrived = resolve;
    });
    packer.write(event);
    packer.flush(flush);
    expect(await text).toBe(event);
  }
  packer.destroy();
  decoder.destroy();
});

test('refuses damaged bodies and codings that nobody knows', async () => {
  await expect(decode(Buffer.concat([gzipSync(TEXT).subarray(0, 20), Buffer.alloc(40, 7)]), ['gzip'])).rejects.toThrow();
  expect(() => createBodyDecoder(['compress'], {} as never)).toThrow('compressed as "compress"');
  expect(() => createBodyDecoder(['gzip', 'gzip', 'gzip', 'gzip'], {} as never)).toThrow('compressed as');
});

test('reads the names of codings as careless servers write them', () => {
  expect(codingsOf('GZIP ', 'chunked')).toEqual(['gzip']);
  expect(codingsOf(undefined, 'gzip, chunked')).toEqual(['gzip']);
  expect(codingsOf('identity', 'identity')).toEqual([]);
  expect(codingsOf('', undefined)).toEqual([]);
});
