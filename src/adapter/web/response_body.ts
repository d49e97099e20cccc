/** The decoded body of a response, however it was packed, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebError } from '../../port/web';

/** Reads at most `maxBytes` and leaves the rest unread. Rejects WebError for a packing that is not understood. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<{ bytes: Uint8Array; clipped: boolean }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of unpacked(incoming, maxBytes) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), clipped: size > maxBytes };
}

function unpacked(incoming: IncomingMessage, maxBytes: number): Readable {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  const decoder = createDecoder(encoding);
  // The reader of the last stream is told of every failure.
  return pipeline(
    incoming,
    source => limitPacked(source, maxBytes),
    decoder,
    () => {},
  ) as unknown as Readable;
}

function createDecoder(encoding: string) {
  // A page that was cut off is shown as far as it came.
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
      throw new WebError('unreadable', 'The page is packed in a way that was not asked for.');
  }
}

/** Packed bytes that unpack to nothing must not flow for ever. */
async function* limitPacked(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > maxBytes) throw new WebError('unreadable', 'The page is larger packed than it may be unpacked.');
    yield piece;
  }
}
