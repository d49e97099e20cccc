/** The text of a page that is too large or too deeply nested for a DOM. */
import { readMarkup } from './markup_tokens';

/** Elements whose content is not text of the page. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'textarea', 'select']);
const BREAKING =
  /^(?:address|article|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|title|tr|ul)$/;

/** Returns the text without markup, one block a line. Takes linear time. */
export function stripMarkup(html: string): string {
  const pieces: string[] = [];
  let silentElement: string | undefined;
  let lastOpened = '';
  const separate = (name: string) => {
    if (silentElement !== undefined) return;
    if (BREAKING.test(name)) pieces.push('\n');
    else if (name === 'td' || name === 'th') pieces.push(' ');
  };
  readMarkup(html, {
    onOpenTag(name) {
      separate(name);
      lastOpened = name;
      if (SILENT.has(name)) silentElement ??= name;
      return true;
    },
    onCloseTag(name) {
      if (name === silentElement) silentElement = undefined;
      else separate(name);
    },
    onTagEnd(_end, isSelfClosing) {
      // Only foreign elements can be empty in HTML: browsers ignore the slash of other elements.
      if (isSelfClosing && lastOpened === 'svg' && silentElement === 'svg') silentElement = undefined;
    },
    onText(text) {
      if (silentElement === undefined) pieces.push(text);
    },
  });
  return tidyText(pieces.join(''));
}

/** Trims each line and collapses its white space; never leaves two empty lines in a row. */
export function tidyText(text: string): string {
  const lines = text.split('\n').map(line => line.replace(/[^\S\n]+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}
