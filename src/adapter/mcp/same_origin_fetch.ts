/** Follows redirects to the origin of the request alone: another address has passed no rule, and must not get the headers of the operator. */
import { McpError } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** Returns a fetch that rejects with an McpError for a redirect to another origin. A caller that asks for `redirect: 'manual'` gets the redirect. */
export function withinOrigin(send: Fetch): Fetch {
  return async (input, init) => {
    if (init?.redirect === 'manual') return send(input, init);
    let url = new URL(input);
    let request: RequestInit = { ...init, redirect: 'manual' };
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      const response = await send(url, request);
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      url = nextAddress(url, location);
      const keepsMethod = response.status >= 307 || request.method === undefined || request.method === 'GET';
      if (!keepsMethod) request = { ...request, method: 'GET', body: null };
    }
    throw new McpError('unsent', inBoth(`It redirects more than ${MAX_REDIRECTS} times.`, `它重定向超过 ${MAX_REDIRECTS} 次。`));
  };
}

function nextAddress(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  const place = to?.host ?? location.slice(0, 100);
  throw new McpError(
    'unsent',
    inBoth(
      `${from.host} redirects to ${place}. Redirects to another origin are not followed: if it is right, write the new address in mcp.yaml.`,
      `${from.host} 重定向到 ${place}。不跟随到其他源的重定向：如果新地址正确，请写入 mcp.yaml。`,
    ),
  );
}
