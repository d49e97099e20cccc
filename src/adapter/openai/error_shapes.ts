/** Reads the parts of a model server's error, whatever form the server gives it: see `readServerError`. */
import { isRecord } from './json_value';

export interface ServerError {
  /** The server's own sentences, as one line; '' when it sent none. */
  words: string;
  /** Codes and types of the error in lower case, separated by blanks. */
  kind: string;
  /** The HTTP status that the error itself names. */
  status?: number;
  /** The context window that a field of the error names. */
  contextTokens?: number;
  /** The wait that a field of the error asks for, such as Google's RetryInfo. */
  waitMs?: number;
  /** The field of the request that the error is about; '' when it names none. */
  param: string;
}

/** Units of a text that are read, and of all words together. */
const MAX_READ_UNITS = 4_000;
const MAX_WORD_UNITS = 2_000;
const MAX_DEPTH = 10;
const MAX_ROWS = 20;

/** Fields whose text is a sentence for people. */
const WORD_FIELDS = ['message', 'error_msg', 'error_message', 'errorMessage', 'status_msg', 'msg', 'Message', 'error_description'];
/** Fields that hold a sentence, or an error of their own. */
const INNER_FIELDS = [
  ...['error', 'Error', 'err', 'errors', 'detail', 'details', 'base_resp', 'metadata', 'raw'],
  ...['response', 'Response', 'header', 'fault', 'title', 'description'],
];
/** Fields in which some servers wrap their answers, and the errors in their place. */
const WRAPPERS = ['header', 'Response'];
const KIND_FIELDS = ['code', 'type', 'status', 'error_code', 'status_code', 'error_type', 'reason', 'errorCode', 'Code', '__type'];
const STATUS_FIELDS = ['status', 'code', 'status_code', 'http_status'];
const WINDOW_FIELDS = ['n_ctx', 'context_length', 'max_context_length'];
/** Codes of an answer that is no error. */
const GOOD_CODES: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  0,
  '0',
  200,
  '200',
  'ok',
  'OK',
  'success',
  'Success',
  '',
  'processing',
  'queued',
  'pending',
  'in_progress',
]);

/**
 * Reads the body of a refusal, or the part of an answer that `reportedError` found: an object, a list, JSON in a text (also inside a sentence), a
 * web page, or a plain text. Never throws.
 */
export function readServerError(body: unknown): ServerError {
  const found: Found = { words: [], kinds: [], param: '' };
  collect(body, found, 0);
  const { words, kinds, ...rest } = found;
  return { ...rest, words: words.join('; ').slice(0, MAX_WORD_UNITS), kind: kinds.join(' ').toLowerCase() };
}

/** Returns the part of an answer with status 200 that reports an error; undefined for any other answer. */
export function reportedError(answer: Record<string, unknown>): unknown {
  const { choices, base_resp: base, object, type } = answer;
  if (hasContent(answer['error']) || object === 'error' || type === 'error') return answer;
  if (isRecord(base) && !GOOD_CODES.has(base['status_code'])) return base;
  if (!Array.isArray(choices) || choices.length === 0) return isErrorAlone(answer) ? answer : undefined;
  const [first]: unknown[] = choices;
  return isRecord(first) && first['error'] ? first['error'] : undefined;
}

const hasContent = (value: unknown): boolean => Boolean(value) && !(typeof value === 'object' && Object.keys(value as object).length === 0);

/** True for an object without choices that has a sentence and a code that does not mean success. */
function isErrorAlone(answer: Record<string, unknown>): boolean {
  if (['errors', 'Error', 'err', 'detail'].some(name => hasContent(answer[name])) || answer['success'] === false) return true;
  if (WRAPPERS.some(name => isRecord(answer[name]) && isErrorAlone(answer[name]))) return true;
  const codes = ['code', 'error_code', 'status_code', 'status', 'errorCode'].map(name => answer[name]);
  return WORD_FIELDS.some(name => typeof answer[name] === 'string') && codes.some(code => !GOOD_CODES.has(code));
}

interface Found {
  words: string[];
  kinds: string[];
  param: string;
  status?: number;
  contextTokens?: number;
  waitMs?: number;
}

function collect(value: unknown, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') collectText(value.slice(0, MAX_READ_UNITS * 4), found, depth);
  else if (Array.isArray(value)) for (const row of value.slice(0, MAX_ROWS)) collect(row, found, depth + 1);
  else if (isRecord(value)) collectObject(value, found, depth);
}

