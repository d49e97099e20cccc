/** Compares and shows names of files that look the same on a screen, such as one with U+202F and one with a space. */

const QUOTES: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '‚': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '‟': '"' };
/** Controls, line separators, every blank but the space, and invisible characters, except the joiners of scripts and emoji. */
const ODD = /[\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}|(?![\u200c\u200d])\p{Cf}/u;
/** Combining marks, and the letters that a decomposed Korean syllable consists of. */
const DECOMPOSED = /[\p{M}\u1100-\u11ff]/u;
const PLAIN = /^[\x21-\x7e]*$/;

/**
 * Returns the same text for names that look the same: odd blanks, curly quotes, dashes, full-width and decomposed characters are replaced by the
 * plain ones, invisible characters and outer blanks are left out. The escape \u202f counts as its character.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name) && !name.includes('\\')) return name;
  return name
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[‘’‚‛“”„‟]/g, quote => QUOTES[quote] ?? quote)
    .normalize('NFKC')
    .replace(/\p{Cf}|\p{Variation_Selector}|\u034f/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s/gu, ' ')
    .trim();
}

/** Returns the name itself, or as JSON with escapes when it has controls, odd blanks or invisible characters. */
export const visibleName = (name: string): string => (ODD.test(name) ? quoted(name, character => ODD.test(character)) : name);

/** Returns the name as JSON, with an escape for every character that another name may have in a form that looks the same. */
export const distinctName = (name: string): string =>
  quoted(name, character => ODD.test(character) || DECOMPOSED.test(character) || foldName(character) !== character.trim());

function quoted(name: string, isEscaped: (character: string) => boolean): string {
  const show = (character: string): string => {
    if (/[\p{Cc}"\\]/u.test(character)) return JSON.stringify(character).slice(1, -1);
    return isEscaped(character) ? character.split('').map(toEscape).join('') : character;
  };
  return `"${Array.from(name, show).join('')}"`;
}

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
