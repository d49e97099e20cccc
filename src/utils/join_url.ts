/** Puts a path such as `/models` behind the path of a base URL. The query of the base URL stays, as servers with `?api-version=` want it. */
export function joinUrl(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.hash = '';
  return url;
}
