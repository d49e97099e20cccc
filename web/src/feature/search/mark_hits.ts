/** Finds the words of a query in plain text, so that the page can mark them. */

export interface Segment {
  text: string;
  isHit: boolean;
}

/** Han characters have no spaces between words: the search finds them by pairs. */
const HAN = /^[\p{Script=Han}]{3,}$/u;

/** Splits the text into segments; together they are the text. Upper and lower case count as equal. */
export function markHits(text: string, query: string): Segment[] {
  const words = query.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '');
  const whole = findAll(text, words);
  // Mark pairs only of words that do not occur as a whole.
  const pairs = words.filter(word => HAN.test(word) && findAll(text, [word]).length === 0).flatMap(pairsOf);
  return toSegments(text, merge([...whole, ...findAll(text, pairs)]));
}

/** Returns the different hits in the text, as they stand there. */
export function hitWords(text: string, query: string): string[] {
  return [...new Set(markHits(text, query).flatMap(segment => (segment.isHit ? [segment.text] : [])))];
}

/** Start and end of a hit. */
type Range = readonly [number, number];

function findAll(text: string, words: readonly string[]): Range[] {
  if (words.length === 0) return [];
  // Longer words first: "chats" must not become "chat" and "s".
  const pattern = [...words]
    .sort((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');
  return [...text.matchAll(new RegExp(pattern, 'giu'))].map(match => [match.index, match.index + match[0].length] as const);
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])];
    else merged.push(range);
  }
  return merged;
}

function toSegments(text: string, hits: readonly Range[]): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const [from, to] of hits) {
    if (from > end) segments.push({ text: text.slice(end, from), isHit: false });
    segments.push({ text: text.slice(from, to), isHit: true });
    end = to;
  }
  if (end < text.length) segments.push({ text: text.slice(end), isHit: false });
  return segments;
}

function escapeRegExp(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
