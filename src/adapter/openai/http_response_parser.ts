/**
 * Reads one HTTP/1.1 response from its bytes, however they are cut (RFC 9112). It reads responses to POST alone, refuses what is ambiguous, and
 * keeps no bytes of the body: a model server that sends a body without end costs no memory.
 */
import { InvalidHttpError } from './model_errors';

export interface ResponseHead {
  status: number;
  /** Values of headers that came several times are joined with a comma. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** An exception of a handler leaves `push`; the response must not be read further then. */
export interface ResponseHandlers {
  onHead(head: ResponseHead): void;
  /** The piece is valid only during the call, because its memory is used again. */
  onBody(piece: Buffer): void;
}

type State = 'status_line' | 'headers' | 'chunk_size' | 'chunk' | 'chunk_end' | 'trailers' | 'sized' | 'until_close' | 'complete';

/** Limit of the head with the interim heads before it, of the trailers, and of the lines between two chunks. */
const MAX_HEAD_BYTES = 16 * 1024;
const LF = 10;
const CR = 13;
/** Digits of a size that is read without a string. */
const MAX_SHORT_DIGITS = 6;
/** Value of each hexadecimal digit, by its byte; -1 for other bytes. */
const HEX_DIGITS = Array.from({ length: 256 }, (_, byte) => '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()));

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/;
/** Control characters other than the tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: headers must not have them.
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
/** At most 12 digits behind the zeros, so that the size is a safe integer. */
const CHUNK_SIZE = /^0*([0-9A-Fa-f]{1,12})[ \t]*(?:;.*)?$/;
const LENGTH = /^\d{1,15}$/;

export class HttpResponseParser {
  private state: State = 'status_line';
  /** Start of a line whose end has not arrived. */
  private partial = '';
  private lineBytes = 0;
  private minorVersion = 1;
  private status = 0;
  private headers: Record<string, string> = Object.create(null);
  /** Bytes of the chunk or of the body that have not arrived. */
  private remainingBytes = 0;
  /** Nothing so far forbids another response on the same connection. */
  private mayContinue = true;

  constructor(private readonly handlers: ResponseHandlers) {}

  get isComplete(): boolean {
    return this.state === 'complete';
  }

  /** The connection can serve another request once the response is complete. */
  get keepsConnection(): boolean {
    const options = (this.headers['connection'] ?? '').toLowerCase().split(/[ \t,]+/);
    return this.mayContinue && !options.includes('close') && (this.minorVersion === 1 || options.includes('keep-alive'));
  }

  /**
   * Reads the bytes before `end`. Throws InvalidHttpError when they are not a response, and what a handler throws. Bytes behind the response are
   * dropped.
   */
  push(bytes: Buffer, end = bytes.length): void {
    let offset = 0;
    while (offset < end && this.state !== 'complete') offset = this.read(bytes, offset, end);
    if (offset < end) this.mayContinue = false;
  }

  /** Call it when the server has closed the connection. Returns whether the response is complete. */
  endInput(): boolean {
    if (this.state === 'until_close') this.state = 'complete';
    return this.isComplete;
  }

  /** Returns where it stopped. */
  private read(bytes: Buffer, offset: number, end: number): number {
    if (this.state === 'chunk' || this.state === 'sized') return this.readBody(bytes, offset, end);
    if (this.state === 'until_close') {
      this.handlers.onBody(bytes.subarray(offset, end));
      return end;
    }
    return this.readShortLine(bytes, offset, end) ?? this.readLine(bytes, offset, end);
  }

  private readBody(bytes: Buffer, offset: number, end: number): number {
    const pieceEnd = Math.min(end, offset + this.remainingBytes);
    this.remainingBytes -= pieceEnd - offset;
    if (this.remainingBytes === 0) this.state = this.state === 'chunk' ? 'chunk_end' : 'complete';
    this.handlers.onBody(bytes.subarray(offset, pieceEnd));
    return pieceEnd;
  }

  /**
   * Fast path: reads a chunk's size line or the empty line behind it, without a string. Most chunks hold one token. Returns where it stopped;
   * undefined for any other line, and for one that has not arrived whole.
   */
  private readShortLine(bytes: Buffer, start: number, end: number): number | undefined {
    if ((this.state !== 'chunk_size' && this.state !== 'chunk_end') || this.partial !== '') return undefined;
    let size = 0;
    let offset = start;
    for (; offset < end && offset - start < MAX_SHORT_DIGITS; offset += 1) {
      const digit = HEX_DIGITS[bytes[offset] ?? 0] ?? -1;
      if (digit === -1) break;
      size = size * 16 + digit;
    }
    if (offset + 1 >= end || bytes[offset] !== CR || bytes[offset + 1] !== LF) return undefined;
    const hasSize = offset > start;
    // The last chunk, and what is wrong, is read as a line.
    if (hasSize !== (this.state === 'chunk_size') || (hasSize && size === 0)) return undefined;
    this.remainingBytes = size;
    this.lineBytes = 0;
    this.state = hasSize ? 'chunk' : 'chunk_size';
    return offset + 2;
  }

  /** A line ends with LF; a CR before it is dropped. */
  private readLine(bytes: Buffer, offset: number, end: number): number {
    const found = bytes.indexOf(LF, offset);
    const isWhole = found !== -1 && found < end;
    const lineEnd = isWhole ? found : end;
    this.lineBytes += lineEnd - offset + (isWhole ? 1 : 0);
    if (this.lineBytes > MAX_HEAD_BYTES) throw new InvalidHttpError(`a line or head of more than ${MAX_HEAD_BYTES} bytes`);
    const text = this.partial + bytes.toString('latin1', offset, lineEnd);
    this.partial = isWhole ? '' : text;
    if (isWhole) this.addLine(text.endsWith('\r') ? text.slice(0, -1) : text);
    return isWhole ? lineEnd + 1 : lineEnd;
  }

  private addLine(line: string): void {
    if (this.state === 'status_line') this.readStatusLine(line);
    else if (this.state === 'chunk_size') this.beginChunk(line);
    else if (this.state === 'chunk_end') this.endChunk(line);
    else if (this.state === 'headers' && line !== '') this.addHeader(line);
    else if (this.state === 'headers') this.endHead();
    // The fields of a trailer do not count.
    else if (line === '') this.state = 'complete';
  }

  private readStatusLine(line: string): void {
    // An empty line behind the response before this one.
    if (line === '') {
      this.mayContinue = false;
      return;
    }
    const match = STATUS_LINE.exec(line);
    if (!match) throw new InvalidHttpError('a first line that is no status line');
    this.minorVersion = Number(match[1]);
    this.status = Number(match[2]);
    this.state = 'headers';
  }

  private addHeader(line: string): void {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    if (name === '' || CONTROL.test(value)) throw new InvalidHttpError('a line that is no header');
    const key = name.toLowerCase();
    const earlier = this.headers[key];
    const text = withoutBlanks(value);
    this.headers[key] = earlier === undefined ? text : `${earlier}, ${text}`;
  }

  private endHead(): void {
    if (this.status === 101) throw new InvalidHttpError('an upgrade that was not asked for');
    // An interim response, such as 103, comes before the final one.
    const isInterim = this.status < 200;
    this.state = isInterim ? 'status_line' : this.bodyState();
    if (isInterim) {
      this.headers = Object.create(null);
      return;
    }
    this.lineBytes = 0;
    this.handlers.onHead({ status: this.status, headers: this.headers });
  }

  /** Decides how the body ends (RFC 9112, section 6.3). */
  private bodyState(): State {
    const coding = this.headers['transfer-encoding']?.toLowerCase();
    const length = this.headers['content-length'];
    if (this.status === 204 || this.status === 304) return 'complete';
    if (coding !== undefined) {
      if (!coding.split(', ').every(name => name === 'chunked')) throw new InvalidHttpError('an unknown transfer encoding');
      // A proxy may have read the length or one header of two, and HTTP/1.0 has no chunks: trust no further response on this connection.
      if (coding !== 'chunked' || length !== undefined || this.minorVersion === 0) this.mayContinue = false;
      return 'chunk_size';
    }
    if (length === undefined) {
      this.mayContinue = false;
      return 'until_close';
    }
    this.remainingBytes = readLength(length);
    return this.remainingBytes === 0 ? 'complete' : 'sized';
  }

  private beginChunk(line: string): void {
    const [, digits] = CHUNK_SIZE.exec(line) ?? [];
    if (digits === undefined) throw new InvalidHttpError('a chunk without a size');
    this.remainingBytes = Number.parseInt(digits, 16);
    this.state = this.remainingBytes === 0 ? 'trailers' : 'chunk';
    if (this.remainingBytes > 0) this.lineBytes = 0;
  }

  private endChunk(line: string): void {
    if (line !== '') throw new InvalidHttpError('a chunk that is longer than it says');
    this.state = 'chunk_size';
  }
}

/** A length that came twice counts when both are equal. */
function readLength(value: string): number {
  const [first = '', ...others] = value.split(/,[ \t]*/);
  if (!LENGTH.test(first) || others.some(other => other !== first)) throw new InvalidHttpError('an unreadable content length');
  return Number(first);
}

/** Removes spaces and tabs at both ends; other blanks are no white space in HTTP. */
function withoutBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start += 1;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
