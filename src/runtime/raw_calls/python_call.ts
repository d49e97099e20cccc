/** Reads calls in the notation of Python, as Llama and LFM2 write them: `name(key="value", other=[1, 2])`. Only literals are understood. */
import { findStringEnd, matchAt, skipSpaces } from './match_at';
import type { WrittenCall } from './written_call';

const NAME = /\s*([A-Za-z_][\w.-]*)\s*\(/y;
const KEY = /\s*([A-Za-z_]\w*)\s*=\s*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const CONSTANT = /(?:True|False|None|true|false|null)\b/y;
const CONSTANTS: Readonly<Record<string, unknown>> = { True: true, true: true, False: false, false: false, None: null, null: null };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' };
const MAX_DEPTH = 32;

interface Read<T> {
  value: T;
  end: number;
}

/** Reads one call; undefined when the text at `at` is anything else. */
function readPythonCall(text: string, at: number): Read<WrittenCall> | undefined {
  const name = matchAt(NAME, text, at);
  if (!name) return undefined;
  const args: Record<string, unknown> = {};
  let i = at + name[0].length;
  for (;;) {
    i = skipSpaces(text, i);
    if (text.charAt(i) === ')') {
      // Llama writes `name.call(...)` for tools that it knows from its training.
      return { value: { name: (name[1] ?? '').replace(/\.call$/, ''), args }, end: i + 1 };
    }
    const key = matchAt(KEY, text, i);
    const value = key && readLiteral(text, i + key[0].length, 0);
    if (!key || !value) return undefined;
    Object.defineProperty(args, key[1] ?? '', { value: value.value, enumerable: true, configurable: true, writable: true });
    i = skipSpaces(text, value.end);
    if (text.charAt(i) === ',') i += 1;
    else if (text.charAt(i) !== ')') return undefined;
  }
}

/** Reads one call or a list of calls in brackets. */
export function readPythonCalls(text: string, at: number): Read<WrittenCall[]> | undefined {
  const isList = text.charAt(at) === '[';
  if (!isList) {
    const call = readPythonCall(text, at);
    return call && { value: [call.value], end: call.end };
  }
  const calls: WrittenCall[] = [];
  let i = at + 1;
  for (;;) {
    const call = readPythonCall(text, i);
    if (!call) return undefined;
    calls.push(call.value);
    i = skipSpaces(text, call.end);
    if (text.charAt(i) === ']') return { value: calls, end: i + 1 };
    if (text.charAt(i) !== ',') return undefined;
    i += 1;
  }
}

function readLiteral(text: string, at: number, depth: number): Read<unknown> | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const i = skipSpaces(text, at);
  const first = text.charAt(i);
  if (first === '[') return readList(text, i, depth);
  if (first === '{') return readDictionary(text, i, depth);
  const stringEnd = findStringEnd(text, i);
  if (stringEnd !== undefined) return { value: withoutEscapes(text.slice(i + 1, stringEnd - 1)), end: stringEnd };
  const constant = matchAt(CONSTANT, text, i);
  if (constant) return { value: CONSTANTS[constant[0]], end: i + constant[0].length };
  const number = matchAt(NUMBER, text, i);
  return number ? { value: Number(number[0]), end: i + number[0].length } : undefined;
}

function readList(text: string, at: number, depth: number): Read<unknown[]> | undefined {
  const items: unknown[] = [];
  let i = skipSpaces(text, at + 1);
  while (text.charAt(i) !== ']') {
    const item = readLiteral(text, i, depth + 1);
    if (!item) return undefined;
    items.push(item.value);
    i = skipSpaces(text, item.end);
    if (text.charAt(i) === ',') i = skipSpaces(text, i + 1);
    else if (text.charAt(i) !== ']') return undefined;
  }
  return { value: items, end: i + 1 };
}

function readDictionary(text: string, at: number, depth: number): Read<Record<string, unknown>> | undefined {
  const entries: [string, unknown][] = [];
  let i = skipSpaces(text, at + 1);
  while (text.charAt(i) !== '}') {
    const keyEnd = findStringEnd(text, i);
    const colon = keyEnd === undefined ? i : skipSpaces(text, keyEnd);
    if (keyEnd === undefined || text.charAt(colon) !== ':') return undefined;
    const item = readLiteral(text, colon + 1, depth + 1);
    if (!item) return undefined;
    entries.push([withoutEscapes(text.slice(i + 1, keyEnd - 1)), item.value]);
    i = skipSpaces(text, item.end);
    if (text.charAt(i) === ',') i = skipSpaces(text, i + 1);
    else if (text.charAt(i) !== '}') return undefined;
  }
  return { value: Object.fromEntries(entries), end: i + 1 };
}

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_whole, unicode, hex, character: string) => {
    const code: string | undefined = unicode ?? hex;
    return code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16));
  });
