/** Reads and decompresses the body of a response, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebError } from '../../port/web';

/** Reads at most `maxBytes` and leaves the rest unread. Rejects with WebError for an unknown content encoding. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<{ bytes: Uint8Array; clipped: boolean }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of unpacked(incoming, maxBytes) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop destroys the stream and its connection.
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), clipped: size > maxBytes };
}

function unpacked(incoming: IncomingMessage, maxBytes: number): Readable {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  const decoder = createDecoder(encoding);
  // An error of any stream rejects the reader of the last one.
  return pipeline(
    incoming,
    source => limitPacked(source, maxBytes),
    decoder,
    () => {},
  ) as unknown as Readable;
}

function createDecoder(encoding: string) {
  // Keeps the part of a page that came before it was cut off.
  const cut = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(cut);
    case 'deflate':
      return createInflate(cut);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new WebError('unreadable', 'The page is packed in a way that was not asked for.', '页面用了未请求的压缩方式。');
  }
}

/** Limits the compressed bytes too, because some decompress to nothing. */
async function* limitPacked(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > maxBytes)
      throw new WebError('unreadable', 'The page is larger packed than it may be unpacked.', '页面压缩后仍超过允许的大小。');
    yield piece;
  }
}
