/** Cuts the part of a message that shows why a search found it: plain text on one line. */
import { clipStart } from '../../utils/clip_text';
import { type SearchToken, searchTokens } from '../../utils/search_tokens';

/** UTF-16 units of a snippet, without its ellipses, and of the text before its first hit. */
const SNIPPET_UNITS = 200;
const LEAD_UNITS = 50;

/** UTF-16 units that are searched at once: most hits are near the start, and a message can be long. Slices overlap by a long word. */
const SLICE_UNITS = 2_000;
const OVERLAP_UNITS = 100;

/** Number of slices after the first hit in which a better place is looked for. */
const MORE_SLICES = 4;

/** Returns the part of the text with the most different words of the query; the start of the text when it has none of the words. */
export function snippetOf(text: string, query: string): string {
  const isHit = hitTest(query);
  let best = { start: 0, words: 0 };
  let slicesLeft = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length && slicesLeft > 0; at += SLICE_UNITS - OVERLAP_UNITS) {
    const hits = searchTokens(text.slice(at, at + SLICE_UNITS)).filter(isHit);
    const place = bestPlace(hits);
    if (place.words > best.words) best = { start: at + place.start, words: place.words };
    slicesLeft = best.words > 0 ? Math.min(slicesLeft, MORE_SLICES + 1) - 1 : slicesLeft;
  }
  return cut(text, best.start);
}

/** Tests as the search does: a word of one character counts only when the query has no longer word, and the last word may be a beginning. */
function hitTest(query: string): (token: SearchToken) => boolean {
  const tokens = searchTokens(query).map(token => token.text);
  const words = new Set(tokens.filter(token => token.length > 1));
  const beginning = words.size === 0 ? tokens[0] : tokens.at(-1);
  if (beginning === undefined || (words.size > 0 && beginning.length === 1)) return ({ text }) => words.has(text);
  return ({ text }) => words.has(text) || text.startsWith(beginning);
}

/** Returns the start of the stretch with the most different words, and their number. `hits`: in the order of the text. O(hits). */
function bestPlace(hits: readonly SearchToken[]): { start: number; words: number } {
  let best = { start: 0, words: 0 };
  const counts = new Map<string, number>();
  let next = 0;
  for (const { start, text } of hits) {
    for (let hit = hits[next]; hit && hit.end <= start + SNIPPET_UNITS - LEAD_UNITS; hit = hits[next]) {
      counts.set(hit.text, (counts.get(hit.text) ?? 0) + 1);
      next += 1;
    }
    if (counts.size > best.words) best = { start, words: counts.size };
    const left = (counts.get(text) ?? 0) - 1;
    if (left > 0) counts.set(text, left);
    else counts.delete(text);
  }
  return best;
}

function cut(text: string, hit: number): string {
  const from = hit <= LEAD_UNITS ? 0 : wordStart(text, hit - LEAD_UNITS, hit);
  const part = clipStart(text.slice(from), SNIPPET_UNITS);
  const to = from + part.length;
  const whole = to < text.length ? part.replace(/(?<=\s)[^\s\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{1,30}$/u, '') : part;
  const line = whole.replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`;
}

/** Returns the start of the first word in [from, to). Without one: `from`, or the unit after it where a character begins. */
function wordStart(text: string, from: number, to: number): number {
  const space = /\s\S/.exec(text.slice(from, to));
  if (space) return from + space.index + 1;
  const unit = text.charCodeAt(from);
  return unit >= 0xdc00 && unit <= 0xdfff ? from + 1 : from;
}
