/**
 * Patterns that match the beginning of a text which is still arriving: they tell a text that cannot match any more from one that is too short to
 * decide. More text never turns a match into a mismatch.
 */

/** The index behind the match; `open`: the text ended before the pattern was decided; `none`: the text does not match the pattern. */
export type Match = number | 'open' | 'none';
export type Pattern = (text: string, at: number) => Match;

/** Matches these characters exactly. */
export function literal(word: string): Pattern {
  return (text, at) => {
    if (text.startsWith(word, at)) return at + word.length;
    return text.length - at < word.length && word.startsWith(text.slice(at)) ? 'open' : 'none';
  };
}

/** Matches any number of characters that fit, also none. */
function any(fits: RegExp): Pattern {
  return (text, at) => {
    let i = at;
    while (i < text.length && fits.test(text.charAt(i))) i++;
    return i;
  };
}

/** Matches a word of 1 to `most` characters; it ends with the first character that does not fit. `accepts`: the words that match. */
export function word(fits: RegExp, most: number, accepts: (found: string) => boolean = () => true): Pattern {
  return (text, at) => {
    let i = at;
    while (i < text.length && fits.test(text.charAt(i))) i++;
    if (i - at > most) return 'none';
    if (i === text.length) return 'open';
    return i > at && accepts(text.slice(at, i)) ? i : 'none';
  };
}

/** Looks at the next character without matching it. */
export const peek =
  (fits: RegExp): Pattern =>
  (text, at) =>
    at === text.length ? 'open' : fits.test(text.charAt(at)) ? at : 'none';

/** Matches the patterns one after the other. */
export function sequence(...patterns: readonly Pattern[]): Pattern {
  return (text, at) => {
    let i = at;
    for (const pattern of patterns) {
      const match = pattern(text, i);
      if (typeof match !== 'number') return match;
      i = match;
    }
    return i;
  };
}

/** Matches the first pattern that fits; waits while an earlier one is still undecided. */
export function oneOf(...patterns: readonly Pattern[]): Pattern {
  return (text, at) => {
    for (const pattern of patterns) {
      const match = pattern(text, at);
      if (match !== 'none') return match;
    }
    return 'none';
  };
}

export const optional = (pattern: Pattern): Pattern => oneOf(pattern, (_text, at) => at);

export const spaces = any(/\s/);
export const blanks = any(/[ \t\r]/);
