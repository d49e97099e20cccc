/** What search services with a JSON interface have in common. */
import { type FetchedPage, isTransientStatus, type SearchHit, WebError } from '../../../port/web';
import { readForeignJson } from '../../../utils/foreign_json';

/** What is longer could not be fetched. */
const MAX_URL_UNITS = 4_096;

/** The list at `path` of a JSON answer. Throws WebError when the service refused or answered with something else. */
export function listIn(page: FetchedPage, ...path: string[]): Record<string, unknown>[] {
  assertAnswered(page);
  const found = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), parseJson(page));
  // A service without hits may leave the list out.
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Throws WebError unless the status says success. */
export function assertAnswered({ status }: FetchedPage): void {
  if (status === 401 || status === 403)
    throw new WebError('search_failed', `refused access (HTTP ${status}); its key or settings are wrong`);
  if (status === 429 || status === 202) throw new WebError('search_failed', `allows no more searches now (HTTP ${status})`);
  if (status < 200 || status > 299) {
    throw new WebError('search_failed', `answered HTTP ${status}`, { isTransient: isTransientStatus(status) });
  }
}

/** A hit out of whatever a service sent; nothing without a usable address. */
export function toHit({ title, url, snippet }: Record<keyof SearchHit, unknown>): SearchHit[] {
  if (typeof url !== 'string' || url.length > MAX_URL_UNITS || !/^https?:\/\/\S+$/.test(url)) return [];
  return [{ title: plain(title) || url, url, snippet: plain(snippet) }];
}

function parseJson(page: FetchedPage): unknown {
  try {
    return readForeignJson(page.bytes);
  } catch (cause) {
    throw new WebError('search_failed', 'did not answer with JSON that can be read', { cause });
  }
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#39;': "'" };

/** Snippets come with found words emphasised in HTML. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, 5_000).replace(/<\/?[a-z]{1,10}>/gi, '');
  return text
    .replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, entity => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
