/** Finds characters that show nothing or reorder the visible text: they can hide words from a person who reads a text before a model does. */

const CONTROL = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const ZERO_WIDTH = String.raw`\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0`;
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;
const INVISIBLE = new RegExp(`[${CONTROL}${BIDI}${ZERO_WIDTH}${TAGS}]`, 'u');
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
/** Joins the parts of one emoji. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

/** Returns the first such character as its code, such as U+202E; undefined when the text has none. Line feeds and tabs are allowed. */
export function findInvisible(text: string): string | undefined {
  const found = INVISIBLE.exec(text.replace(EMOJI_JOINER, ''))?.[0];
  return found === undefined ? undefined : `U+${codeOf(found)}`;
}

/** Returns the text with each such character replaced by its code in angle brackets. */
export const showInvisible = (text: string): string => text.replace(EVERY_INVISIBLE, character => `<U+${codeOf(character)}>`);

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Returns the text without such characters. Emoji that consist of several parts fall apart. */
export const removeInvisible = (text: string): string => text.replace(EVERY_INVISIBLE, '');
