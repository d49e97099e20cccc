/**
 * Stands in for the package `entities` in the built pages (see vite.config.mjs): markdown-it asks it for single references such as
 * `&copy;`, and the browser knows them all. The package's table would be a seventh of the page.
 */
const field = document.createElement('textarea');

/** The character of one reference, `&name;` or `&#number;`; a reference that does not exist comes back as it is. */
export function decodeHTML(reference: string): string {
  field.innerHTML = reference;
  return field.textContent ?? '';
}

/** markdown-it only passes references with their semicolon, so nothing is left to be strict about. */
export const decodeHTMLStrict = decodeHTML;
