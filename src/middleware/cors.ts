/** CORS headers (https://fetch.spec.whatwg.org/#http-cors-protocol) for pages of the origins in NETA_ORIGINS. */
import type { IncomingHttpHeaders } from 'node:http';

/** Seconds that a browser may keep the answer to a preflight request; Chromium keeps none longer. */
const PREFLIGHT_AGE_S = 7_200;

const SENT_HEADERS = [
  'Accept-Language',
  'Anthropic-Beta',
  'Anthropic-Dangerous-Direct-Browser-Access',
  'Anthropic-Version',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'Range',
  'Traceparent',
  'Tracestate',
  'X-Api-Key',
  'X-Request-Id',
  'X-Session-Id',
];

/** OpenAI's clients send several of these, and new ones with each version. */
const CLIENT_HEADER = /^x-stainless-[a-z-]{1,40}$/i;
const MAX_CLIENT_HEADERS = 20;

const READABLE_HEADERS = [
  'Anthropic-RateLimit-Requests-Limit',
  'Anthropic-RateLimit-Requests-Remaining',
  'Anthropic-RateLimit-Requests-Reset',
  'Anthropic-RateLimit-Tokens-Limit',
  'Anthropic-RateLimit-Tokens-Remaining',
  'Anthropic-RateLimit-Tokens-Reset',
  'Content-Disposition',
  'Content-Language',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Mcp-Session-Id',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Request-Id',
  'Retry-After',
  'Stream-Closed',
  'Stream-Cursor',
  'Stream-Next-Offset',
  'Stream-Up-To-Date',
  'Sunset',
  'X-Ignored-Fields',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Reset-Tokens',
  'X-Request-Id',
  'X-Session-Id',
  'X-Should-Retry',
].join(', ');

/** Lets a page of an allowed origin read the answer. */
export const readableHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': READABLE_HEADERS,
});

export const isPreflight = ({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Answers a preflight request: what the page may send. */
export function preflightHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const asked = (headers['access-control-request-headers'] ?? '').split(',').map(name => name.trim());
  const ofClients = asked.filter(name => CLIENT_HEADER.test(name)).slice(0, MAX_CLIENT_HEADERS);
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': [...SENT_HEADERS, ...ofClients].join(', '),
    'access-control-max-age': String(PREFLIGHT_AGE_S),
    // A page of the internet sends this before it may reach a gateway in a private network.
    ...(headers['access-control-request-private-network'] === 'true' && { 'access-control-allow-private-network': 'true' }),
  };
}
