/** Removes the marks of Markdown from a text that is shown in brief. Pure; not for HTML, which stays text. */

const FENCE = /(^|\s)(?:~{3,}|`{3,})(?:[\w+-]+(?=\s|$))?/g;
const BLOCK_MARK = /^[ \t]*(?:#{1,6}|>+|[*+-]|\d+[.)])[ \t]+/gm;
const LINK = /!?\[([^\]]*)\]\([^)\s]*\)/g;
const EMPHASIS = /(\*\*|~~)(?=\S)(.+?)\1/g;
const CODE = /`([^`\n]+)`/g;

/** Returns the words without headings, lists, fences, links, bold text and code marks. Single `*` and all `_` stay: they are often no marks. */
export function toPlainText(markdown: string): string {
  return markdown.replace(FENCE, '$1').replace(BLOCK_MARK, '').replace(LINK, '$1').replace(EMPHASIS, '$2').replace(CODE, '$1').trim();
}
