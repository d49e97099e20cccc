/** Colours code. A chunk of its own, loaded with the first fence. */
import highlighter from 'highlight.js/lib/common';
import { sanitizeHtml } from './sanitize_html';

/** Longer code stays plain: colouring it would hold up the page. Characters. */
const LIMIT = 20_000;

/** Returns html with class names, never with styles; undefined for a language without a grammar. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > LIMIT || !highlighter.getLanguage(language)) return undefined;
  return sanitizeHtml(highlighter.highlight(code, { language, ignoreIllegals: true }).value);
}
