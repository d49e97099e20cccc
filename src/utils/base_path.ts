/** The path below which a reverse proxy shows the gateway, such as /agent. */

const MOST_CHARACTERS = 200;
/** Parts of letters, digits, `-`, `_`, `.` and `~`; no part is `.` or `..`. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
/** Addresses of the gateway itself. A path among them could not be told from a path without its prefix. */
const OWN = /^\/(?:api(?:\/v1(?:\/.*)?)?|(?:v1|mcp|agui|streams|ops|docs|assets|socket\.io|healthz|readyz|metrics|auth|scim)(?:\/.*)?)$/i;

/** Adds a slash at the start and removes slashes at the end; '' for the root, undefined for a text that is no path. */
export function toBasePath(text: string): string | undefined {
  const path = `/${text.replace(/^\//, '').replace(/\/+$/, '')}`;
  if (path === '/') return '';
  return path.length <= MOST_CHARACTERS && PATH.test(path) ? path : undefined;
}

/** Returns true for a path of the gateway itself. */
export const isOwnPath = (path: string): boolean => OWN.test(path);

/** Removes `base` from the address of a request that has it. The bare base stays, because its relative links would lead elsewhere. */
export function withoutBase(url: string, base: string): string {
  return base !== '' && !isOwnPath(base) && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

/** Returns the way from a page to the root of the gateway, such as `../` from /ops/runs. It is right below any path that a proxy removes. */
export const wayToRoot = (path: string): string => '../'.repeat(Math.max(0, path.split('/').length - 2)) || './';
