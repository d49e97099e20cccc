import DOMPurify from 'dompurify';

const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'strong', 'em', 's', 'a'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'div'],
];
const ALLOWED_ATTR = ['href', 'target', 'rel', 'class', 'start', 'tabindex'];

/** Removes everything that the Markdown renderer does not produce. */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false, ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i });
}
