/** Parses a page into a DOM with absolute addresses and without elements that a reader does not see. */
import { parseHTML } from 'linkedom';
import type { PageLink } from '../../port/web';

/** The part of the DOM that is used; the server compiles without browser types. */
export interface PageElement {
  readonly localName: string;
  readonly textContent: string | null;
  readonly parentElement: PageElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  cloneNode(deep: boolean): PageElement;
  remove(): void;
}

export interface PageDocument {
  readonly root: PageElement;
  readonly body: PageElement | null;
  readonly title: string;
}

const UNSEEN =
  'script:not([type="application/ld+json"]), style, noscript, template, iframe, object, embed, svg, canvas, [hidden], dialog:not([open])';
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$)|font-size\s*:\s*0/i;

/** Parses the page. `url`: its address, for relative links. */
export function openDocument(html: string, url: string): PageDocument {
  // A fragment is wrapped, because linkedom gives it no body.
  const isWhole = /<(?:html|body)[\s>]/i.test(html);
  const { document } = parseHTML(isWhole ? html : `<!doctype html><html><head></head><body>${html}</body></html>`) as unknown as {
    document: { documentElement: PageElement; body: PageElement | null; title: string; querySelector: PageElement['querySelector'] };
  };
  const root = document.documentElement;
  for (const element of [...root.querySelectorAll(UNSEEN)]) element.remove();
  for (const element of [...root.querySelectorAll('[style]')]) {
    if (HIDING_STYLE.test(element.getAttribute('style') ?? '')) element.remove();
  }
  makeAbsolute(root, absolute(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url);
  return { root, body: document.body, title: oneLine(document.title) };
}

function makeAbsolute(root: PageElement, base: string): void {
  for (const element of root.querySelectorAll('a[href], link[href], img[src]')) {
    const name = element.localName === 'img' ? 'src' : 'href';
    const address = absolute(element.getAttribute(name) ?? '', base);
    if (address) element.setAttribute(name, address);
    else element.removeAttribute(name);
  }
}

function absolute(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

const MAX_LABEL = 200;

/** Returns the links in page order, each address once. `pageUrl`: leave out links to anchors of this page. */
export function linksOf(root: PageElement, limit: number, pageUrl?: string): PageLink[] {
  const own = pageUrl?.split('#')[0];
  const links = new Map<string, string>();
  for (const element of root.querySelectorAll('a[href]')) {
    const url = element.getAttribute('href') ?? '';
    if (url.includes('#') && url.split('#')[0] === own) continue;
    if (!links.get(url)) links.set(url, oneLine(element.textContent ?? '').slice(0, MAX_LABEL));
    if (links.size >= limit) break;
  }
  return [...links].map(([url, text]) => ({ text, url }));
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
