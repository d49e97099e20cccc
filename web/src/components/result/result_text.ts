/** Reads the results of tool calls for people. Pure. */
import { indentJson } from '../basic/indent_json';

/** Characters of a JSON text that is laid out. Longer ones stay as they are. */
const MAX_JSON = 200_000;
/** First line of a command's result. */
const STATUS_LINE = /^(?:Exit code -?\d+ \([^)]*\)|退出码 -?\d+（[^）]*）)(?:\n|$)/;
const LEFT_OUT = /\n\[\.\.\. (?:(\d+) characters left out|省略 (\d+) 个字符) \.\.\.\]\n/;

/** Returns the output of a command without the line that repeats its exit code. */
export const withoutStatus = (result: string): string => result.replace(STATUS_LINE, '');

/** Returns a JSON object or list indented; undefined for any other text. */
export const indentedJson = (text: string): string | undefined => (text.length > MAX_JSON ? undefined : indentJson(text));

/** Returns how many characters the gateway left out of a result for display; 0 for a whole result. */
export function leftOutOf(result: string): number {
  const [, en, zh] = LEFT_OUT.exec(result) ?? [];
  return Number(en ?? zh ?? 0);
}

/** Returns the lines that contain the words, with their numbers, case-insensitively. */
export function findLines(text: string, words: string): { number: number; line: string }[] {
  const wanted = words.toLocaleLowerCase();
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ line }) => line.toLocaleLowerCase().includes(wanted));
}

/** Returns true for text with the escape sequences of terminals. */
export const hasColours = (text: string): boolean => text.includes('\u001b[');

/** Titles, links and moves of the cursor: every escape sequence that is no colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const MOVES = /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-ln-~]|[ -/]*[0-Z\\^-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const COLOURS = /\u001b\[[0-?]*[ -/]*m/g;

/** Returns the output of a program as a terminal shows it: a line that was written again has its last text. Colours stay. */
export function asOnTerminal(text: string): string {
  return text
    .replaceAll(MOVES, '')
    .split('\n')
    .map(line => line.replace(/\r+$/, ''))
    .map(line => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** Returns the output of a program without colours, to copy it and to find words in it. */
export const withoutColours = (text: string): string => text.replaceAll(COLOURS, '');
