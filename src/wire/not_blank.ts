/**
 * Matches a text with a visible character: one that is neither white space nor a control or format character
 * (zero-width, bidi marks, fillers, variation selectors, tags). Written without the `u` flag, so that every JSON Schema validator can use
 * it; tags (U+E0000 to U+E0FFF) are excluded by their surrogates.
 */
export const NOT_BLANK =
  '[^\\s\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u206F\\u2800\\u3164\\uDB40-\\uDB43\\uDC00-\\uDFFF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB]';

const VISIBLE = new RegExp(NOT_BLANK);

/** Returns true when the text has a visible character. */
export const hasVisibleText = (text: string): boolean => VISIBLE.test(text);
