/** Reads the text of a PDF. */
import type { ExtractedPage, ExtractType, PageLink } from '../../port/web';
import { clipStart } from '../../utils/clip_text';
import { STRUCTURE_TEXT_UNITS } from './page_structure';

const MAX_PAGES = 200;
const MAX_LINKS = 500;

/** Extracts the content of a PDF. Rejects when the bytes are not a readable PDF. */
export async function extractPdf(bytes: Uint8Array, type: ExtractType): Promise<ExtractedPage> {
  // Loaded on demand: the package is larger than all other code of the thread.
  const { getDocumentProxy, extractText, extractLinks, getMeta } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  const { info } = await getMeta(pdf);
  const title = typeof info?.['Title'] === 'string' && info['Title'].trim() ? { title: info['Title'].trim() } : {};
  if (type === 'text') {
    const { totalPages, text } = await extractText(pdf, { mergePages: false });
    const pages = text.slice(0, MAX_PAGES).map((page, index) => `## Page ${index + 1} of ${totalPages}\n\n${page.trim()}`);
    return { type, ...title, text: pages.join('\n\n'), cut: totalPages > MAX_PAGES || undefined };
  }
  const addresses = (await extractLinks(pdf)).links.filter(address => /^https?:/i.test(address));
  const links: PageLink[] = [...new Set(addresses)].slice(0, MAX_LINKS).map(url => ({ text: '', url }));
  if (type === 'links') return { type, ...title, links };
  const { text } = await extractText(pdf, { mergePages: true });
  const start = clipStart(text.trim(), STRUCTURE_TEXT_UNITS);
  return { type, ...title, structure: { text: start, headings: [], links, tables: [], jsonLd: [], pages: pdf.numPages } };
}