function collectObject(error: Record<string, unknown>, found: Found, depth: number): void {
  for (const name of KIND_FIELDS) {
    const kind = error[name];
    if (typeof kind === 'string' || typeof kind === 'number') found.kinds.push(String(kind).slice(0, 200));
  }
  const status = numberIn(error, STATUS_FIELDS, 400, 599);
  if (status !== undefined) found.status ??= status;
  const contextTokens = numberIn(error, WINDOW_FIELDS, 1, Number.MAX_SAFE_INTEGER);
  if (contextTokens !== undefined) found.contextTokens ??= contextTokens;
  const [, seconds] = /^(\d{1,6}(?:\.\d+)?)s$/.exec(String(error['retryDelay'])) ?? [];
  if (seconds !== undefined) found.waitMs ??= Math.ceil(Number(seconds) * 1_000);
  if (found.param === '' && typeof error['param'] === 'string') found.param = error['param'];
  // FastAPI names the field of each problem in a list.
  const place = Array.isArray(error['loc']) ? `${error['loc'].join('.')}: ` : '';
  for (const name of WORD_FIELDS) {
    const words = error[name];
    collect(typeof words === 'string' ? place + words : words, found, depth + 1);
  }
  for (const name of INNER_FIELDS) {
    const inner = error[name];
    // Problems by the name of their field.
    collect(name === 'errors' && isRecord(inner) ? [inner, ...Object.values(inner)] : inner, found, depth + 1);
  }
}

function collectText(text: string, found: Found, depth: number): void {
  const trimmed = text.trim();
  const start = trimmed.search(/[[{]/);
  const inner = start < 0 ? undefined : parseAt(trimmed, start);
  const quoted = trimmed.startsWith('"') ? parseText(trimmed) : undefined;
  if (typeof quoted === 'string') collect(quoted, found, depth + 1);
  else if (PAGE.test(trimmed)) addWords(pageWords(trimmed), found);
  else if (start === 0) inner === undefined ? addWords(cutJsonWords(trimmed), found) : collect(inner, found, depth + 1);
  else if (inner === undefined) addWords(trimmed, found);
  else {
    const kept = found.words.length;
    addWords(trimmed.slice(0, start).replace(/[\s:;,–-]+$/, ''), found);
    const before = found.words.length;
    collect(inner, found, depth + 1);
    if (found.words.length > before) return;
    // The brackets were a part of the sentence, or hold no words.
    found.words.length = kept;
    addWords(trimmed, found);
  }
}

const PAGE = /^<(?:!doctype|html|head|body|h\d|title|\?xml|center|p\b|error)/i;

/** Leaves out words that another field has said already. */
function addWords(words: string, { words: all }: Found): void {
  const line = words.slice(0, MAX_WORD_UNITS).replace(/\s+/g, ' ').trim();
  if (line === '' || all.some(known => known.includes(line))) return;
  all.push(line);
}

/** Reads the JSON that begins at `start` and ends with the last bracket. */
function parseAt(text: string, start: number): unknown {
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  const value = parseText(text.slice(start, end + 1));
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Returns the first sentence of JSON whose end is missing; the text itself when it looks like something else. */
function cutJsonWords(text: string): string {
  const told = /"(?:message|msg|detail|error_msg|error)"\s*:\s*("(?:[^"\\]|\\.)*"?)/.exec(text)?.[1];
  if (told === undefined) return text.startsWith('{"') || text.startsWith('[{"') ? '' : text;
  const words = parseText(told);
  return typeof words === 'string' ? words : told.slice(1);
}

function parseText(quoted: string): unknown {
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

/** Returns the title of a web page, else its first heading, else its text. */
function pageWords(page: string): string {
  const head = /<title[^>]*>([^<]+)/i.exec(page)?.[1] ?? /<h\d[^>]*>([^<]+)/i.exec(page)?.[1];
  const text = head ?? page.slice(0, MAX_READ_UNITS).replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ');
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function numberIn(error: Record<string, unknown>, names: readonly string[], least: number, most: number): number | undefined {
  return names.map(name => Number(error[name] ?? Number.NaN)).find(value => Number.isSafeInteger(value) && value >= least && value <= most);
}
