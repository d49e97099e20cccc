/// <reference path="./markdown_it.d.ts" />
/** Splits Markdown into its top-level blocks, each ready to be shown by itself. */
import MarkdownIt from 'markdown-it';
import { isFileLink, toFileLink } from './file_links';
import { readFootnotes } from './footnotes';
import { readFormulas } from './math_rules';
import { readTaskLists } from './task_lists';

/**
 * `start` and `end` are offsets into the source; together the blocks cover it in order. `rendered` is the html before it was sanitised. `isNotes`: the
 * footnotes, which stand below all other blocks.
 */
export type MarkdownBlock =
  | HtmlBlock
  | { kind: 'formula'; tex: string; start: number; end: number }
  | { kind: 'code'; language: string; code: string; start: number; end: number };

interface HtmlBlock {
  kind: 'html';
  html: string;
  rendered: string;
  start: number;
  end: number;
  isTable?: boolean;
  isNotes?: boolean;
}

export interface MarkdownParser {
  /** `sanitised`: html by the rendered html that it was made from. Sanitising takes longer than parsing. */
  parse(source: string, sanitised?: ReadonlyMap<string, string>): MarkdownBlock[];
}

/** The class of a link to an image of another server. */
export const FOREIGN_IMAGE = 'foreign-image';

const FOREIGN = /^https?:/i;
const SAFE_URL = /^(https?:|mailto:)/i;

/**
 * `sanitize` is applied to the html of every block. `hasFiles: false`, for a reader who may have no login: links to files of the workspace stay text,
 * and images of other servers stay links.
 */
export function createMarkdownParser(sanitize: (html: string) => string, { hasFiles = true }: { hasFiles?: boolean } = {}): MarkdownParser {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  // "README.md" is a file here, not a host in Moldova.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { normalizeLink } = markdown;
  if (hasFiles) markdown.normalizeLink = url => toFileLink(url) ?? normalizeLink(url);
  markdown.validateLink = url => SAFE_URL.test(url) || (hasFiles && isFileLink(url));
  readFormulas(markdown);
  readTaskLists(markdown);
  readFootnotes(markdown);
  const { rules } = markdown.renderer;
  rules['link_open'] = (tokens, index, options, ...[, self]) => {
    tokens[index]?.attrSet('target', '_blank');
    tokens[index]?.attrSet('rel', 'noopener noreferrer');
    return self.renderToken(tokens, index, options);
  };
  // Shows a link instead of loading the image: the request could send data to a foreign host. A click on the link loads the image: see components/answer/foreign_image.ts.
  rules['image'] = (tokens, index) => {
    const address = tokens[index]?.attrGet('src') ?? '';
    const text = markdown.utils.escapeHtml(tokens[index]?.content || 'image');
    const kind = hasFiles && FOREIGN.test(address) ? ` class="${FOREIGN_IMAGE}"` : '';
    return `<a href="${markdown.utils.escapeHtml(address)}"${kind} target="_blank" rel="noopener noreferrer">${text}</a>`;
  };
  // Alignment comes as a style attribute, which the content security policy forbids.
  rules['th_open'] = rules['td_open'] = (tokens, index) => {
    const tag = tokens[index]?.tag ?? 'td';
    const align = /text-align:(left|center|right)/.exec(tokens[index]?.attrGet('style') ?? '')?.[1];
    return align ? `<${tag} class="align-${align}">` : `<${tag}>`;
  };
  rules['table_open'] = () => '<div class="table-scroll" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';

  return {
    parse: (source, sanitised) => {
      const env = {};
      const tokens = markdown.parse(source, env);
      const lines = lineOffsets(source);
      return groupTopLevel(tokens).map(group => {
        const [first] = group;
        // The footnotes alone have no lines of their own: their texts may stand anywhere.
        const [from, to] = first.map ?? [lines.length - 1, lines.length - 1];
        const range = { start: lines[from] ?? 0, end: lines[to] ?? source.length };
        if (first.type === 'fence' || first.type === 'code_block') {
          return { kind: 'code', language: first.info.trim().split(/\s+/)[0] ?? '', code: first.content, ...range };
        }
        if (first.type === 'formula_block') return { kind: 'formula', tex: first.content, ...range };
        const rendered = markdown.renderer.render(group, markdown.options, env);
        const html = sanitised?.get(rendered) ?? sanitize(rendered);
        const isNotes = first.type === 'footnote_block_open';
        return { kind: 'html', html, rendered, isTable: first.type === 'table_open', isNotes, ...range };
      });
    },
  };
}

type Token = ReturnType<MarkdownIt['parse']>[number];
type TokenGroup = [Token, ...Token[]];

function groupTopLevel(tokens: readonly Token[]): TokenGroup[] {
  const groups: TokenGroup[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([token]);
    else groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

/** Lists the offset of each line's first character, and the end of the text. */
function lineOffsets(source: string): number[] {
  const offsets = [0];
  for (let index = source.indexOf('\n'); index >= 0; index = source.indexOf('\n', index + 1)) offsets.push(index + 1);
  offsets.push(source.length);
  return offsets;
}
