/** What a page thread does: bytes in, what they say out. */
import { type ExtractedPage, type ExtractType, type FetchedPage, type SearchHit, WebError, type WebErrorCode } from '../../port/web';
import { decodePage } from './charset';
import { isTame, stripMarkup, tidyText } from './markup_scan';
import { linksOf, openDocument } from './page_document';
import { kindOf } from './page_kind';
import { toMarkdown } from './page_markdown';
import { toStructure } from './page_structure';
import { extractPdf } from './pdf_text';
import { readResultPage } from './result_page';

/** What a thread is given as its workerData. */
export type PageJob = { page: FetchedPage } & ({ kind: 'extract'; type: ExtractType } | { kind: 'results' });

/** What a thread answers. */
export type PageJobAnswer = { page: ExtractedPage } | { hits: SearchHit[] } | { refused: { code: WebErrorCode; message: string } };

/** Characters of one text; more is not read by anybody and would have to be copied. */
const MAX_TEXT_LENGTH = 500_000;
const MAX_LINKS = 500;

/** An expected failure is an answer too. */
export async function doPageJob(job: PageJob): Promise<PageJobAnswer> {
  try {
    return job.kind === 'results' ? { hits: readResults(job.page) } : { page: limited(await extractPage(job.page, job.type)) };
  } catch (thrown) {
    if (thrown instanceof WebError) return { refused: { code: thrown.code, message: thrown.message } };
    return { refused: { code: 'unreadable', message: 'The content is damaged or too hard to read.' } };
  }
}

function readResults(page: FetchedPage): SearchHit[] {
  const html = decodePage(page.bytes, page.contentType);
  return isTame(html) ? readResultPage(html, page.finalUrl) : [];
}

async function extractPage(page: FetchedPage, type: ExtractType): Promise<ExtractedPage> {
  const kind = kindOf(page);
  if (kind === 'other') {
    throw new WebError('unsupported_content', `This is ${page.contentType || 'binary data'}; only HTML, text and PDF can be read.`);
  }
  if (kind === 'pdf') {
    if (page.clipped) throw new WebError('unreadable', 'The PDF is larger than 2 MiB and cannot be read in part.');
    return extractPdf(page.bytes, type);
  }
  const text = decodePage(page.bytes, page.contentType);
  const read = kind === 'html' ? extractHtml(text, page.finalUrl, type) : extractPlain(text, type);
  return page.clipped ? { ...read, cut: true } : read;
}

function extractHtml(html: string, url: string, type: ExtractType): ExtractedPage {
  if (!isTame(html)) return { ...extractPlain(stripMarkup(html), type), cut: true };
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

function extractPlain(text: string, type: ExtractType): ExtractedPage {
  if (type === 'text') return { type, text: text.trim() };
  const links = [...new Set(text.match(/https?:\/\/[^\s<>"'`\])]{1,2000}/g))].slice(0, MAX_LINKS).map(url => ({ text: '', url }));
  if (type === 'links') return { type, links };
  return { type, structure: { headings: [], links, tables: [], jsonLd: [] } };
}

function limited(page: ExtractedPage): ExtractedPage {
  if (page.type !== 'text' || page.text.length <= MAX_TEXT_LENGTH) return page;
  return { ...page, text: tidyText(page.text.slice(0, MAX_TEXT_LENGTH)), cut: true };
}
