/** Removes what surrounds the content of a page: its header, navigation, footer, side bars and cookie banners. */
import { oneLine, openDocument, type PageDocument, type PageElement } from './page_document';

/** Landmarks, wherever they stand. */
const LANDMARKS =
  'script, nav, [role="navigation" i], [role="banner" i], [role="contentinfo" i], [role="complementary" i], [role="search" i], ' +
  '[role="dialog" i], [role="alertdialog" i], [aria-modal="true" i]';
/** Landmarks count only outside the content: an article has a header of its own, and its notes are often an `aside`. */
const OUTER_LANDMARKS = 'header, footer, aside';
const CONTENT = new Set(['main', 'article', 'section']);
const CONTENT_ROLES = new Set(['main', 'article']);

const COOKIE_BANNER =
  /(?:cookie|privacy)[\w-]*(?:banner|bar|notice|consent|dialog|popup|modal|message|wall|overlay|prompt|law|alert|bot|container)|(?:banner|notice|accept|bar)-?cookies?|consent|gdpr|ccpa|onetrust|usercentrics|didomi/i;
const MAX_BANNER_UNITS = 3_000;

/** Opens a page without its surroundings; the whole page when it has nothing else. */
export function openContent(html: string, url: string): PageDocument {
  const page = openDocument(html, url);
  if (!page.body) return page;
  removeFurniture(page.body);
  return oneLine(page.body.textContent ?? '') === '' ? openDocument(html, url) : page;
}

function removeFurniture(body: PageElement): void {
  for (const element of [...body.querySelectorAll(LANDMARKS)]) element.remove();
  for (const element of [...body.querySelectorAll(OUTER_LANDMARKS)]) if (!isInContent(element)) element.remove();
  for (const element of [...body.querySelectorAll('[id], [class], [aria-label]')]) if (isCookieBanner(element)) element.remove();
}

function isInContent(element: PageElement): boolean {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (CONTENT.has(around.localName) || CONTENT_ROLES.has((around.getAttribute('role') ?? '').toLowerCase())) return true;
  }
  return false;
}

function isCookieBanner(element: PageElement): boolean {
  const names = ['id', 'class', 'aria-label'].map(name => (element.getAttribute(name) ?? '').replaceAll(' ', '-'));
  if (!names.some(name => COOKIE_BANNER.test(name))) return false;
  const holdsContent = CONTENT.has(element.localName) || element.querySelector('main, article, h1, table') !== null;
  return !holdsContent && !isInContent(element) && (element.textContent ?? '').length <= MAX_BANNER_UNITS;
}
