/**
 * The files of the chat page, in one cache for each version of the build. A cache is filled while its version installs, with the page and the
 * files that it loads at once, so each cache is whole and holds one version; parts that load later are added when a page uses them.
 */

declare const self: ServiceWorkerGlobalScope;

/** The build writes it: see web/worker_plugin.mjs. Paths are relative to the worker. */
declare const BUILD: {
  version: string;
  /** What the page loads at once, and the icons of the page and of notifications. Built files have a hash of their content in their name; the others do not. */
  first: readonly string[];
  /** Built files that the page loads when it needs them. */
  later: readonly string[];
};

const { version, first, later } = BUILD;

/** Caches belong to an origin, which may show several gateways, each below its own path. */
const ROOT = new URL('./', self.location.href);
const PREFIX = `neta.page ${ROOT.pathname} `;
const CACHE = PREFIX + version;
const ASSETS = 'assets/';

/** The page holds this lock while it is open; web/src/offline/register_worker.ts takes it. */
const lockOf = (ofVersion: string): string => `neta.version ${ofVersion}${ROOT.pathname === '/' ? '' : ` ${ROOT.pathname}`}`;

/** The time in milliseconds after which a stored page is better than a slow gateway. */
const PAGE_LIMIT_MS = 6000;

/** Statuses of a proxy whose gateway is away. */
const AWAY = new Set([502, 503, 504]);

/** Stores the page and its files. Rejects when one of them is missing or belongs to another version; the browser tries again later. */
export async function storeVersion(): Promise<void> {
  const cache = await caches.open(CACHE);
  try {
    const used = await findUsedParts();
    const files = [...first, ...later.filter(file => used.has(nameOf(file)))];
    await Promise.all([storePage(cache), ...files.map(file => storeFile(cache, file))]);
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** Adds built files that a page has loaded before this worker saw its requests. */
export async function keepFiles(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const files = urls.map(pathOf).filter(path => path !== undefined && later.includes(path)) as string[];
  await Promise.all(files.map(file => storeFile(cache, file).catch(() => undefined)));
}

/** Deletes the files of versions that no open page has. */
export async function removeOldVersions(): Promise<void> {
  const { held = [] } = await self.navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  const old = (await findCaches()).filter(name => name !== CACHE && !open.has(lockOf(name.slice(PREFIX.length))));
  await Promise.all(old.map(name => caches.delete(name)));
}

/** Returns undefined for requests that are left to the browser: those of the API, of other pages and of other origins. */
export function answerRequest(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method !== 'GET' || path === undefined) return undefined;
  if (request.mode === 'navigate') return answerNavigation(event, path);
  if (path.startsWith(ASSETS)) return answerAsset(request, path);
  return first.includes(path) ? answerNamedFile(request) : undefined;
}

/**
 * A navigation that is left to the browser is sent twice, because the preload has sent it already. The address to which a login provider leads counts
 * once, so the answer of the preload is taken for it.
 */
function answerNavigation(event: FetchEvent, path: string): Promise<Response> | undefined {
  if (path === '') return answerPage(event);
  return path.startsWith('auth/') ? preloaded(event) : undefined;
}

const preloaded = async ({ request, preloadResponse }: FetchEvent): Promise<Response> =>
  ((await preloadResponse) as Response | undefined) ?? fetch(request);

/** The gateway first: its page names the files of its own version. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const response = await withinLimit(preloaded(event));
  if (response && !AWAY.has(response.status)) return response;
  return (await findStored(ROOT.href)) ?? response ?? fetch(event.request);
}

/** A built file never changes. A page of an older version gets the files that are stored of it. */
async function answerAsset(request: Request, path: string): Promise<Response> {
  const stored = await caches.match(request, { ignoreVary: true });
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok && later.includes(path)) {
    const copy = response.clone();
    const cache = await caches.open(CACHE);
    await cache.put(request.url, copy).catch(() => undefined);
  }
  return response;
}

/** The gateway first, since the name of the file is the same in each version. */
async function answerNamedFile(request: Request): Promise<Response> {
  const response = await withinLimit(fetch(request));
  if (response?.ok) return response;
  return (await findStored(request.url)) ?? response ?? fetch(request);
}

async function findStored(url: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(url, { ignoreVary: true });
}

async function storePage(cache: Cache): Promise<void> {
  const response = await fetch(ROOT.href, { cache: 'no-cache' });
  const text = await response.clone().text();
  // A gateway of another version may answer while a new version is rolled out.
  if (!response.ok || !text.includes(`content="${version}"`)) throw new Error('The page does not belong to this version.');
  await cache.put(ROOT.href, response);
}

async function storeFile(cache: Cache, path: string): Promise<void> {
  const { href } = new URL(path, ROOT);
  const isBuilt = path.startsWith(ASSETS);
  if (isBuilt && (await cache.match(href))) return;
  const known = isBuilt ? await caches.match(href, { ignoreVary: true }) : undefined;
  const response = known ?? (await fetch(href, { cache: isBuilt ? 'default' : 'no-cache' }));
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  await cache.put(href, response);
}

/** The parts that pages have used so far, by their names without the hash: the new version has the same parts under other hashes. */
async function findUsedParts(): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const name of await findCaches()) {
    const requests = await (await caches.open(name)).keys();
    for (const { url } of requests) used.add(nameOf(pathOf(url) ?? ''));
  }
  return used;
}

const findCaches = async (): Promise<string[]> => (await caches.keys()).filter(name => name.startsWith(PREFIX));

/** assets/tool_details-B1x_Y2z3.js -> assets/tool_details.js */
const nameOf = (path: string): string => path.replace(/-[\w-]{8}(?=\.\w+$)/, '');

/** Returns the path below the root of the gateway; undefined for an address elsewhere. */
function pathOf(address: string): string | undefined {
  const url = new URL(address);
  return url.origin === ROOT.origin && url.pathname.startsWith(ROOT.pathname) ? url.pathname.slice(ROOT.pathname.length) : undefined;
}

/** Resolves with undefined when the request fails or takes too long. */
async function withinLimit(response: Promise<Response>): Promise<Response | undefined> {
  const limit = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), PAGE_LIMIT_MS));
  return Promise.race([response.catch(() => undefined), limit]);
}
