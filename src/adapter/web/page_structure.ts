/** Extracts structured data from a page: headings, links, tables, metadata and JSON-LD. */
import type { PageStructure } from '../../port/web';
import { clipStart } from '../../utils/clip_text';
import { linksOf, oneLine, openDocument, type PageElement } from './page_document';
import { openContent } from './page_furniture';
import { tableRows } from './page_markdown';

/** UTF-16 units. */
export const STRUCTURE_TEXT_UNITS = 5_000;
export const STRUCTURE_LINKS = 20;
const MAX_HEADINGS = 200;
const MAX_TABLES = 20;
const MAX_TABLE_ROWS = 100;
const MAX_JSON_LD_LENGTH = 100_000;

export function toStructure(html: string, url: string): { title: string; structure: PageStructure } {
  const { root, title } = openDocument(html, url);
  const attribute = (selector: string, name: string) => oneLine(root.querySelector(selector)?.getAttribute(name) ?? '');
  const description = attribute('meta[name="description" i]', 'content') || attribute('meta[property="og:description"]', 'content');
  const language = oneLine(root.getAttribute('lang') ?? '');
  const canonicalUrl = attribute('link[rel="canonical"]', 'href');
  const content = openContent(html, url).body;
  const structure = {
    description: description || undefined,
    language: language || undefined,
    canonicalUrl: canonicalUrl || undefined,
    text: content ? seenText(content) : '',
    headings: headingsOf(root),
    links: content ? linksOf(content, STRUCTURE_LINKS, url) : [],
    tables: [...root.querySelectorAll('table')].slice(0, MAX_TABLES).map(table => tableRows(table, MAX_TABLE_ROWS)),
    jsonLd: jsonLdOf(root),
  };
  return { title: title || attribute('meta[property="og:title"]', 'content'), structure };
}

function seenText(content: PageElement): string {
  for (const script of [...content.querySelectorAll('script')]) script.remove();
  return clipStart(oneLine(content.textContent ?? ''), STRUCTURE_TEXT_UNITS);
}

function headingsOf(root: PageElement): PageStructure['headings'] {
  const elements = [...root.querySelectorAll('h1, h2, h3, h4, h5, h6')].slice(0, MAX_HEADINGS);
  return elements
    .map(element => ({ level: Number(element.localName.slice(1)), text: oneLine(element.textContent ?? '') }))
    .filter(({ text }) => text !== '');
}

function jsonLdOf(root: PageElement): unknown[] {
  const blocks: unknown[] = [];
  let length = 0;
  for (const element of root.querySelectorAll('script[type="application/ld+json"]')) {
    const text = element.textContent ?? '';
    length += text.length;
    if (length > MAX_JSON_LD_LENGTH) break;
    try {
      blocks.push(JSON.parse(text));
    } catch {
      // Skip a block that is not valid JSON.
    }
  }
  return blocks;
}
