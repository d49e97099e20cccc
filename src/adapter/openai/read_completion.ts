import { AppError } from '../../errors';
import type { CallGuard } from './call_guard';
import type { CompletionAccumulator } from './completion_accumulator';
import { isRecord } from './json_value';
import { badResponse, type Text, tooLarge } from './model_errors';
import type { ModelLimits } from './model_limits';
import { readStreamEvent, SseReader, TextEventForm } from './sse_reader';

export interface CompletionReading {
  accumulator: CompletionAccumulator;
  guard: CallGuard;
  limits: ModelLimits;
  /** A comment of the stream shows that the server still works. */
  commentsAreLife?: boolean;
}

/** Milliseconds to wait for the end of the body after `[DONE]`; reading to the end only makes the connection reusable. */
const GOODBYE_MS = 100;

/**
 * Reads the body of a response into the accumulator. `send` sends the request and calls its argument for each piece of the body. Rejects as `send`
 * does, with an AppError `model_*` about the body. A complete answer counts even when the server does not end the response.
 */
export async function readCompletion(
  { accumulator, guard, limits, commentsAreLife = false }: CompletionReading,
  send: (onPiece: (piece: Buffer) => void) => Promise<void>,
): Promise<void> {
  const body = new CompletionBody(accumulator, limits);
  let waitMs = 0;
  let progress = accumulator.progress;
  const onPiece = (piece: Buffer): void => {
    body.push(piece);
    // Comments and the role of the answer come before the model has begun: the time for its beginning goes on.
    if (accumulator.progress === 0 && !accumulator.hasEnded) {
      if (commentsAreLife) guard.touch();
      return;
    }
    const nextWaitMs = accumulator.isComplete ? GOODBYE_MS : accumulator.hasSurelyEnded ? limits.trailerMs : limits.idleMs;
    if (nextWaitMs === waitMs) {
      // Restarts the timer only when the answer grows: most servers, and proxies before them, send comments also when the model is stuck.
      if (commentsAreLife || accumulator.progress !== progress) guard.touch();
      progress = accumulator.progress;
      return;
    }
    progress = accumulator.progress;
    waitMs = nextWaitMs;
    guard.startPhase('idle', waitMs);
  };
  try {
    await send(onPiece);
    body.end();
  } catch (error) {
    if (guard.hasEnded || !isWholeAfter(error, accumulator)) throw error;
  }
}

/**
 * Returns true when an answer is whole although the stream failed. Silence ends an answer whose finish reason came last; a broken connection ends
 * only an answer that had surely ended.
 */
function isWholeAfter(error: unknown, { hasSurelyEnded, isEndedBySilence }: CompletionAccumulator): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'model_timeout' ? isEndedBySilence : error.code === 'model_unreachable' && hasSurelyEnded;
}

type Format = 'events' | 'document' | 'text';

/**
 * Reads the bytes of a response body into an accumulator. Servers are careless with content types, so the first visible byte decides whether
 * the body is a stream of events, one JSON document (an answer or an error) or a plain text, which is an error. Refuses a web page.
 */
class CompletionBody {
  private format: Format | undefined;
  private bytes = 0;
  private readonly document: Buffer[] = [];
  private readonly events: SseReader;
  private readonly textForm = new TextEventForm();

  constructor(
    private readonly accumulator: CompletionAccumulator,
    private readonly limits: ModelLimits,
  ) {
    this.events = new SseReader(
      { onData: (data, name) => this.addEvent(data, name), readPiece: piece => this.addTexts(piece) },
      limits.maxEventBytes,
    );
  }

  /** Delivers the text of the piece at once, also when it ends with an error. Keeps no reference to the piece. Throws AppErrors `model_*`. */
  push(piece: Buffer): void {
    try {
      this.read(piece);
    } finally {
      this.accumulator.flush();
    }
  }

  /** Reads what is left once the body has ended. Throws AppErrors `model_*`. */
  end(): void {
    try {
      if (this.format === 'document') this.addDocument();
      else if (this.format === 'text') this.accumulator.fail(this.whole);
      else this.events.end();
    } finally {
      this.accumulator.flush();
    }
  }

  private read(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > this.limits.maxBodyBytes)
      throw tooLarge([`more than ${this.limits.maxBodyBytes} bytes in all`, `总共超过 ${this.limits.maxBodyBytes} 字节`]);
    this.format ??= detectFormat(piece);
    if (this.format !== 'document' && this.format !== 'text') {
      this.events.push(piece);
      return;
    }
    if (this.bytes > this.limits.maxEventBytes)
      throw tooLarge([`more than ${this.limits.maxEventBytes} bytes in one document`, `单个文档超过 ${this.limits.maxEventBytes} 字节`]);
    this.document.push(Buffer.from(piece));
  }

  private addDocument(): void {
    const parsed = parse(this.whole, ['it is not valid JSON', '不是有效的 JSON']);
    // Some servers wrap an error in a list.
    const answer: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    this.accumulator.add(answer);
    if (!this.accumulator.hasEnded && !hasMessage(answer))
      throw badResponse(['it is JSON, but no answer of a chat model; check the base URL', '是 JSON，但不是对话模型的回答；请检查基础地址']);
    // A document that can be parsed has arrived to its end, be there a finish reason or not.
    this.accumulator.markDone('document');
  }

  private get whole(): string {
    return Buffer.concat(this.document).toString('utf8');
  }

  /** Fast path: most pieces hold events that only add text. */
  private addTexts(piece: string): boolean {
    const text = this.accumulator.isComplete ? undefined : this.textForm.readTexts(piece);
    if (text !== undefined) this.accumulator.addText(text);
    return text !== undefined;
  }

  private addEvent(data: string, name: string | undefined): void {
    if (this.accumulator.isComplete) return;
    const text = data.trim();
    const onlyText = name === undefined ? this.textForm.readText(text) : undefined;
    if (onlyText !== undefined) {
      this.accumulator.addText(onlyText);
      return;
    }
    const event = readStreamEvent(text, name);
    if (event.kind === 'error') this.accumulator.fail(text);
    if (event.kind === 'broken') throw badResponse(['an event of its stream is not valid JSON', '流中有一个事件不是有效的 JSON']);
    if (event.kind === 'done') this.accumulator.markDone('stream');
    if (event.kind !== 'chunk') return;
    this.accumulator.add(event.chunk);
    this.textForm.learn(text, event.chunk);
  }
}

/** A comment, or a field of an event. */
const FIELD = /^(?::|(?:data|event|id|retry)[ \t]*(?:[:\r\n]|$))/;
/** A shorter piece may hold a part of the name of a field. */
const LEAST_HEAD = 8;

/** Returns undefined for white space or a byte order mark alone. */
function detectFormat(piece: Buffer): Format | undefined {
  const head = piece.toString('latin1', 0, 64).replace(/^(?:\xEF\xBB\xBF|\s)+/, '');
  const [start] = head;
  if (start === undefined) return undefined;
  if (start === '<')
    throw badResponse(['it is a web page; check the base URL, it usually ends with /v1', '是一个网页；请检查基础地址，它通常以 /v1 结尾']);
  if (start === '{' || start === '[') return 'document';
  return head.length >= LEAST_HEAD && !FIELD.test(head) ? 'text' : 'events';
}

function hasMessage(answer: unknown): boolean {
  const choices = isRecord(answer) ? answer['choices'] : undefined;
  const [first]: unknown[] = Array.isArray(choices) ? choices : [];
  return isRecord(first) && isRecord(first['message']);
}

function parse(text: string, what: Text): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badResponse(what, cause);
  }
}
