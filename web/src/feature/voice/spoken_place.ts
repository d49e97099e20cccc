/** Puts spoken words into a text. Pure. */

/** The text around the words. */
export interface SpokenPlace {
  before: string;
  after: string;
  /** Length of the words that the person has changed since; they belong to `before` now. */
  taken: number;
}

export const placeAt = (text: string, cursor: number): SpokenPlace => ({
  before: text.slice(0, cursor),
  after: text.slice(cursor),
  taken: 0,
});

/** The place after the person has changed the text: further words come at its end. `said`: all words so far. */
export const placeBehind = (text: string, said: string): SpokenPlace => ({ before: text, after: '', taken: said.length });

/** Returns the text with the words. A blank keeps them apart from their neighbours, but not beside Chinese. */
export function insertSpoken({ before, after, taken }: SpokenPlace, said: string): string {
  const words = said.slice(taken).trim();
  if (words === '') return before + after;
  return join(join(before, words), after);
}

const join = (left: string, right: string): string => {
  const isApart = left === '' || right === '' || /\s$/.test(left) || /^[\s.,!?;:)]/.test(right);
  return isApart || WIDE.test(left.at(-1) ?? '') || WIDE.test(right) ? left + right : `${left} ${right}`;
};

/** Characters of scripts without blanks between words, and their punctuation. */
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff65]/u;
