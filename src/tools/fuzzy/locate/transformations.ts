import type { Bilingual } from '../../../utils/bilingual';

/**
 * A transformation that models apply to the text they quote, such as JSON escaping. The engine undoes it in old_string and
 * new_string alike.
 */
export interface Transformation {
  name: Bilingual;
  /** Returns the plain text, or undefined when the text cannot be a result of this transformation. */
  undo(text: string): string | undefined;
}

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);
const WHITE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);
const NUMBER_COLUMN = /^[ \t]*(\d{1,7})(?:\t|:(?: |$)|[ \t]+[|\u2502](?: |$)|[|\u2192\u2502]|[ \t]{2,})/;

/** Level 5, in the order tried. Transformations that change less come first. */
export const TRANSFORMATIONS: readonly Transformation[] = [
  { name: { en: 'JSON escapes', 'zh-CN': 'JSON 转义' }, undo: undoJson },
  { name: { en: 'line numbers', 'zh-CN': '行号' }, undo: undoLineNumbers },
  { name: { en: 'escaped white space', 'zh-CN': '空白被转义' }, undo: undoWhiteSpace },
  { name: { en: 'escaped white space outside strings', 'zh-CN': '字符串之外的空白被转义' }, undo: undoWhiteSpaceOutsideStrings },
  { name: { en: 'escaped quotes', 'zh-CN': '引号被转义' }, undo: undoQuotes },
  { name: { en: 'escaped white space and quotes', 'zh-CN': '空白和引号被转义' }, undo: text => undoQuotes(undoWhiteSpace(text)) },
  { name: { en: 'doubled backslashes', 'zh-CN': '反斜杠重复' }, undo: undoBackslashes },
  {
    name: { en: 'doubled backslashes and escaped quotes', 'zh-CN': '反斜杠重复且引号被转义' },
    undo: text => text.replace(/\\([\\"'`])/g, '$1'),
  },
  { name: { en: 'all escapes', 'zh-CN': '全部转义' }, undo: undoAll },
  { name: { en: 'HTML entities', 'zh-CN': 'HTML 实体' }, undo: undoEntities },
];

/** Level 6: a Markdown fence around the text. */
export const FENCES: Transformation = { name: { en: 'Markdown fences', 'zh-CN': 'Markdown 围栏' }, undo: undoFences };

/** Parses a text that is the body of one JSON string. */
function undoJson(text: string): string | undefined {
  if (text.includes('\n')) return undefined;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function undoWhiteSpace(text: string): string {
  return text.replace(/\\(\\|[ntr])/g, (whole, letter: string) => WHITE_ESCAPES.get(letter) ?? whole);
}

/** Like undoWhiteSpace, but leaves escapes inside quotes alone: they belong to a string literal. */
function undoWhiteSpaceOutsideStrings(text: string): string {
  let quote = '';
  return text.replace(/\\(\\|[ntr])|["'`\n]/g, (found, letter: string | undefined, offset: number) => {
    if (letter === undefined) {
      if (found === "'" && /^\w'\w/.test(text.slice(Math.max(0, offset - 1), offset + 2))) return found;
      if (found === '\n' && quote !== '`') quote = '';
      else if (quote === '') quote = found === '\n' ? '' : found;
      else if (quote === found) quote = '';
      return found;
    }
    return quote === '' ? (WHITE_ESCAPES.get(letter) ?? found) : found;
  });
}

function undoQuotes(text: string): string {
  return text.replace(/\\(\\|["'`])/g, (whole, quote: string) => (quote === '\\' ? whole : quote));
}

function undoBackslashes(text: string): string {
  return text.replaceAll('\\\\', '\\');
}

function undoAll(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\\"'`/ntrbf])/g, (_, code: string) => {
    if (code.startsWith('u')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code === 'b') return '\b';
    if (code === 'f') return '\f';
    return WHITE_ESCAPES.get(code) ?? code;
  });
}

function undoEntities(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, name: string) => {
    const named = NAMED_ENTITIES.get(name);
    if (named !== undefined) return named;
    if (!name.startsWith('#')) return whole;
    const point = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** Removes a column of increasing line numbers. Returns the text unchanged when most lines have none. */
function undoLineNumbers(text: string): string {
  const lines = text.split('\n');
  let previous = -1;
  let numbered = 0;
  let written = 0;
  const stripped = lines.map(line => {
    if (line.trim() === '') return line;
    written++;
    const match = NUMBER_COLUMN.exec(line);
    const number = match ? Number(match[1]) : Number.NaN;
    if (!match || number < previous) return line;
    previous = number;
    numbered++;
    return line.slice(match[0].length);
  });
  return numbered > 0 && numbered * 2 >= written ? stripped.join('\n') : text;
}

function undoFences(text: string): string | undefined {
  const lines = text.trim().split('\n');
  const [, fence] = /^(`{3,}|~{3,})[^`\n]*$/.exec(lines[0] ?? '') ?? [];
  return fence !== undefined && lines.length > 2 && lines.at(-1)?.trim() === fence ? lines.slice(1, -1).join('\n') : undefined;
}
