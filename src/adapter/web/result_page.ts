/** Reads the hits on a result page of DuckDuckGo's plain HTML site. */
import type { SearchHit } from '../../port/web';
import { oneLine, openDocument } from './page_document';

export function readResultPage(html: string, url: string): SearchHit[] {
  const { root } = openDocument(html, url);
  return [...root.querySelectorAll('.result:not(.result--ad)')].flatMap(result => {
    const link = result.querySelector('a.result__a');
    const target = targetOf(link?.getAttribute('href') ?? '');
    if (!link || !target) return [];
    return {
      title: oneLine(link.textContent ?? ''),
      url: target,
      snippet: oneLine(result.querySelector('.result__snippet')?.textContent ?? ''),
    };
  });
}

/** Links go through a tracking page whose query holds the target. */
function targetOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const target = new URL(address).searchParams.get('uddg') ?? address;
  return /^https?:/.test(target) ? target : undefined;
}
