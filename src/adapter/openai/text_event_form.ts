import { isRecord } from './json_value';
import { keepFields } from './kept_fields';

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
