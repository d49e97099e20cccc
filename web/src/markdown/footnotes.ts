/// <reference path="./markdown_it.d.ts" />
/** Shows `[^1]` as a raised number and the notes below the answer. The links stay inside their answer, because many answers stand on one page. */
import type MarkdownIt from 'markdown-it';
import footnote from 'markdown-it-footnote';

export function readFootnotes(markdown: MarkdownIt): void {
  markdown.use(footnote);
  // `^[a-z]+` in prose is a pattern, not a note: the rule would take the text between the brackets out of the sentence.
  markdown.inline.ruler.disable('footnote_inline');
  const { rules } = markdown.renderer;
  rules['footnote_ref'] = (tokens, index) => {
    const number = (tokens[index]?.meta?.id ?? 0) + 1;
    return `<sup class="footnote-ref"><a href="#footnote-${number}">${number}</a></sup>`;
  };
  rules['footnote_block_open'] = () => '<section class="footnotes"><ol>\n';
  rules['footnote_block_close'] = () => '</ol></section>\n';
  rules['footnote_open'] = () => '<li tabindex="-1">';
  rules['footnote_anchor'] = () => '';
}

/** Shows the note that a link of an answer names. Returns whether the clicked element is such a link. */
export function followFootnote(target: Element, answer: Element): boolean {
  const number = /^#footnote-(\d+)$/.exec(target.closest('a')?.getAttribute('href') ?? '')?.[1];
  if (number === undefined) return false;
  const note = answer.querySelector<HTMLElement>(`.footnotes > ol > li:nth-child(${number})`);
  note?.focus({ preventScroll: true });
  note?.scrollIntoView({ block: 'nearest' });
  return true;
}
