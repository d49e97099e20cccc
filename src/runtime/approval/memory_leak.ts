/** Finds text of the memory block in the arguments of a call that reaches outside. The prompt holds this text although no tool has read it. */
import type { TaintSource } from '../../port/run_event';
import { clipText } from '../../utils/clip_text';
import { searchTokens } from '../../utils/search_tokens';
import { TextOverlap, toCheckedContent } from './text_overlap';

const MAX_SOURCE_UNITS = 200;
/** A word with at least five digits in a row, such as a telephone number, identifies a memory by itself. */
const LONG_NUMBER = /^(?=.*\d{5})[\p{L}\p{N}]+$/u;

/**
 * Returns the memories whose text the arguments hold, as sources for the question to a person. Words that the person said do not count. A text that
 * is translated, or encoded other than as part of a URL, is not found.
 */
export function memoriesIn(args: unknown, memories: readonly string[], personTexts: readonly string[]): TaintSource[] {
  if (memories.length === 0) return [];
  const content = toCheckedContent(textsIn(args).map(decoded).join('\n'));
  const overlap = new TextOverlap(personTexts);
  const said = new Set(personTexts.flatMap(text => searchTokens(text).map(token => token.text)));
  const holdsNumber = (memory: string) =>
    searchTokens(memory).some(({ text }) => LONG_NUMBER.test(text) && content.all.has(text) && !said.has(text));
  return memories
    .filter(memory => overlap.holdersOf(memory, [content])[0] === true || holdsNumber(memory))
    .map(memory => ({ toolCallId: '', tool: 'memory', kind: 'private', source: clipText(memory, MAX_SOURCE_UNITS) }));
}

/** Arguments are validated, so they are neither deep nor circular. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Percent-encoded parts of a URL, with `+` for a space, are read as the server reads them. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return `${text}\n${spaced.replace(/(?:%[0-9a-f]{2})+/gi, part => Buffer.from(part.replaceAll('%', ''), 'hex').toString('utf8'))}`;
}
