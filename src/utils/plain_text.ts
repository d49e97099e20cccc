/** Cleans text that is kept: characters that show nothing can hide words from a person and from checks, and carry instructions to a model. */

/** Format characters without the two joiners, selectors of a variant, and fillers. */
const HIDDEN =
  /(?!\u200c|\u200d)\p{Cf}|\u034f|[\u115f\u1160]|\u17b4|\u17b5|[\u3164\uffa0]|[\ufe00-\ufe0d]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** A joiner joins letters of some scripts, and parts of emoji; a second one in a row joins nothing. */
const LOOSE_JOINERS = /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200c|\u200d)/gu;
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/g;

/** Removes control characters and characters that show nothing, and white space at the ends; lines stay. Never longer than `text`. */
export function toPlainText(text: string): string {
  const composed = text.normalize('NFC');
  return (composed.length <= text.length ? composed : text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(HIDDEN, '')
    .replace(LOOSE_JOINERS, '')
    .trim();
}

/** Returns the text for checks that look for words in it: wide letters become plain ones, and invisible joiners are removed. */
export const toCheckedText = (text: string): string => toPlainText(text).replace(JOINERS, '').normalize('NFKC');
