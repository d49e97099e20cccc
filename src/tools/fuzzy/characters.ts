/**
 * Compares single characters at two strengths:
 * - loose (`foldCharacter`) finds candidate places: white space and accents are dropped, look-alikes become one character;
 * - strict (`canonicalText`) decides whether two tokens are the same: accents count, typography does not.
 */

const EMPTY = '';

/** Typography that models confuse with ASCII. NFKC handles compatibility forms (full width, ligatures and so on). */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...pairs("'", '\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07'),
  ...pairs('"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02'),
  ...pairs('-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'),
  ...pairs('.', '\u3002\uff0e\uff61'),
  ...pairs(',', '\u3001\uff0c\uff64'),
  ...pairs('[', '\u3010\u3014'),
  ...pairs(']', '\u3011\u3015'),
  ...pairs('/', '\u2044'),
]);

const ANY_LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join('')}]`, 'g');
const SPACE = /[\s\u200b\u2060\u00ad]/;
const MARK = /[\p{M}\u200c\u200d]/u;
const MARK_RUN = /[\p{M}\u200c\u200d]*/uy;
const MARKS = /[\p{M}\u200c\u200d]/gu;
const WIDE = /[^\0-\x7f]/;
const ASCII_WORD_UNIT = /[A-Za-z0-9_$]/;

/** Returns true for Unicode spaces, no-break and zero-width spaces, and line ends. */
export function isSpaceCode(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0xad) return code === 0xa0;
  return SPACE.test(String.fromCharCode(code));
}

/** Returns true for a combining mark or joiner. It belongs to the character before it and must not be cut off. */
export function isMarkAt(text: string, index: number): boolean {
  const code = text.codePointAt(index);
  return code !== undefined && code >= 0x300 && MARK.test(String.fromCodePoint(code));
}

/** Returns the offset after the run of combining marks and joiners that begins at `index`. */
export function marksEnd(text: string, index: number): number {
  if (index >= text.length || text.charCodeAt(index) < 0x300) return index;
  const marks = new RegExp(MARK_RUN);
  marks.lastIndex = index;
  marks.test(text);
  return marks.lastIndex;
}

/** Returns true when all characters are ASCII. */
export function isAscii(text: string): boolean {
  return !WIDE.test(text);
}

/** Returns the loose form of one code point: empty for white space and marks, else one or more UTF-16 units. */
export function foldCharacter(character: string): string {
  if (SPACE.test(character)) return EMPTY;
  const alike = LOOK_ALIKES.get(character);
  if (alike !== undefined) return alike;
  let folded = EMPTY;
  for (const part of character.normalize('NFKD').replace(MARKS, EMPTY)) {
    if (!SPACE.test(part)) folded += LOOK_ALIKES.get(part) ?? part;
  }
  return folded;
}

/** Returns the strict form of a token: typography and compatibility forms are unified, accents and letters are kept. */
export function canonicalText(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(ANY_LOOK_ALIKE, character => LOOK_ALIKES.get(character) ?? character).normalize('NFKC');
}

/** Returns true when the strict form contains an ASCII letter, digit, _ or $ and the character itself is not ASCII. */
export function hasAsciiForm(character: string): boolean {
  return !isAscii(character) && ASCII_WORD_UNIT.test(canonicalText(character));
}

function pairs(ascii: string, alikes: string): [string, string][] {
  return [...alikes].map(alike => [alike, ascii]);
}
