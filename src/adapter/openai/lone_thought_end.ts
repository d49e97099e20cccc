/** Finds the end tag of thoughts that the prompt has opened: the answer then has an end tag and no start tag. */
import { THOUGHT_TAGS } from '../../utils/thought_tags';

const NAMES = THOUGHT_TAGS.join('|');
const END = new RegExp(`</(${NAMES})\\s*>`, 'i');
const START = new RegExp(`<(${NAMES})\\b`, 'i');
const BACKTICKS = /`+/g;
const FENCE_LINE = /^ {0,3}(```|~~~)/gm;
/** A word or the end of a sentence: a tag that follows it without a blank is no word of a sentence. */
const SENTENCE_END = /[\p{L}\p{N}.!?。！？…]$/u;

/**
 * Returns where the tag begins and ends; undefined when the text has none, or only talks about it: in code, after a start tag, or as a word of a
 * sentence. `isWhole`: no further text follows.
 */
export function findLoneEnd(text: string, isWhole: boolean): { start: number; end: number } | undefined {
  if (!text.includes('</')) return undefined;
  const found = END.exec(text);
  if (!found) return undefined;
  const before = text.slice(0, found.index);
  const end = found.index + found[0].length;
  const after = text.slice(end);
  // The text behind a blank decides whether the tag is a word of a sentence.
  if (!isWhole && /^[ \t]*$/.test(after)) return undefined;
  if (START.test(before) || isInCode(before) || after.startsWith('`')) return undefined;
  return isOwnTag(before, after) ? { start: found.index, end } : undefined;
}

function isOwnTag(before: string, after: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() === '') return true;
  return /^[ \t]*(\r?\n[ \t]*\r?\n|$)/.test(after) || (SENTENCE_END.test(before) && !/^[ \t]*[,.;:)]/.test(after));
}

function isInCode(before: string): boolean {
  const fences = before.match(FENCE_LINE)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(BACKTICKS)?.length ?? 0) % 2 === 1;
}
