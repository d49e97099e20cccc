/** Converts the readable part of a page to Markdown. */
import { Readability } from '@mozilla/readability';
import TurndownService from 'turndown';
import { oneLine, type PageDocument, type PageElement } from './page_document';
import { openContent } from './page_furniture';

/** Readability misjudged the page when its article has less text than this; then the whole body is converted. */
const MIN_ARTICLE_LENGTH = 250;
const MIN_ARTICLE_SHARE = 0.1;

export function toMarkdown(html: string, url: string): { title: string; text: string } {
  const page = openContent(html, url);
  const whole = oneLine(page.body?.textContent ?? '');
  const article = readArticle(page);
  const length = article ? oneLine(article.text).length : 0;
  const isArticle = article && length >= Math.max(MIN_ARTICLE_LENGTH, whole.length * MIN_ARTICLE_SHARE);
  // Readability changes the tree, so the body comes from a fresh tree.
  const content = isArticle ? article.content : openContent(html, url).body;
  const title = (isArticle && article.title) || page.title;
  return { title: oneLine(title), text: content ? markdownOf(content) : '' };
}

interface Article {
  title: string;
  text: string;
  content: PageElement;
}

function readArticle(page: PageDocument): Article | undefined {
  const document = (page.root as unknown as { ownerDocument: ConstructorParameters<typeof Readability>[0] }).ownerDocument;
  const article = new Readability<PageElement>(document, { serializer: node => node as unknown as PageElement }).parse();
  if (!article?.content) return undefined;
  return { title: article.title ?? '', text: article.textContent ?? '', content: article.content };
}

function markdownOf(element: PageElement): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' });
  service.remove(['script', 'style', 'button', 'form', 'input', 'select', 'textarea']);
  service.addRule('table', {
    filter: node => node.nodeName === 'TABLE' && isDataTable(node as unknown as PageElement),
    replacement: (_content, node) => `\n\n${tableMarkdown(tableRows(node as unknown as PageElement))}\n\n`,
  });
  // A text shows only the description of an image.
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const label = oneLine((node as unknown as PageElement).getAttribute('alt') ?? '');
      return label && `[image: ${label}]`;
    },
  });
  const markdown = service.turndown(element as unknown as Parameters<TurndownService['turndown']>[0]);
  return markdown.replace(/\n{3,}/g, '\n\n').trim();
}

const isDataTable = (table: PageElement): boolean => table.querySelector('table') === null && table.querySelector('td, th') !== null;

const MAX_ROWS = 500;

/** Returns rows of cells, as plain text. */
export function tableRows(table: PageElement, maxRows = MAX_ROWS): string[][] {
  const rows = [...table.querySelectorAll('tr')].slice(0, maxRows);
  return rows.map(row => [...row.querySelectorAll('th, td')].map(cell => oneLine(cell.textContent ?? ''))).filter(row => row.length > 0);
}

function tableMarkdown(rows: readonly string[][]): string {
  const width = Math.min(50, Math.max(...rows.map(row => row.length)));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => (cells[index] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...rest.map(line)].join('\n');
}
