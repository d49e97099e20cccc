/** Shared by the search services with a JSON API. */
import { type FetchedPage, isTransientStatus, type SearchHit, WebError } from '../../../port/web';
import { readForeignJson } from '../../../utils/foreign_json';

/** The longest address of a hit; longer addresses could not be fetched. */
const MAX_URL_UNITS = 4_096;

/** Returns the list at `path` of a JSON answer. Throws WebError when the service refused or sent another answer. */
export function listIn(page: FetchedPage, ...path: string[]): Record<string, unknown>[] {
  assertAnswered(page);
  const found = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), parseJson(page));
  // Some services omit the list when there are no hits.
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Throws WebError unless the status is a success. */
export function assertAnswered({ status }: FetchedPage): void {
  if (status === 401 || status === 403)
    throw new WebError(
      'search_failed',
      `refused access (HTTP ${status}); its key or settings are wrong`,
      `拒绝访问（HTTP ${status}），密钥或设置有误`,
    );
  if (status === 429 || status === 202)
    throw new WebError('search_failed', `allows no more searches now (HTTP ${status})`, `暂不允许更多搜索（HTTP ${status}）`);
  if (status < 200 || status > 299) {
    throw new WebError('search_failed', `answered HTTP ${status}`, `返回了 HTTP ${status}`, { isTransient: isTransientStatus(status) });
  }
}

/** Decodes one hit of a service; undefined without a usable address. */
export function toHit({ title, url, snippet }: Record<keyof SearchHit, unknown>): SearchHit[] {
  if (typeof url !== 'string' || url.length > MAX_URL_UNITS || !/^https?:\/\/\S+$/.test(url)) return [];
  return [{ title: plain(title) || url, url, snippet: plain(snippet) }];
}

function parseJson(page: FetchedPage): unknown {
  try {
    return readForeignJson(page.bytes);
  } catch (cause) {
    throw new WebError('search_failed', 'did not answer with JSON that can be read', '返回的不是可读的 JSON', { cause });
  }
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#39;': "'" };

/** Removes HTML: services mark the matched words of snippets with it. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, 5_000).replace(/<\/?[a-z]{1,10}>/gi, '');
  return text
    .replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, entity => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
