/**
 * Replaces the package `entities` in the built pages (see vite.config.mjs): markdown-it decodes single references such as `&copy;` with it,
 * and the browser knows them all. The package's table would be a seventh of the page.
 */
const field = document.createElement('textarea');

/** Decodes one reference, `&name;` or `&#number;`. Returns a reference that does not exist unchanged. */
export function decodeHTML(reference: string): string {
  field.innerHTML = reference;
  return field.textContent ?? '';
}

/** Decodes like decodeHTML: the two differ for references without a semicolon alone, and markdown-it passes none. */
export const decodeHTMLStrict = (reference: string): string => decodeHTML(reference);
