/** Checks where a browser goes behind a login, so that no link to the gateway leads to another site. */
import { invalidField } from '../../../errors';

const MAX_UNITS = 1_000;
/** Any origin: a path must stay at it. */
const ORIGIN = 'http://gateway.invalid';
/** Browsers read a backslash as a slash, and leave out control characters. */
const TRICKS = /[\\\s\p{Cc}]/u;

/**
 * Returns the path in its normal form; without a text the chat page. `basePath`: the path below which the browser sees the gateway. `field`: what an error
 * names. Throws `invalid_request`.
 */
export function toReturnPath(text: string | undefined, basePath: string, field: string): string {
  if (text === undefined) return `${basePath}/`;
  const url = text.length <= MAX_UNITS && isPlain(text) && URL.canParse(text, ORIGIN) ? new URL(text, ORIGIN) : undefined;
  if (url?.origin === ORIGIN && isPage(url.pathname, basePath)) return url.pathname + url.search + url.hash;
  throw invalidField(
    field,
    `must be a path of this gateway, such as ${basePath}/ops, and no other address.`,
    `必须是此网关的路径，例如 ${basePath}/ops，不能是其他地址。`,
  );
}

const isPlain = (text: string): boolean => text.startsWith('/') && !text.startsWith('//') && !TRICKS.test(text);

/** Behind a login come pages: not the login again, and no answer of the API. A proxy may decode the path once more, so what it would then be counts too. */
function isPage(pathname: string, basePath: string): boolean {
  if (!pathname.startsWith(`${basePath}/`) || /^\/(?:auth|api|scim)(?:\/|$)/i.test(pathname.slice(basePath.length))) return false;
  let form = pathname;
  for (let i = 0; i < 3; i += 1) {
    const decoded = isPlain(form) ? decode(form) : undefined;
    if (decoded === undefined) return false;
    form = decoded;
  }
  return true;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
