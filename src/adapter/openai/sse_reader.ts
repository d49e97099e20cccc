import { StringDecoder } from 'node:string_decoder';
import { isRecord } from './json_value';
import { keepFields } from './kept_fields';
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

const KEY = '"content"';
/** Characters that JSON escapes in a string, and the quote that ends it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const ESCAPED = /["\\\u0000-\u001f]/;
/** Events in a row whose form did not come again; the stream then has no common form, and learning is given up. */
const MAX_MISSES = 8;

/**
 * Reads the text of an event without parsing its JSON, when the event has the form of an earlier one: most events of a stream differ in
 * the text of their delta alone.
 *
 * This is exact: the earlier event was parsed, has no backslash, and has the key `content` once; so its value stands between `before` and
 * `after`. Another value without quotes, backslashes and control characters leaves everything around it as it was.
 */
export class TextEventForm {
  private before: string | undefined;
  private after = '';
  /** Parts of a stream around the texts: before the text of a first event, behind the text of a last event, and between the texts of two events. */
  private head: string | undefined;
  private tail = '';
  private joint = '';
  private misses = 0;

  /** Returns the text when `event` differs from the learned event in its text only; undefined when it must be parsed. */
  readText(event: string): string | undefined {
    const { before, after } = this;
    const end = event.length - after.length;
    if (before === undefined || end < before.length) return undefined;
    // Comparing slices costs a quarter of startsWith and endsWith.
    if (event.slice(0, before.length) !== before || event.slice(end) !== after) return undefined;
    const text = event.slice(before.length, end);
    if (ESCAPED.test(text)) return undefined;
    this.misses = 0;
    return text;
  }

  /**
   * Returns the joined texts of a piece of a stream. The piece must begin and end between two events. Undefined when it holds anything but whole
   * events of the learned form.
   */
  readTexts(piece: string): string | undefined {
    const { head, tail, joint } = this;
    const end = piece.length - tail.length;
    if (head === undefined || end < head.length) return undefined;
    if (piece.slice(0, head.length) !== head || piece.slice(end) !== tail) return undefined;
    let text = '';
    let start = head.length;
    // The first quote ends a text.
    for (let quote = piece.indexOf('"', start); quote < end; quote = piece.indexOf('"', start)) {
      if (piece.slice(quote, quote + joint.length) !== joint) return undefined;
      text += piece.slice(start, quote);
      start = quote + joint.length;
      if (start > end) return undefined;
    }
    text += piece.slice(start, end);
    if (ESCAPED.test(text)) return undefined;
    this.misses = 0;
    return text;
  }

  /** Learns the form of an event, when the event adds only text to an answer. `chunk`: the parsed event. */
  learn(event: string, chunk: unknown): void {
    if (this.misses > MAX_MISSES) return;
    const text = onlyTextOf(chunk);
    if (text === undefined || event.includes('\\')) return;
    const key = event.indexOf(KEY);
    if (key !== event.lastIndexOf(KEY)) return;
    const start = event.indexOf('"', key + KEY.length) + 1;
    this.misses += 1;
    this.before = event.slice(0, start);
    this.after = event.slice(start + text.length);
    // An event of several lines stands in several fields.
    this.head = event.includes('\n') ? undefined : `data: ${this.before}`;
    this.tail = `${this.after}\n\n`;
    this.joint = `${this.tail}${this.head}`;
  }
}

/** Returns the text of a chunk that has nothing else to add; undefined for any other chunk. */
function onlyTextOf(chunk: unknown): string | undefined {
  if (!isRecord(chunk) || !Array.isArray(chunk['choices']) || chunk['choices'].length !== 1) return undefined;
  const choice: unknown = chunk['choices'][0];
  if (!isRecord(choice) || choice['index'] || choice['finish_reason']) return undefined;
  const { delta } = choice;
  if (!isRecord(delta) || delta['tool_calls'] || delta['function_call'] || keepFields(undefined, delta, 'any')) return undefined;
  return typeof delta['content'] === 'string' ? delta['content'] : undefined;
}
