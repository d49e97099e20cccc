/** Decompresses the bodies of responses while they arrive. */
import { pipeline, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** The body is compressed in a way that is not known. */
export class UnknownCodingError extends Error {
  constructor(readonly coding: string) {
    super(`The body is compressed as "${coding.slice(0, 40)}".`);
  }
}

export interface BodyDecoder {
  /** Returns false when the sender should wait for `onDrain`. */
  push(piece: Buffer): boolean;
  /** Ends the body; `onEnd` is called after the last piece. */
  end(): void;
  /** No function of the sink is called afterwards. */
  destroy(): void;
}

export interface DecoderSink {
  onPiece(piece: Buffer): void;
  onDrain(): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** Names that change nothing; servers write some of them where they do not belong. */
const PLAIN = new Set(['', 'identity', 'chunked', 'none', 'utf-8']);
/** More than a server would ever use. */
const MAX_CODINGS = 3;

/** Returns the names of the codings in the order in which they were applied. `written`: values of Content-Encoding and Transfer-Encoding. */
export function codingsOf(...written: (string | undefined)[]): string[] {
  return written.flatMap(value => (value ?? '').toLowerCase().split(',')).flatMap(name => (PLAIN.has(name.trim()) ? [] : [name.trim()]));
}

/** Returns a decoder that hands over what it has after each piece. Throws UnknownCodingError. */
export function createBodyDecoder(codings: readonly string[], sink: DecoderSink): BodyDecoder {
  if (codings.length > MAX_CODINGS) throw new UnknownCodingError(codings.join(', '));
  const stages = codings.toReversed().map(createStage);
  const [first] = stages;
  const last = stages.at(-1);
  if (!first || !last) throw new UnknownCodingError('');
  let isOpen = true;
  const whenOpen = (act: () => void) => isOpen && act();
  last.on('data', (piece: Buffer) => whenOpen(() => sink.onPiece(piece)));
  first.on('drain', () => whenOpen(() => sink.onDrain()));
  const onFinished = (error?: Error | null) => whenOpen(() => (error ? sink.onError(error) : sink.onEnd()));
  if (stages.length > 1) pipeline(stages, onFinished);
  else last.once('end', onFinished).on('error', onFinished);
  return {
    push: piece => first.write(Buffer.from(piece)),
    end: () => first.end(),
    destroy() {
      isOpen = false;
      for (const stage of stages) stage.on('error', () => {}).destroy();
    },
  };
}

/** The first byte of a compressed body. A proxy may have decompressed the body and have left the header. */
const MAGIC: Readonly<Record<string, number>> = { gzip: 0x1f, 'x-gzip': 0x1f, zstd: 0x28 };

function createStage(coding: string): Transform {
  const magic = MAGIC[coding];
  if (coding === 'deflate') return new ChosenByFirstByte(byte => ((byte & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)));
  const create = CODINGS[coding];
  if (!create) throw new UnknownCodingError(coding);
  return magic === undefined ? create() : new ChosenByFirstByte(byte => (byte === magic ? create() : undefined));
}

const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const CODINGS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  br: () => createBrotliDecompress(BROTLI),
  // Node has zstd from 22.15 on.
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush }),
};

/** Decides with the first byte how the body is decompressed; undefined: it is plain. */
class ChosenByFirstByte extends Transform {
  private inner: Transform | undefined;
  private isChosen = false;

  constructor(private readonly choose: (byte: number) => Transform | undefined) {
    super();
  }

  override _transform(piece: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.isChosen && piece.length > 0) {
      this.isChosen = true;
      this.inner = this.choose(piece[0] ?? 0);
      this.inner?.on('data', data => this.push(data)).on('error', error => this.destroy(error));
    }
    if (this.inner) this.inner.write(piece, done);
    else {
      this.push(piece);
      done();
    }
  }

  override _flush(done: (error?: Error | null) => void): void {
    if (this.inner) this.inner.once('end', () => done()).end();
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.inner?.on('error', () => {}).destroy();
    done(error);
  }
}
