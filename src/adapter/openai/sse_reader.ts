import { StringDecoder } from 'node:string_decoder';
import { isRecord } from './json_value';
import { tooLarge } from './model_errors';

export interface SseHandlers {
  /** Called once per event, with its data lines joined by a line feed, and the name of the event if it has one. */
  onData(data: string, name?: string): void;
  /** Called with the bytes that arrive between two events. Returns true when it has read all of them; they must be whole events then. */
  readPiece?(piece: string): boolean;
}

/**
 * Reads a stream of server-sent events from its bytes, however they are cut. Comments and the fields `id` and `retry` are skipped. Lines
 * end with LF, CRLF or CR. Throws `model_too_large` when a line or an event is longer than allowed.
 */
export class SseReader {
  private readonly decoder = new StringDecoder('utf8');
  /** Start of a line whose end has not arrived. */
  private partial = '';
  private data: string | undefined;
  private name: string | undefined;
  /** True when the last piece ended with CR: an LF at the start of the next piece belongs to it. */
  private afterCarriageReturn = false;
  private atStart = true;

  constructor(
    private readonly handlers: SseHandlers,
    private readonly maxEventLength: number,
  ) {}

  push(bytes: Buffer): void {
    this.read(this.decoder.write(bytes));
  }

  /** Ends the stream; delivers a last event even without its closing empty line. */
  end(): void {
    this.read(`${this.decoder.end()}\n\n`);
  }

  private read(piece: string): void {
    if (piece === '') return;
    let text = piece;
    if (this.atStart) {
      this.atStart = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    const isBetween = this.partial === '' && this.data === undefined && this.name === undefined && !this.afterCarriageReturn;
    if (isBetween && text.length <= this.maxEventLength && this.handlers.readPiece?.(text)) return;
    if (this.afterCarriageReturn || text.includes('\r')) text = this.normalise(text);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      start = end + 1;
      this.readLine(this.partial === '' ? line : this.partial + line);
      this.partial = '';
    }
    if (start < text.length) this.partial += start === 0 ? text : text.slice(start);
    this.checkLength(this.partial);
  }

  private normalise(text: string): string {
    const rest = this.afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.afterCarriageReturn = text.endsWith('\r');
    return rest.replace(/\r\n?/g, '\n');
  }

  private readLine(line: string): void {
    if (line === '') {
      const { data, name } = this;
      this.data = undefined;
      this.name = undefined;
      if (data !== undefined) this.handlers.onData(data, name);
      return;
    }
    if (line.startsWith('event:')) this.name = line.slice(6).trim();
    if (!line.startsWith('data')) return;
    if (line.length > 4 && line[4] !== ':') return;
    const value = line.slice(line[5] === ' ' ? 6 : 5);
    this.data = this.data === undefined ? value : `${this.data}\n${value}`;
    this.checkLength(this.data);
  }

  private checkLength(text: string): void {
    if (text.length > this.maxEventLength)
      throw tooLarge([`more than ${this.maxEventLength} characters in one event`, `单个事件超过 ${this.maxEventLength} 个字符`]);
  }
}

/** Servers and proxies send keep-alive signs in many forms between the chunks of an answer. `nothing`: a keep-alive sign. `broken`: a chunk that cannot be read. */
type StreamEvent = { kind: 'chunk'; chunk: Record<string, unknown> } | { kind: 'done' | 'error' | 'broken' | 'nothing' };

/** Names of events that hold chunks, beside events without a name. Events of other names hold signs of life, unless they have the form of a chunk. */
const CHUNK_NAMES: ReadonlySet<string | undefined> = new Set([undefined, '', 'message', 'data', 'chunk', 'delta', 'completion']);
const ERROR_NAME = /error|exception|fail/i;
const DONE = /^"?\[done\]"?$/i;
/** Fields by which a chunk or an error is recognised. */
const FIELDS = ['choices', 'error', 'usage', 'base_resp'];
/** A piece of JSON has these characters, also when its beginning or its end is missing. */
const JSON_PIECE = /["{}]/;
const FAILURE =
  /error|exception|fail|denied|refused|invalid|limit|exceed|quota|time ?out|timed out|unavailable|overload|abort|cancel|crash|closed|lost|错误|异常|失败|超时|限流|繁忙|拒绝/i;
/** Units of a sign of life. */
const MAX_SIGN = 64;

/** `data`: the text of the event, trimmed. */
export function readStreamEvent(data: string, name: string | undefined): StreamEvent {
  if (name !== undefined && ERROR_NAME.test(name)) return { kind: data === '' ? 'nothing' : 'error' };
  if (data === '') return { kind: 'nothing' };
  if (DONE.test(data)) return { kind: 'done' };
  const isOwn = CHUNK_NAMES.has(name);
  const parsed = parse(data);
  if (parsed === undefined) return readPlain(data, isOwn);
  // Some servers wrap an error in a list.
  const chunk: unknown = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  if (!isRecord(chunk)) return { kind: 'nothing' };
  const isChunk = isOwn || chunk['type'] === 'error' || FIELDS.some(field => chunk[field] !== undefined);
  return isChunk ? { kind: 'chunk', chunk } : { kind: 'nothing' };
}

/** No part of an answer is a plain text; an error may be. */
function readPlain(data: string, isOwn: boolean): StreamEvent {
  if (JSON_PIECE.test(data)) return { kind: isOwn || data.includes('"choices"') ? 'broken' : 'nothing' };
  if (!isOwn) return { kind: 'nothing' };
  return { kind: data.length > MAX_SIGN || FAILURE.test(data) ? 'error' : 'nothing' };
}

function parse(data: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) };
  } catch {
    return undefined;
  }
}
