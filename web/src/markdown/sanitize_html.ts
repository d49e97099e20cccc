import DOMPurify from 'dompurify';
import { FILES } from './file_links';

const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'strong', 'em', 's', 'a'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'span', 'sup', 'section'],
];
const ALLOWED_ATTR = ['href', 'target', 'rel', 'class', 'start', 'tabindex'];

/** DOMPurify takes the value of every other attribute for an address and would remove these. */
const NO_ADDRESSES = ['target', 'rel', 'start', 'tabindex'];
/** Addresses that lead out of the page, to a note of the same answer, or to a file of the workspace. */
const ALLOWED_ADDRESS = new RegExp(`^(?:(?:https?|mailto):|#footnote-\\d+$|${FILES.replace(/[^\w/]/g, '\\$&')})`, 'i');

/** Removes everything that the Markdown renderer does not produce. */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, {
    ADD_URI_SAFE_ATTR: NO_ADDRESSES,
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: ALLOWED_ADDRESS,
  });
}
