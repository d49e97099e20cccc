/** Extracts text, links, structure or search hits from a page; runs in a worker thread. */
import { type ExtractedPage, type ExtractType, type FetchedPage, type SearchHit, WebError, type WebErrorCode } from '../../port/web';
import { clipStart } from '../../utils/clip_text';
import { decodePage } from './charset';
import { stripMarkup, tidyText } from './markup_text';
import { linksOf, openDocument } from './page_document';
import { kindOf } from './page_kind';
import { toMarkdown } from './page_markdown';
import { STRUCTURE_LINKS, STRUCTURE_TEXT_UNITS, toStructure } from './page_structure';
import { isParseable } from './parse_limits';
import { extractPdf } from './pdf_text';
import { readResultPage } from './result_page';

/** The workerData of a thread. */
export type PageJob = { page: FetchedPage } & (
  | { kind: 'extract'; type: ExtractType }
  /** Text and addresses without a DOM, in linear time. */
  | { kind: 'plain'; type: ExtractType }
  | { kind: 'results' }
);

/** The result of a thread, or that it exceeded its time or memory. */
export type PageJobAnswer =
  | { page: ExtractedPage }
  | { hits: SearchHit[] }
  | { refused: { code: WebErrorCode; message: string; messageZh: string } }
  | { overrun: true };

/** Characters of one text; a longer one is cut before it is copied to the main thread. */
const MAX_TEXT_LENGTH = 500_000;
const MAX_LINKS = 500;

/** Reads a page in the thread. Resolves expected failures as `refused`. */
export async function doPageJob(job: PageJob): Promise<PageJobAnswer> {
  try {
    return job.kind === 'results' ? { hits: readResults(job.page) } : { page: limited(await extractPage(job.page, job)) };
  } catch (thrown) {
    if (thrown instanceof WebError) return { refused: { code: thrown.code, message: thrown.message, messageZh: thrown.messageZh } };
    const message = 'The content is damaged or too hard to read.';
    return { refused: { code: 'unreadable', message, messageZh: '内容已损坏，或者过于复杂而无法读取。' } };
  }
}

function readResults(page: FetchedPage): SearchHit[] {
  const html = decodePage(page.bytes, page.contentType);
  return isParseable(html) ? readResultPage(html, page.finalUrl) : [];
}

async function extractPage(
  page: FetchedPage,
  { type, kind: manner }: { type: ExtractType; kind: 'extract' | 'plain' },
): Promise<ExtractedPage> {
  const kind = kindOf(page);
  if (kind === 'other') {
    const name = typeNameOf(page);
    throw new WebError(
      'unsupported_content',
      `This is ${name}; only HTML, text and PDF can be read.`,
      `这是 ${name}；只能读取 HTML、文本和 PDF。`,
    );
  }
  if (kind === 'pdf') {
    if (page.clipped || manner === 'plain')
      throw new WebError('unreadable', 'The PDF is too large or too hard to read.', '这个 PDF 过大或过于复杂，无法读取。');
    return extractPdf(page.bytes, type);
  }
  const text = decodePage(page.bytes, page.contentType);
  const isRich = kind === 'html' && manner === 'extract' && isParseable(text);
  const rich = isRich ? tryExtractHtml(text, page.finalUrl, type) : undefined;
  const read = rich ?? extractPlain(text, { type, isMarkup: kind === 'html' });
  return page.clipped ? { ...read, cut: true } : read;
}

/** Returns the name of the media type alone; the rest of the header is untrusted. */
const typeNameOf = ({ contentType }: FetchedPage): string => /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(contentType)?.[0] ?? 'binary data';

/** Returns undefined when a parser fails; extractPlain still reads the text of such a page. */
function tryExtractHtml(html: string, url: string, type: ExtractType): ExtractedPage | undefined {
  try {
    return extractHtml(html, url, type);
  } catch {
    return undefined;
  }
}

function extractHtml(html: string, url: string, type: ExtractType): ExtractedPage {
  switch (type) {
    case 'text':
      return { type, ...toMarkdown(html, url) };
    case 'links': {
      const { root, title } = openDocument(html, url);
      return { type, title, links: linksOf(root, MAX_LINKS) };
    }
    case 'structured':
      return { type, ...toStructure(html, url) };
  }
}

const ADDRESS = /https?:\/\/[^\s<>"'`\])]{1,2000}/g;

function extractPlain(text: string, { type, isMarkup }: { type: ExtractType; isMarkup: boolean }): ExtractedPage {
  const cut = isMarkup && { cut: true };
  if (type === 'text') return { type, text: isMarkup ? stripMarkup(text) : text.trim(), ...cut };
  const limit = type === 'links' ? MAX_LINKS : STRUCTURE_LINKS;
  const links = [...new Set(text.match(ADDRESS))].slice(0, limit).map(url => ({ text: '', url }));
  return type === 'links'
    ? { type, links, ...cut }
    : { type, structure: { text: startOf(text, isMarkup), headings: [], links, tables: [], jsonLd: [] }, ...cut };
}

const startOf = (text: string, isMarkup: boolean): string => clipStart(isMarkup ? stripMarkup(text) : text.trim(), STRUCTURE_TEXT_UNITS);

function limited(page: ExtractedPage): ExtractedPage {
  if (page.type !== 'text' || page.text.length <= MAX_TEXT_LENGTH) return page;
  return { ...page, text: tidyText(page.text.slice(0, MAX_TEXT_LENGTH)), cut: true };
}
