/** Fetches a web page and turns it into text for a model; turns expected failures into error results. */
import {
  type ExtractedPage,
  type ExtractType,
  type FetchedPage,
  isTransientStatus,
  type PageLink,
  type WebAccess,
  WebError,
} from '../port/web';
import { clipStart } from '../utils/clip_text';
import { errorResult, inLocale, type ToolContext, type ToolResult } from './common';

export interface ReadPage {
  page: FetchedPage;
  extracted: ExtractedPage;
}

/** Fetches and extracts a page. Rejects with WebError, also for an HTTP status that is not 2xx. */
export async function readPage(web: WebAccess, url: string, options: { type: ExtractType; signal: AbortSignal }): Promise<ReadPage> {
  const page = await web.fetch(url, options.signal);
  if (page.status < 200 || page.status > 299) {
    const isTransient = isTransientStatus(page.status);
    throw new WebError(
      'unreachable',
      `The server answered HTTP ${page.status} instead of the page.`,
      `服务器没有返回页面，而是返回了 HTTP ${page.status}。`,
      { isTransient },
    );
  }
  return { page, extracted: await web.extract(page, options.type, options.signal) };
}

/** Returns the content under its title. */
export function renderPage({ extracted }: ReadPage, ctx: Pick<ToolContext, 'locale'>): string {
  const title = extracted.title ? [`# ${extracted.title}`, ''] : [];
  return [...title, renderContent(extracted, ctx)].join('\n');
}

/** Returns address and state of the page, which stand outside the untrusted text. */
export function pageFacts({ page, extracted }: ReadPage): { url: string; status: number; contentType: string; cut: boolean } {
  return { url: page.finalUrl, status: page.status, contentType: page.contentType.slice(0, 100), cut: extracted.cut ?? false };
}

/** A link of a page in the data for programs. */
interface LinkData {
  text: string;
  href: string;
}

const MAX_DATA_LINKS = 50;
const MAX_DATA_UNITS = 100_000;

/** Returns the content as data for programs: its text, its links, or its structure with up to 5,000 characters of text. */
export function pageData({ page, extracted }: ReadPage, maxUnits = MAX_DATA_UNITS): Record<string, unknown> {
  const title = extracted.title ? { title: extracted.title } : {};
  switch (extracted.type) {
    case 'text':
      return { ...title, text: clipStart(extracted.text, maxUnits), textCut: extracted.text.length > maxUnits || undefined };
    case 'links':
      return { ...title, links: linkData(extracted.links, page.finalUrl) };
    case 'structured':
      return { ...title, ...extracted.structure, links: linkData(extracted.structure.links, page.finalUrl) };
  }
}

/** Leaves out links to anchors of the page itself. */
function linkData(links: readonly PageLink[], pageUrl: string): LinkData[] {
  const [own] = pageUrl.split('#');
  const isElsewhere = ({ url }: PageLink) => !url.includes('#') || url.split('#')[0] !== own;
  return links
    .filter(isElsewhere)
    .slice(0, MAX_DATA_LINKS)
    .map(({ text, url }) => ({ text, href: url }));
}

/** Returns a line that says that the page was cut; '' when it was not. */
export function cutNotice({ extracted }: ReadPage, ctx: Pick<ToolContext, 'locale'>): string {
  if (!extracted.cut) return '';
  return inLocale(
    ctx,
    'Note: the page is too large or too irregular to be shown whole; parts of it are missing.\n',
    '注意：页面过大或结构混乱，以下内容不完整。\n',
  );
}

/** Returns the error result of a WebError; throws anything else again. */
export function webRefusal(thrown: unknown, ctx: Pick<ToolContext, 'locale'>): ToolResult {
  if (!(thrown instanceof WebError)) throw thrown;
  return { ...errorResult(refusalText(thrown, ctx), { code: thrown.code }), isRetryable: thrown.isTransient };
}

/** Returns the sentence for the model about a failure of the web, with advice. */
export function refusalText({ code, message, messageZh }: WebError, ctx: Pick<ToolContext, 'locale'>): string {
  const [en, zhCN] = ADVICE[code];
  return inLocale(ctx, `${message} ${en}`, `${messageZh}${zhCN}`);
}

/** The error result of a gateway without access to the web. */
export const withoutWeb = (ctx: Pick<ToolContext, 'locale'>): ToolResult =>
  errorResult(inLocale(ctx, 'There is no access to the web here. Go on without it.', '这里无法访问网络，请在没有网络的情况下继续。'));

/** Tells the model what to do next. */
const ADVICE: Record<WebError['code'], readonly [en: string, zhCN: string]> = {
  bad_url: ['Correct the address.', '请更正网址。'],
  forbidden_address: ['Do not try other spellings; only public web pages can be fetched.', '换写法也无效，只能访问公开网页。'],
  unknown_host: ['Check the spelling or search for the right address.', '请检查拼写或搜索正确的网址。'],
  unreachable: ['Check the address or use another source.', '请检查网址或换一个来源。'],
  too_slow: ['Use another source, or try once more later.', '请换一个来源，或稍后再试。'],
  too_many_redirects: ['Use another source.', '请换一个来源。'],
  unsupported_content: ['Look for the same content as a web page or PDF.', '请寻找网页或 PDF 形式的同一内容。'],
  unreadable: ['Use another source.', '请换一个来源。'],
  search_not_configured: ['Tell the person; until then open known addresses directly.', '请告知用户；在此之前可直接打开已知网址。'],
  unknown_engine: ['Use another one, or name none.', '请换一个，或不指定。'],
  search_failed: ['Try once more later, or open known addresses directly.', '请稍后再试，或直接打开已知网址。'],
};

function renderContent(extracted: ExtractedPage, ctx: Pick<ToolContext, 'locale'>): string {
  switch (extracted.type) {
    case 'text':
      return extracted.text || inLocale(ctx, '(no text on this page)', '（页面没有文字）');
    case 'links':
      return extracted.links.map(linkLine).join('\n') || inLocale(ctx, '(no links on this page)', '（页面没有链接）');
    case 'structured':
      return JSON.stringify(extracted.structure, null, 1);
  }
}

const linkLine = ({ text, url }: PageLink): string => `- ${text ? `${text}: ` : ''}${url}`;
