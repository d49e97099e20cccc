/** Unified diff of a change, truncated for a model and a page. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import type { Bilingual } from '../utils/bilingual';
import { clipStart } from '../utils/clip_text';

export interface ShortDiff {
  /** Unified diff, clipped; empty when even its beginning would take too long. */
  text: string;
  /** First and last changed line, counted from 1 in the new text. */
  lines: [first: number, last: number];
  /** Lines that the whole change adds and removes, when `text` is clipped; absent when counting them would take too long. */
  added?: number | undefined;
  removed?: number | undefined;
}

const CONTEXT_LINES = 3;
const MAX_DIFF_BYTES = 8 * 1024;
const MAX_COMPARED_UNITS = 256 * 1024;
const MAX_HEAD_UNITS = 6 * 1024;
const MAX_HEAD_LINES = 100;
/** Limit of added and removed lines together. The time grows with their square: about 20 ms for these. The head of a change never has more. */
const MAX_EDITS = 250;
const MAX_LINE_UNITS = 500;

/** Compares only what lies between the common start and the common end, so a small change in a large file is cheap. */
export function shortDiff(path: string, before: string, after: string, language: keyof Bilingual = 'en'): ShortDiff {
  const prefix = commonPrefix(before, after);
  const suffix = commonSuffix(before, after, prefix);
  const lines = changedLines(after, prefix, after.length - suffix);
  const start = lineStartBefore(before, prefix, CONTEXT_LINES);
  const oldEnd = lineEndAfter(before, before.length - suffix, CONTEXT_LINES);
  const newEnd = after.length - (before.length - oldEnd);
  const [old, written] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
  const { hunks, isWhole } = compare(old, written);
  const whole = diffLines(path, hunks, countNewlines(before, start));
  const text = clipLines(whole, language);
  if (!isWhole) return { text: text && `${text}\n${MORE_CHANGES[language]}`, lines, ...countAll(old, written) };
  return text === whole.join('\n') ? { text, lines } : { text, lines, ...countEdits(hunks) };
}

function countEdits(hunks: readonly StructuredPatchHunk[]): { added: number; removed: number } {
  const count = (sign: string) => hunks.reduce((sum, { lines }) => sum + lines.filter(line => line.startsWith(sign)).length, 0);
  return { added: count('+'), removed: count('-') };
}

/** Counts the lines of a text that is new or gone as a whole. */
function countAll(before: string, after: string): { added?: number; removed?: number } {
  if (before !== '' && after !== '') return {};
  return { added: countLines(after), removed: countLines(before) };
}

const countLines = (text: string): number => countNewlines(text, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);

interface Comparison {
  hunks: readonly StructuredPatchHunk[];
  isWhole: boolean;
}

/** Returns the whole diff. For a change that would take too long, returns the diff of its first lines, which is about what is shown anyway. */
function compare(before: string, after: string): Comparison {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const isSmall = Math.max(before.length, after.length) <= MAX_COMPARED_UNITS;
  const whole = isSmall ? structuredPatch('', '', before, after, '', '', options) : undefined;
  if (whole) return { hunks: whole.hunks, isWhole: true };
  const head = structuredPatch('', '', firstLines(before), firstLines(after), '', '', options);
  return { hunks: head?.hunks ?? [], isWhole: false };
}

function firstLines(text: string): string {
  const head = clipStart(text, MAX_HEAD_UNITS);
  const lines = head.split('\n', MAX_HEAD_LINES + 1);
  return lines.length > MAX_HEAD_LINES
    ? `${lines.slice(0, MAX_HEAD_LINES).join('\n')}\n`
    : head.slice(0, head.lastIndexOf('\n') + 1) || head;
}

const MORE_CHANGES: Bilingual = { en: '[... more changes follow ...]', 'zh-CN': '[... 后面还有改动 ...]' };

function diffLines(path: string, hunks: readonly StructuredPatchHunk[], skippedLines: number): string[] {
  if (hunks.length === 0) return [];
  const lines = [`--- a/${path}`, `+++ b/${path}`];
  for (const hunk of hunks) {
    lines.push(`@@ -${range(hunk.oldStart + skippedLines, hunk.oldLines)} +${range(hunk.newStart + skippedLines, hunk.newLines)} @@`);
    for (const line of hunk.lines) lines.push(clipLine(line.endsWith('\r') ? line.slice(0, -1) : line));
  }
  return lines;
}

/** In unified diffs an empty range names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function clipLine(line: string): string {
  const clipped = clipStart(line, MAX_LINE_UNITS);
  return clipped === line ? line : `${clipped}...`;
}

function clipLines(lines: readonly string[], language: keyof Bilingual): string {
  let bytes = 0;
  const fit = lines.findIndex(line => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > MAX_DIFF_BYTES;
  });
  if (fit === -1) return lines.join('\n');
  const missing = lines.length - fit;
  const note = language === 'zh-CN' ? `[... diff 还有 ${missing} 行 ...]` : `[... ${missing} more lines of diff ...]`;
  return [...lines.slice(0, fit), note].join('\n');
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function commonSuffix(a: string, b: string, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1;
  return length;
}

function changedLines(after: string, start: number, end: number): [number, number] {
  const first = countNewlines(after, start) + 1;
  const inside = countNewlines(after.slice(start, end), end - start);
  const endsAtLineEnd = end > start && after[end - 1] === '\n';
  return [first, first + Math.max(0, inside - (endsAtLineEnd ? 1 : 0))];
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Returns the start of the line that is `lines` lines above `offset`. */
function lineStartBefore(text: string, offset: number, lines: number): number {
  let start = offset;
  for (let i = 0; i <= lines && start > 0; i += 1) {
    const newline = text.lastIndexOf('\n', i === 0 ? start - 1 : start - 2);
    start = newline + 1;
    if (newline === -1) return 0;
  }
  return start;
}

/** Returns the end, after the newline, of the line that is `lines` lines below `offset`. */
function lineEndAfter(text: string, offset: number, lines: number): number {
  let end = offset;
  for (let i = 0; i <= lines && end < text.length; i += 1) {
    const newline = text.indexOf('\n', end);
    if (newline === -1) return text.length;
    end = newline + 1;
  }
  return end;
}
