/// <reference path="../markdown/markdown_it.d.ts" />
/** Renders a page of docs/ as html of the API page. Links between guides stay on the page, and headings get anchors. */
import MarkdownIt from 'markdown-it';
import { GUIDES, guideAnchor, slugOf } from './guides';

/** A host that does not exist. It tells links inside docs/ from links to the web. */
const DOCS = 'https://docs.invalid/';
/** Matches the link to the other language, which the page does not need. */
const LANGUAGE_LINK = / ?\[(?:English|中文)\]\([^)]*\)/;

/** Renders the sections of the guide `name` one by one, each when it is asked for. Raw html is shown as text. Pure. */
export function* guideSections(source: string, name: string): Generator<string> {
  const markdown = createRenderer(name);
  for (const section of sectionsOf(source.replace(LANGUAGE_LINK, ''))) {
    const env = {};
    yield markdown.renderer.render(markdown.parse(section, env), markdown.options, env);
  }
}

/** Cuts before each heading of the second level that stands outside of a code block. */
function sectionsOf(source: string): string[] {
  const sections: string[][] = [[]];
  let isCode = false;
  for (const line of source.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode;
    if (!isCode && line.startsWith('## ')) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections.map(lines => lines.join('\n'));
}

function createRenderer(name: string): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false, breaks: false });
  const { rules } = markdown.renderer;
  rules['heading_open'] = (tokens, index, options, ...[, self]) => {
    const section = slugOf(tokens[index + 1]?.content ?? '');
    tokens[index]?.attrSet('id', guideAnchor({ name, section }));
    return self.renderToken(tokens, index, options);
  };
  rules['link_open'] = (tokens, index) => {
    const href = linkOf(tokens[index]?.attrGet('href') ?? '', name);
    if (href === undefined) return '<a>';
    const opens = href.startsWith('#') ? '' : ' target="_blank" rel="noopener noreferrer"';
    return `<a href="${markdown.utils.escapeHtml(href)}"${opens}>`;
  };
  // Alignment comes as a style attribute, which the content security policy forbids.
  rules['td_open'] = () => '<td>';
  // A header without a text would be announced as a header of nothing.
  const headTag = (title: { content: string } | undefined) => (title?.content === '' ? 'td' : 'th');
  rules['th_open'] = (tokens, index) => `<${headTag(tokens[index + 1])}>`;
  rules['th_close'] = (tokens, index) => `</${headTag(tokens[index - 1])}>`;
  rules['table_open'] = () => '<div class="table-scroll" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  return markdown;
}

/** Resolves the target of a link; undefined for a file that the page does not show. */
function linkOf(href: string, name: string): string | undefined {
  const url = new URL(href, `${DOCS}${name}.md`);
  if (url.origin !== new URL(DOCS).origin) return href;
  const target = url.pathname.slice(1).replace(/(?:\.zh-CN)?\.md$/, '');
  if (!GUIDES.some(guide => guide.name === target)) return undefined;
  const section = decodeURIComponent(url.hash.slice(1));
  return `#${guideAnchor({ name: target, section: section || undefined })}`;
}
