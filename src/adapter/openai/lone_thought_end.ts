/** Finds the end tag of thoughts that the prompt has opened: the answer then has an end tag and no start tag. */
import { THOUGHT_TAGS } from '../../utils/thought_tags';

const NAMES = THOUGHT_TAGS.join('|');
const END = new RegExp(`</(${NAMES})\\s*>`, 'i');
const START = new RegExp(`<(${NAMES})\\b`, 'i');
const BACKTICKS = /`+/g;
/** A fence, also inside a list or a quotation. */
const FENCE_LINE = /^[ \t>]*(?:[-*+]|\d{1,3}[.)])?[ \t]*(```|~~~)/gm;
/** A word or the end of a sentence: a tag that follows it without a blank is no word of a sentence. */
const SENTENCE_END = /[\p{L}\p{N}.!?。！？…]$/u;
/** The end of a sentence, with a blank behind it. */
const SENTENCE_END_AND_BLANK = /[.!?。！？…]["'”’)\]]*[ \t]+$/;
const NEW_LINE = /^[ \t]*(?:\r?\n|$)/;
const NEW_PARAGRAPH = /^[ \t]*(?:\r?\n[ \t]*\r?\n|$)/;

interface Place {
  start: number;
  end: number;
}

/**
 * Returns where the tag begins and ends; undefined when the text has none, or only talks about it: in code, after a start tag, or as a word of a
 * sentence. `isWhole`: no further text follows.
 */
export function findLoneEnd(text: string, isWhole: boolean): Place | undefined {
  const found = readLoneEnd(text, isWhole);
  return found === 'undecided' ? undefined : found;
}

/** As findLoneEnd, for text that goes on: `undecided` until enough text behind the tag has come. */
export function readLoneEnd(text: string, isWhole = false): Place | 'undecided' | undefined {
  if (!text.includes('</')) return undefined;
  const found = END.exec(text);
  if (!found) return undefined;
  const before = text.slice(0, found.index);
  const end = found.index + found[0].length;
  const after = text.slice(end);
  if (START.test(before) || isInCode(before)) return undefined;
  // The text behind a blank decides whether the tag is a word of a sentence.
  if (!isWhole && /^\s*$/.test(after)) return 'undecided';
  return !after.startsWith('`') && isOwnTag(before, after) ? { start: found.index, end } : undefined;
}

function isOwnTag(before: string, after: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() === '') return !isShown(before, line, after);
  if (/[ \t]$/.test(line)) return SENTENCE_END_AND_BLANK.test(line) && NEW_LINE.test(after);
  if (NEW_PARAGRAPH.test(after)) return !/["'“‘«([{<=]$/.test(line);
  return SENTENCE_END.test(line) && !/^[ \t]*[,.;:)]|^[ \t]+\p{Ll}/u.test(after);
}

/** Returns true for a tag on a line of its own that is an example: it is indented, or a colon announces it and text follows below. */
function isShown(before: string, line: string, after: string): boolean {
  if (/^(?: {4}|\t)/.test(line)) return true;
  return /[:：]\s*$/.test(before) && NEW_LINE.test(after) && !/^[ \t]*\r?\n[ \t]*\r?\n/.test(after);
}

function isInCode(before: string): boolean {
  const fences = before.match(FENCE_LINE)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if ((line.match(BACKTICKS)?.length ?? 0) % 2 === 1) return true;
  return ['code', 'pre'].some(tag => before.lastIndexOf(`<${tag}`) > before.lastIndexOf(`</${tag}`));
}
